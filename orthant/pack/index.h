#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "orthant/pack/info.h"
#include "orthant/pack/layout.h"

namespace orthant::pack {

// Where a picture of a pack lies in the file, and what it is.
struct Item {
  int64_t begin = 0;
  int64_t end = 0;
  uint32_t sum = 0;    // of its bytes
  int64_t label = -1;  // -1: none
};

// The index of a pack, where it lies in the bytes of the file. Opening looks at the header, the block table and what is
// said of all pictures together; every other block is summed when it is first touched. Whatever does not fit together
// is IoError naming the file, then as later. Numbers of items are the caller's to keep within [0, size()). Safe from
// several threads.
class Index {
 public:
  // `bytes` is the whole file; `owner` keeps it alive.
  Index(std::span<const std::byte> bytes, std::string name, std::shared_ptr<const void> owner);

  int64_t size() const { return header_.items; }
  const Header& header() const { return header_; }
  const Info& info() const { return info_; }

  Item item(int64_t i) const;
  std::string id(int64_t i) const;
  int32_t factor(int64_t i, int64_t k) const;
  // The item that is the k-th of the split; k below header().train or test.
  int64_t train(int64_t k) const { return member(layout_.train, k); }
  int64_t test(int64_t k) const { return member(layout_.test, k); }

 private:
  // The bytes of the index from `begin` of the file on, with right checksums.
  std::span<const std::byte> sound(int64_t begin, int64_t length) const;
  void check_block(int64_t block) const;
  int64_t member(int64_t list, int64_t k) const;
  // Where the picture before the i-th ends, and its id.
  std::pair<int64_t, int64_t> ends_before(int64_t i) const;

  std::span<const std::byte> bytes_;
  std::string name_;
  std::shared_ptr<const void> owner_;
  Header header_;
  Layout layout_;
  std::unique_ptr<std::atomic<bool>[]> sound_;  // [blocks]: was summed
  Info info_;
};

}  // namespace orthant::pack
