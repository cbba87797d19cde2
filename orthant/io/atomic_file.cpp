#include "orthant/io/atomic_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>

#include "orthant/core/error.h"
#include "orthant/io/mapped_file.h"

namespace orthant::io {
namespace {

constexpr size_t kBufferBytes = 1 << 16;
constexpr std::string_view kPrefix = ".orthant-";
constexpr std::string_view kSuffix = ".tmp";
constexpr size_t kRandomBytes = 8;

std::string random_name() {
  std::array<unsigned char, kRandomBytes> random = {};
  size_t filled = 0;
  while (filled < random.size()) {
    const ssize_t got = ::getrandom(random.data() + filled, random.size() - filled, 0);
    if (got < 0 && errno == EINTR) continue;
    check_io(got > 0, "[getrandom] expected random bytes, got: ", error_text(errno));
    filled += static_cast<size_t>(got);
  }
  std::string name(kPrefix);
  for (const unsigned char byte : random) {
    name += "0123456789abcdef"[byte >> 4];
    name += "0123456789abcdef"[byte & 15];
  }
  return name + std::string(kSuffix);
}

bool is_temporary_name(std::string_view name) {
  return name.size() == kPrefix.size() + 2 * kRandomBytes + kSuffix.size() && name.starts_with(kPrefix) &&
         name.ends_with(kSuffix);
}

bool lock(const FileDescriptor& file, int how) {
  int result = 0;
  do {
    result = ::flock(file.get(), how);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

// Removes what killed writers left in the folder. A living writer holds a lock on its temporary file, and nobody
// removes one without having the lock. What cannot be looked at or removed stays: it is not this writer's.
void remove_leftovers(const std::string& folder_path, const FileDescriptor& folder) {
  std::error_code ignored;
  for (std::filesystem::directory_iterator entry(folder_path, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (!is_temporary_name(name)) continue;
    const FileDescriptor file(::openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (file.get() >= 0 && lock(file, LOCK_EX | LOCK_NB)) ::unlinkat(folder.get(), name.c_str(), 0);
  }
}

// A new file of that name with the writer's lock, or none and errno. Permissions are those of `replaced`, if any.
FileDescriptor create_locked(const FileDescriptor& folder, const std::string& name, const struct stat* replaced) {
  const mode_t mode = replaced == nullptr ? 0666 : replaced->st_mode & 0777;
  FileDescriptor file(::openat(folder.get(), name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (file.get() < 0) return file;
  // Where the system has no locks or no permissions, there is nothing to keep.
  if (replaced != nullptr && ::fchmod(file.get(), mode) != 0) errno = 0;
  struct stat status = {};
  if (lock(file, LOCK_EX) && ::fstat(file.get(), &status) == 0 && status.st_nlink == 0) {
    errno = EEXIST;  // taken for a leftover before it was locked
    return {};
  }
  return file;
}

int sync(int fd) {
  int result = 0;
  do {
    result = ::fsync(fd);
  } while (result != 0 && errno == EINTR);
  return result;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(path) {
  struct stat status = {};
  std::filesystem::path target(path);
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists) {
    check_io(S_ISREG(status.st_mode), "[", path, "] expected a file to write, got ", kind_of_file(status));
    if (std::error_code error; std::filesystem::is_symlink(target, error)) {
      target = std::filesystem::canonical(target, error);
      check_io(!error, "[", path, "] expected a file to write, got: ", error_text(error.value()));
    }
  }
  target_ = target.filename().string();
  check_io(!target_.empty(), "[", path, "] expected the name of a file to write, got a folder");

  const std::string folder = target.has_parent_path() ? target.parent_path().string() : ".";
  folder_ = FileDescriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  check_io(folder_.get() >= 0, "[", path, "] expected a folder ", folder, " to write to, got: ", error_text(errno));

  remove_leftovers(folder, folder_);

  // A name that exists already is chance, not a reason to give up; 16 in a row is neither.
  for (int attempt = 0; attempt < 16 && file_.get() < 0; ++attempt) {
    const std::string name = random_name();
    file_ = create_locked(folder_, name, exists ? &status : nullptr);
    if (file_.get() >= 0) {
      temporary_ = name;
    } else if (errno != EEXIST && errno != EINTR) {
      break;
    }
  }
  check_io(file_.get() >= 0, "[", path, "] expected a folder to write to, got: ", error_text(errno));
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) ::unlinkat(folder_.get(), temporary_.c_str(), 0);
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  if (bytes.size() > kBufferBytes) {
    write_through(flushed_, bytes);
  } else {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  }
}

void AtomicFile::write_at(int64_t offset, std::span<const std::byte> bytes) {
  check(offset >= 0 && offset <= size(), "[AtomicFile] expected an offset from 0 to ", size(), ", got ", offset);
  if (offset == size()) return write(bytes);
  flush();
  write_through(offset, bytes);
}

void AtomicFile::flush() {
  if (buffer_.empty()) return;
  write_through(flushed_, buffer_);
  buffer_.clear();
}

void AtomicFile::write_through(int64_t offset, std::span<const std::byte> bytes) {
  check(!temporary_.empty(), "[AtomicFile] expected no writing after commit()");
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file_.get(), bytes.data(), bytes.size(), offset);
    if (written < 0 && errno == EINTR) continue;
    check_io(written > 0, "[", path_, "] expected to write ", bytes.size(),
             " bytes, got: ", written == 0 ? "nothing written" : error_text(errno));
    offset += written;
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  flushed_ = std::max(flushed_, offset);
}

std::shared_ptr<const MappedFile> AtomicFile::mapped() {
  flush();
  return MappedFile::map(file_, path_);
}

void AtomicFile::commit() {
  check(!temporary_.empty(), "[AtomicFile] expected commit() once, got a second call");
  flush();
  check_io(sync(file_.get()) == 0, "[", path_, "] expected to reach the disk, got: ", error_text(errno));
  const int close_error = file_.close();
  check_io(close_error == 0, "[", path_, "] expected to reach the disk, got: ", error_text(close_error));
  check_io(::renameat(folder_.get(), temporary_.c_str(), folder_.get(), target_.c_str()) == 0, "[", path_,
           "] expected to put the finished file in place, got: ", error_text(errno));
  temporary_.clear();
  // Some network file systems cannot sync a folder; they say so with EINVAL.
  check_io(sync(folder_.get()) == 0 || errno == EINVAL, "[", path_,
           "] expected the folder to reach the disk, got: ", error_text(errno));
}

void write_file(const std::string& path, std::span<const std::byte> bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void write_file(const std::string& path, std::string_view text) { write_file(path, std::as_bytes(std::span(text))); }

}  // namespace orthant::io
