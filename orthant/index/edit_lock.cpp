#include "orthant/index/edit_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace orthant::index {
namespace {

constexpr auto kPause = std::chrono::milliseconds(20);

bool same_file(int descriptor, const std::string& path) {
  struct stat mine {};
  struct stat there {};
  return ::fstat(descriptor, &mine) == 0 && ::stat(path.c_str(), &there) == 0 && mine.st_dev == there.st_dev &&
         mine.st_ino == there.st_ino;
}

}  // namespace

EditLock::EditLock(const std::string& path, const Waiting& waiting) {
  for (;;) {
    file_ = io::FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    check_io(file_.get() >= 0, "[", path, "] expected an index to change, got: ", io::error_text(errno));
    while (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
      check_io(errno == EWOULDBLOCK || errno == EINTR, "[", path,
               "] expected to lock it, got: ", io::error_text(errno));
      if (waiting) waiting();
      std::this_thread::sleep_for(kPause);
    }
    // Whoever had the lock may have put another file in place.
    if (same_file(file_.get(), path)) return;
  }
}

}  // namespace orthant::index
