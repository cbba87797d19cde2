#pragma once

#include <string>

#include "orthant/io/file_descriptor.h"

namespace orthant {

// A run on disk, held by one program at a time:
//
//   run.toml              the resolved recipe: everything needed to repeat the run
//   metrics.jsonl         one line per logged step and epoch
//   events.out.tfevents.* the same, for TensorBoard
//   model.safetensors     weights and metadata, as of the last epoch
//   checkpoint/           what `resume` needs, last two kept
//   embeddings/           written by `embed`
//   lock                  held (flock) while a program works on the run; its presence alone means nothing
class RunFolder {
 public:
  // Makes the folder. If it holds a run already: std::invalid_argument, or with `overwrite` that run is removed.
  // IoError if the folder cannot be made or written to, or another program holds it.
  static RunFolder create(const std::string& path, bool overwrite = false);

  // Takes over an existing run and removes what a killed program left half written. std::invalid_argument if there is
  // no run at `path`; IoError if another program holds it or it cannot be written to.
  static RunFolder open(const std::string& path);

  const std::string& path() const { return path_; }
  std::string recipe_file() const { return path_ + "/run.toml"; }
  std::string model_file() const { return path_ + "/model.safetensors"; }
  std::string checkpoint_folder() const { return path_ + "/checkpoint"; }
  std::string embeddings_folder() const { return path_ + "/embeddings"; }

 private:
  explicit RunFolder(const std::string& path);

  std::string path_;
  io::FileDescriptor lock_;
};

// True if `path` is the folder of a run, finished or not.
bool is_run(const std::string& path);

// The file of weights that a user means by `path`: that of a run, or the file itself.
std::string weights_file(const std::string& path);

}  // namespace orthant
