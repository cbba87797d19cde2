#include "orthant/pack/pack_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "orthant/core/error.h"
#include "orthant/io/mapped_file.h"
#include "orthant/pack/bytes.h"

namespace orthant::pack {
namespace {

constexpr int64_t kStride = 1 << 20;

}  // namespace

PackFile::PackFile(const std::string& path)
    : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  check_io(file_.get() >= 0, "[", path, "] expected a readable file, got: ", io::error_text(errno));
  const auto mapped = io::MappedFile::map(file_, path);
  index_ = std::make_unique<const Index>(mapped->bytes(), path, mapped);
  const int64_t end = index_->header().index_begin;
  // Advice: a system that does not take it reads as it likes.
  static_cast<void>(::posix_fadvise(file_.get(), 0, end, POSIX_FADV_RANDOM));
  // What lies around a picture then stays in the system's cache until it is wanted.
  if (!io::MappedFile::is_large(end))
    asked_ = std::make_unique<std::atomic<bool>[]>(static_cast<size_t>(end / kStride + 1));
}

void PackFile::ask_around(const Item& item) const {
  for (int64_t stride = item.begin / kStride; stride * kStride < item.end; ++stride) {
    std::atomic<bool>& asked = asked_[static_cast<size_t>(stride)];
    if (asked.load(std::memory_order_relaxed) || asked.exchange(true)) continue;
    static_cast<void>(::posix_fadvise(file_.get(), stride * kStride, kStride, POSIX_FADV_WILLNEED));
  }
}

std::vector<std::byte> PackFile::read(int64_t i) const {
  const Item item = index_->item(i);
  if (asked_) ask_around(item);
  std::vector<std::byte> bytes(static_cast<size_t>(item.end - item.begin));
  size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got =
        ::pread(file_.get(), bytes.data() + filled, bytes.size() - filled, item.begin + static_cast<int64_t>(filled));
    if (got < 0 && errno == EINTR) continue;
    check_io(got > 0, "[", path_, ": ", index_->id(i), "] expected ", bytes.size(), " bytes, got ",
             got == 0 ? "the end of the file after " + std::to_string(filled) : io::error_text(errno));
    filled += static_cast<size_t>(got);
  }
  check_io(checksum(bytes) == item.sum, "[", path_, ": ", index_->id(i),
           "] expected bytes with the checksum of the index, got another: the file is damaged");
  return bytes;
}

}  // namespace orthant::pack
