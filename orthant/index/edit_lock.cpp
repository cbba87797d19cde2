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

// An exclusive lock may need a file that can be written (NFS); one that cannot be is locked as it is.
io::FileDescriptor open_to_lock(const std::string& path) {
  constexpr int kFlags = O_CLOEXEC | O_NONBLOCK;  // a pipe must not wait for its writer
  const int file = ::open(path.c_str(), O_RDWR | kFlags);
  if (file >= 0 || (errno != EACCES && errno != EPERM && errno != EROFS)) return io::FileDescriptor(file);
  return io::FileDescriptor(::open(path.c_str(), O_RDONLY | kFlags));
}

bool has_no_locks(int error) { return error == EBADF || error == ENOLCK || error == EOPNOTSUPP || error == ENOSYS; }

}  // namespace

EditLock::EditLock(const std::string& path, const Waiting& waiting) {
  for (;;) {
    file_ = open_to_lock(path);
    check_io(file_.get() >= 0, "[", path, "] expected an index to change, got: ", io::error_text(errno));
    while (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
      if (has_no_locks(errno)) return;
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
