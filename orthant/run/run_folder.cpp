#include "orthant/run/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <filesystem>

#include "orthant/core/error.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  check_io(!error, "[", path, "] expected to make a folder, got: ", io::error_text(error.value()));
}

void remove_leftovers(const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(".orthant-") && name.ends_with(".tmp")) fs::remove(entry.path(), ignored);
  }
}

// run.toml goes first: what is left of a run without it is no run.
void remove_run(const RunPaths& run) {
  std::error_code error;
  for (const std::string& part :
       {run.recipe_file(), run.metrics_file(), run.model_file(), run.second_model_file(), run.classifier_file(),
        run.result_file(), run.checkpoint_folder(), run.embeddings_folder(), run.measures_file(), run.selection_file(),
        run.names_file()}) {
    fs::remove_all(part, error);
    check_io(!error, "[", part, "] expected to remove it, got: ", io::error_text(error.value()));
  }
  for (const auto& entry : fs::directory_iterator(run.path())) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("events.out.tfevents.") || name.starts_with("seed-")) fs::remove_all(entry.path(), error);
  }
}

}  // namespace

RunFolder::RunFolder(const std::string& path) : RunPaths(path) {
  lock_ = io::FileDescriptor(::open(lock_file().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  check_io(lock_.get() >= 0, "[", path, "] expected a run folder to write to, got: ", io::error_text(errno));
  const bool held = ::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0;
  check_io(held, "[", path, "] expected a run that nobody works on, got one that another program holds; ",
           "wait for it or stop it");
}

RunFolder RunFolder::create(const std::string& path, bool overwrite) {
  check(!fs::exists(path) || fs::is_directory(path), "[", path, "] expected a folder for the run, got a file");
  make_folder(path);
  RunFolder run(path);
  if (overwrite) remove_run(run);
  check(!is_run(path), "[", path, "] expected a new run, got one that exists");
  make_folder(run.checkpoint_folder());
  return run;
}

RunFolder RunFolder::open(const std::string& path) {
  check(is_run(path), "[", path, "] expected a run folder with run.toml, got ",
        fs::exists(path) ? "something else" : "nothing there");
  RunFolder run(path);
  make_folder(run.checkpoint_folder());
  remove_leftovers(path);
  remove_leftovers(run.checkpoint_folder());
  return run;
}

}  // namespace orthant
