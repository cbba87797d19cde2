#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "orthant/io/file_descriptor.h"

namespace orthant::io {

// A whole file, read-only, mapped into memory: pages are read when they are touched, so a file may be larger than
// memory. Shared by everything that views its bytes and unmapped with the last of them. Safe from several threads.
//
// The file must not shrink while it is mapped: the system answers a read beyond the end with SIGBUS, and a program can
// then ask path_at() which file it was. Everything this library writes is replaced by rename, which leaves existing
// mappings intact.
class MappedFile {
 public:
  // Throws IoError if there is no such file, it may not be read, or it is not a regular file (a folder, pipe or
  // device). An empty file gives an empty span.
  static std::shared_ptr<const MappedFile> open(const std::string& path);

  // The same of a file that is open for reading already; the descriptor may be closed afterwards.
  static std::shared_ptr<const MappedFile> map(const FileDescriptor& file, const std::string& path);

  // The path of the mapped file in whose bytes `address` lies, or null if there is none, or more than a thousand files
  // are mapped. May be called in a signal handler; the text lives as long as the mapping.
  static const char* path_at(const void* address) noexcept;

  // Whether a file of so many bytes is large beside the machine's memory (over a quarter of it): what is read of it may
  // be gone again before it is needed a second time.
  static bool is_large(int64_t bytes);

  // Asks the system to fetch just these mapped bytes, in one go. Touching them does that too, but with 128 KiB around
  // them, which is a waste where rows of a large file are read in random order. Advice: nothing fails.
  static void fetch(std::span<const std::byte> bytes) noexcept;

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  const std::string& path() const { return path_; }

 private:
  MappedFile() = default;

  struct Listed;  // a place in the list that path_at() looks through

  std::string path_;
  const std::byte* data_ = nullptr;
  size_t size_ = 0;
  Listed* listed_ = nullptr;
};

}  // namespace orthant::io
