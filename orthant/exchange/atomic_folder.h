#pragma once

#include <string>
#include <string_view>

#include "orthant/io/file_descriptor.h"

namespace orthant::exchange {

// A folder that appears all at once or not at all: its files are made in a folder ".orthant-export-<random>" beside it,
// and commit() puts that in its place. Without commit() nothing remains; what a killed process left is removed by the
// next one that writes there. One thread at a time. IoError naming the path if the system refuses.
class AtomicFolder {
 public:
  // With `overwrite`, a folder that holds `mark`, a file that only such folders have, is replaced.
  // std::invalid_argument if there is something else at `path`, or anything without `overwrite`.
  AtomicFolder(const std::string& path, const std::string& mark, bool overwrite);
  ~AtomicFolder();
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  // Where a file of this name is to be written; folders in the name are made.
  std::string file(const std::string& name) const;
  void write(const std::string& name, std::string_view text) const;
  // The same for a script that can be started.
  void write_script(const std::string& name, std::string_view text) const;

  const std::string& path() const { return path_; }

  // Exactly once, last.
  void commit();

 private:
  std::string path_;       // without a slash at the end
  std::string parent_;     // the folder it is in
  std::string temporary_;  // empty when there is none
  io::FileDescriptor lock_;
  bool replaces_ = false;
};

}  // namespace orthant::exchange
