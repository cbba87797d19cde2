#include "orthant/towers/tower_files.h"

#include "orthant/core/error.h"
#include "orthant/io/safetensors.h"
#include "orthant/io/settings_file.h"

namespace orthant {
namespace {

std::string step_of(const std::string& path) {
  const auto facts = io::SafeTensors::open(path).metadata();
  const auto found = facts.find("notes.step");
  check_io(found != facts.end(), "[", path, "] expected a tower that notes its step, got a model that does not");
  return found->second;
}

}  // namespace

std::string tower_file(const RunPaths& run, Tower tower) {
  if (!is_of_pairs(io::read_settings(run.recipe_file()))) {
    check(tower == Tower::a, "[", run.path(), "] expected a run of two towers for tower ", to_string(tower),
          ", got a run of one");
    return run.model_file();
  }
  const std::string first = step_of(run.model_file());
  const std::string second = step_of(run.second_model_file());
  check_io(first == second, "[", run.path(), "] expected two towers of one step, got those of steps ", first, " and ",
           second, "; going on with the run mends that");
  return tower == Tower::a ? run.model_file() : run.second_model_file();
}

}  // namespace orthant
