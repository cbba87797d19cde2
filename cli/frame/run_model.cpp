#include "cli/frame/run_model.h"

#include <filesystem>

#include "orthant/core/error.h"
#include "orthant/io/settings_file.h"
#include "orthant/run/run_paths.h"
#include "orthant/run/supervised_recipe.h"

namespace orthant::cli {

std::string run_model_file(const std::string& path) {
  check_io(std::filesystem::exists(path), "[", path, "] expected a run or a file of weights, got: no such run or file");
  std::string file = weights_file(path);
  if (std::filesystem::exists(file)) return file;
  check_io(is_run(path), "[", path, "] expected a run with a model, or a file of weights, got no ", file);
  const Settings settings = io::read_settings(RunPaths(path).recipe_file());
  const auto task = settings.find("train.task");
  check_io(task == settings.end() || to_string(task->second) != "probe", "[", path,
           "] expected a run with a model, got a probe, whose model is that of the run it is of");
  fail_io("[", path, "] expected a run with a model, got none: no epoch finished yet; 'orthant resume ", path,
          "' goes on");
}

}  // namespace orthant::cli
