#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orthant/io/file_descriptor.h"

namespace orthant::io {

class MappedFile;

// A file that appears all at once or not at all: bytes go to a temporary file ".orthant-<random>.tmp" in the same
// folder, and commit() puts it in place of `path`, safe against a crash or power cut. A reader sees the old content or
// the new, never a mixture. Without commit() nothing remains. One thread at a time.
//
// Every call throws IoError if the system refuses (missing or read-only folder, no space left, ...), naming the path;
// the temporary file is then removed with the object. A process killed in between leaves it behind, until the next
// AtomicFile in that folder removes it: those of living writers are locked.
class AtomicFile {
 public:
  // Opens the temporary file; permissions are those of the file that it replaces, or of any new file (0666 and the
  // umask). `path` may exist, but only as a regular file: a folder or device is refused. A symbolic link is followed,
  // so that it stays a link.
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Appends. Small pieces are collected, large ones go straight to the system.
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

  // Overwrites from `offset` on, for formats that fill in a header later; appending goes on where it was before, or
  // behind the piece if that ends further back.
  void write_at(int64_t offset, std::span<const std::byte> bytes);

  int64_t size() const { return flushed_ + static_cast<int64_t>(buffer_.size()); }
  const std::string& path() const { return path_; }

  // What was written so far, to be read back before it is in place.
  std::shared_ptr<const MappedFile> mapped();

  // Flush, fsync, rename, fsync of the folder. Exactly once, last.
  void commit();

 private:
  void flush();
  void write_through(int64_t offset, std::span<const std::byte> bytes);

  std::string path_;
  std::string target_;     // file name within the folder
  std::string temporary_;  // likewise; empty when there is none
  FileDescriptor folder_;
  FileDescriptor file_;
  std::vector<std::byte> buffer_;
  int64_t flushed_ = 0;
};

// Writes a whole file atomically.
void write_file(const std::string& path, std::span<const std::byte> bytes);
void write_file(const std::string& path, std::string_view text);

}  // namespace orthant::io
