#include "orthant/shards/spool.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "orthant/core/error.h"
#include "orthant/io/mapped_file.h"

namespace orthant::shards {
namespace {

constexpr int64_t kBuffered = 1 << 22;  // bytes, once there is a file

io::FileDescriptor open_nameless(const std::string& folder) {
  io::FileDescriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file.get() >= 0) return file;
  std::string name = folder + "/.orthant-XXXXXX";  // where the file system has no such files
  io::FileDescriptor named(::mkostemp(name.data(), O_CLOEXEC));
  check_io(named.get() >= 0, "[", folder, "] expected a folder for temporary files, got: ", io::error_text(errno));
  ::unlink(name.c_str());
  return named;
}

}  // namespace

void Spool::append(std::span<const std::byte> bytes) {
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  if (std::ssize(buffer_) >= (file_.get() >= 0 ? kBuffered : options_.memory)) flush();
}

void Spool::flush() {
  if (options_.folder.empty()) options_.folder = std::filesystem::temp_directory_path().string();
  if (file_.get() < 0) file_ = open_nameless(options_.folder);
  std::span<const std::byte> left = buffer_;
  while (!left.empty()) {
    const ssize_t done = ::pwrite(file_.get(), left.data(), left.size(), written_);
    if (done < 0 && errno == EINTR) continue;
    check_io(done > 0, "[", options_.folder, "] expected to write ", left.size(),
             " bytes of a temporary file, got: ", done == 0 ? "nothing written" : io::error_text(errno));
    written_ += done;
    left = left.subspan(static_cast<size_t>(done));
  }
  buffer_.clear();
  if (buffer_.capacity() > 2 * static_cast<size_t>(kBuffered)) buffer_.shrink_to_fit();
}

Spool::Held Spool::take() {
  if (file_.get() < 0) {
    const auto kept = std::make_shared<const std::vector<std::byte>>(std::move(buffer_));
    return {*kept, kept};
  }
  flush();
  const auto mapped = io::MappedFile::map(file_, options_.folder + " (temporary file)");
  return {mapped->bytes(), mapped};
}

}  // namespace orthant::shards
