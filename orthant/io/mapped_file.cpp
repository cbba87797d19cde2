#include "orthant/io/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>

namespace orthant::io {

// Lock-free, because a handler reads it: a place is taken, filled and shown in this order, and hidden before it is
// given back.
struct MappedFile::Listed {
  std::atomic<bool> taken{false};
  std::atomic<const std::byte*> begin{nullptr};  // null: hidden
  std::atomic<size_t> size{0};
  std::atomic<const char*> path{nullptr};

  static std::array<Listed, 1024>& all() {
    static constinit std::array<Listed, 1024> places;
    return places;
  }
};

const char* MappedFile::path_at(const void* address) noexcept {
  const auto at = reinterpret_cast<uintptr_t>(address);
  for (const Listed& place : Listed::all()) {
    const auto begin = reinterpret_cast<uintptr_t>(place.begin.load());
    if (begin != 0 && at >= begin && at - begin < place.size.load()) return place.path.load();
  }
  return nullptr;
}

bool MappedFile::is_large(int64_t bytes) { return bytes > ::sysconf(_SC_PHYS_PAGES) / 4 * ::sysconf(_SC_PAGESIZE); }

void MappedFile::fetch(std::span<const std::byte> bytes) noexcept {
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(bytes.data()) / page * page;
  const auto end = reinterpret_cast<uintptr_t>(bytes.data()) + bytes.size();
  const int ignored = ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_WILLNEED);
  static_cast<void>(ignored);
}

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path) {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  check_io(file.get() >= 0, "[", path, "] expected a readable file, got: ", error_text(errno));
  return map(file, path);
}

std::shared_ptr<const MappedFile> MappedFile::map(const FileDescriptor& file, const std::string& path) {
  struct stat status = {};
  check_io(::fstat(file.get(), &status) == 0, "[", path, "] expected a readable file, got: ", error_text(errno));
  check_io(S_ISREG(status.st_mode), "[", path, "] expected a regular file, got ", kind_of_file(status));

  std::shared_ptr<MappedFile> mapped(new MappedFile);
  mapped->path_ = path;
  const auto size = static_cast<size_t>(status.st_size);
  if (size == 0) return mapped;
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  check_io(data != MAP_FAILED, "[", path, "] expected to map ", size, " bytes, got: ", error_text(errno));
  mapped->data_ = static_cast<const std::byte*>(data);
  mapped->size_ = size;
  for (Listed& place : Listed::all()) {
    if (place.taken.load() || place.taken.exchange(true)) continue;
    place.path = mapped->path_.c_str();
    place.size = size;
    place.begin = mapped->data_;
    mapped->listed_ = &place;
    break;
  }
  return mapped;
}

MappedFile::~MappedFile() {
  if (listed_ != nullptr) {
    listed_->begin = nullptr;
    listed_->taken = false;
  }
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

}  // namespace orthant::io
