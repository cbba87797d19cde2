#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>
#include <utility>

#include "orthant/core/error.h"

namespace orthant::io {

// Owns one open file descriptor; -1 is none.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() { close(); }

  int get() const { return fd_; }

  // 0, or the errno of a failed close. The descriptor is gone either way.
  int close() noexcept;

 private:
  int fd_ = -1;
};

// Appends `text` to an open file with as few system calls as possible, usually one; IoError naming `path` if the
// system refuses (no space left, ...).
void append(int fd, const std::string& path, std::string_view text);

// The system's words for an errno, beginning in lower case, such as "no space left on device".
std::string error_text(int error);

// "a folder", "a pipe", ... for messages about a file that is not a regular one.
const char* kind_of_file(const struct stat& status);

}  // namespace orthant::io
