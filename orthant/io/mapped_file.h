#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace orthant::io {

// A whole file, read-only, mapped into memory: pages are read when they are touched, so a file may be larger than
// memory. Shared by everything that views its bytes and unmapped with the last of them. Safe from several threads.
//
// The file must not shrink while it is mapped (the system answers a read beyond the end with SIGBUS). Everything this
// library writes is replaced by rename, which leaves existing mappings intact.
class MappedFile {
 public:
  // Throws IoError if there is no such file, it may not be read, or it is not a regular file (a folder, pipe or
  // device). An empty file gives an empty span.
  static std::shared_ptr<const MappedFile> open(const std::string& path);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  const std::string& path() const { return path_; }

 private:
  MappedFile() = default;

  std::string path_;
  const std::byte* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace orthant::io
