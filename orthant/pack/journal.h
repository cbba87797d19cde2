#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace orthant::pack {

// What became of one file that was to be packed.
struct Entry {
  // Of the file when it was read: whether it is still the same can be asked without reading it again.
  int64_t size = 0;
  int64_t seconds = 0;  // time of change
  int64_t nanoseconds = 0;

  int64_t bytes = 0;   // that it takes in the pack
  uint32_t sum = 0;    // of these
  std::string reason;  // why it was left out; empty: it was not

  bool operator==(const Entry&) const = default;
};

// The journal of a pack in the making: the front says what is packed, by a number, and an entry for each file follows
// with a checksum of its own, so that what a killed writer left can be told from what it had finished.
std::string journal_front(uint64_t what);
std::string journal_text(const Entry& entry);

struct Journal {
  bool fits = false;  // it is one, of what is asked for
  std::vector<Entry> entries;
  std::vector<int64_t> ends;  // where each entry ends in the journal
};

// Reads as far as all is well, and never fails: any bytes are a journal of zero entries or more.
Journal parse_journal(std::span<const std::byte> bytes, uint64_t what);

}  // namespace orthant::pack
