#pragma once

#include <string>

#include "orthant/io/file_descriptor.h"
#include "orthant/run/run_paths.h"

namespace orthant {

// A run on disk, held by one program at a time.
class RunFolder : public RunPaths {
 public:
  // Makes the folder. If it holds a run already: std::invalid_argument, or with `overwrite` that run is removed with
  // all that belonged to it.
  // IoError if the folder cannot be made or written to, or another program holds it.
  static RunFolder create(const std::string& path, bool overwrite = false);

  // Takes over an existing run and removes what a killed program left half written. std::invalid_argument if there is
  // no run at `path`; IoError if another program holds it or it cannot be written to.
  static RunFolder open(const std::string& path);

 private:
  explicit RunFolder(const std::string& path);

  io::FileDescriptor lock_;
};

}  // namespace orthant
