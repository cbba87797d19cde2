#include "orthant/exchange/atomic_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <random>

#include "orthant/core/error.h"
#include "orthant/io/atomic_file.h"

namespace orthant::exchange {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = ".orthant-export-";
constexpr size_t kRandomLetters = 12;

std::string random_name() {
  std::random_device device;
  std::string name(kPrefix);
  for (size_t k = 0; k < kRandomLetters; ++k) name += "0123456789abcdef"[device() & 15U];
  return name;
}

// The folder's lock, held as long as somebody writes into it; none if it cannot be had.
io::FileDescriptor locked(const std::string& folder) {
  io::FileDescriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (descriptor.get() < 0 || ::flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0) return {};
  return descriptor;
}

void remove_leftovers(const std::string& parent) {
  std::error_code ignored;
  for (fs::directory_iterator entry(parent, ignored), end; !ignored && entry != end; entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(kPrefix) || name.size() != kPrefix.size() + kRandomLetters) continue;
    const io::FileDescriptor lock = locked(entry->path());
    std::error_code failed;
    if (lock.get() >= 0) fs::remove_all(entry->path(), failed);
  }
}

void sync_folder(const std::string& path, const std::string& name) {
  const io::FileDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  check_io(folder.get() >= 0 && (::fsync(folder.get()) == 0 || errno == EINVAL), "[", name,
           "] expected the folder to reach the disk, got: ", io::error_text(errno));
}

}  // namespace

AtomicFolder::AtomicFolder(const std::string& path, const std::string& mark, bool overwrite) {
  fs::path target = fs::path(path).lexically_normal();
  if (!target.has_filename()) target = target.parent_path();
  path_ = target.string();
  check(target.has_filename() && target != "." && target != "..", "[", path, "] expected the name of a new folder");
  if (std::error_code ignored; fs::exists(fs::symlink_status(target, ignored))) {
    check(overwrite, "[", path_, "] expected a new name, got one that exists");
    check(fs::is_directory(fs::symlink_status(target, ignored)) && fs::is_regular_file(target / mark, ignored), "[",
          path_, "] expected an earlier export to replace, with a file ", mark, ", got something else");
    replaces_ = true;
  }
  parent_ = target.has_parent_path() ? target.parent_path().string() : ".";
  remove_leftovers(parent_);
  for (int attempt = 0; attempt < 16 && temporary_.empty(); ++attempt) {
    const std::string candidate = (fs::path(parent_) / random_name()).string();
    if (::mkdir(candidate.c_str(), 0777) == 0) {
      temporary_ = candidate;
    } else if (errno != EEXIST) {
      break;
    }
  }
  check_io(!temporary_.empty(), "[", path_, "] expected a folder ", parent_,
           " to write to, got: ", io::error_text(errno));
  lock_ = locked(temporary_);
}

AtomicFolder::~AtomicFolder() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

std::string AtomicFolder::file(const std::string& name) const {
  const fs::path whole = fs::path(temporary_) / name;
  std::error_code error;
  fs::create_directories(whole.parent_path(), error);
  check_io(!error, "[", path_, "] expected a folder to write to, got: ", io::error_text(error.value()));
  return whole.string();
}

void AtomicFolder::write(const std::string& name, std::string_view text) const { io::write_file(file(name), text); }

void AtomicFolder::write_script(const std::string& name, std::string_view text) const {
  write(name, text);
  struct stat status = {};
  const std::string script = file(name);
  // As may be read, so may be started.
  const bool done = ::stat(script.c_str(), &status) == 0 &&
                    ::chmod(script.c_str(), (status.st_mode & 0777) | ((status.st_mode & 0444) >> 2)) == 0;
  check_io(done, "[", path_, "] expected to make ", name, " a program, got: ", io::error_text(errno));
}

void AtomicFolder::commit() {
  check(!temporary_.empty(), "[AtomicFolder] expected commit() once, got a second call");
  sync_folder(temporary_, path_);
  const unsigned how = replaces_ ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  bool done = ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), how) == 0;
  if (!done && errno == EINVAL) {  // a file system without these: nearly the same in two steps
    std::error_code ignored;
    if (replaces_) fs::remove_all(path_, ignored);
    done = ::rename(temporary_.c_str(), path_.c_str()) == 0;
    if (done) temporary_.clear();
  }
  check_io(done, "[", path_, "] expected to put the finished folder in place, got: ", io::error_text(errno));
  if (!replaces_) temporary_.clear();  // otherwise that name holds the old one now, which goes with this object
  sync_folder(parent_, path_);
}

}  // namespace orthant::exchange
