#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orthant/io/file_descriptor.h"

namespace orthant::shards {

struct SpoolOptions {
  std::string folder = {};              // of files larger than `memory`; empty: the system's for temporary files
  int64_t memory = int64_t{256} << 20;  // bytes that a spool keeps before it goes to the disk
};

// Bytes that are written once, one behind the other, and then read in any order: in memory as long as they are few,
// otherwise in a file without a name, which goes with the process. IoError naming the folder if the system refuses.
class Spool {
 public:
  explicit Spool(SpoolOptions options = {}) : options_(std::move(options)) {}

  void append(std::span<const std::byte> bytes);
  int64_t size() const { return written_ + std::ssize(buffer_); }

  // Aligned for any number, valid as long as `owner`, which is never null.
  struct Held {
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
  };
  // Everything that was appended. Once, last.
  Held take();

 private:
  void flush();

  SpoolOptions options_;
  std::vector<std::byte> buffer_;
  io::FileDescriptor file_;
  int64_t written_ = 0;
};

}  // namespace orthant::shards
