#pragma once

#include <string>

#include "orthant/index/callbacks.h"
#include "orthant/io/file_descriptor.h"

namespace orthant::index {

// The right to change an index, which one process, or thread, has at a time (flock on the file itself, so that nothing
// is left behind). Others wait for it, and then find the file that was put in place meanwhile. Reading needs no lock.
class EditLock {
 public:
  // IoError if there is no such file, or it cannot be locked.
  explicit EditLock(const std::string& path, const Waiting& waiting = nullptr);

 private:
  io::FileDescriptor file_;
};

}  // namespace orthant::index
