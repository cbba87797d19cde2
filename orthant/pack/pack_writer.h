#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orthant/io/file_descriptor.h"
#include "orthant/pack/info.h"
#include "orthant/pack/journal.h"
#include "orthant/pack/layout.h"

namespace orthant::pack {

// What the index says of a picture besides where it is.
struct PackedItem {
  std::string id;
  int64_t label = -1;
  std::vector<int32_t> factors = {};  // a class of each of Info::factors
};

struct Contents {
  Info info;
  std::vector<PackedItem> items;  // of the entries without a reason, in their order
  std::vector<uint32_t> train;    // items of the splits, rising
  std::vector<uint32_t> test;
};

// Writes a pack that appears all at once or not at all, and can be interrupted: the bytes go to PATH.partial and what
// they are to PATH.journal, which stay where the work ends early, however it does; the next writer of the same path and
// the same `what` finds them and goes on. The same files give the same bytes, interrupted or not. One thread at a time.
//
// Every call throws IoError, naming the path, if the system refuses; so does the constructor if another program is
// writing the same pack, or PATH is there and no regular file.
class PackWriter {
 public:
  // `what` is a number for what is to be packed: a journal of anything else is thrown away.
  PackWriter(const std::string& path, uint64_t what);

  // What was done before, as the journal has it. To be followed by keep().
  const std::vector<Entry>& entries() const { return entries_; }

  // Goes on behind the first `count` entries, or fewer: those whose bytes are there with the checksums of the journal.
  void keep(int64_t count);

  // One more file; `bytes` are empty for one that is left out. Nothing is on the disk before flush().
  void append(Entry entry, std::span<const std::byte> bytes);
  void flush();

  // Writes the index, and puts the pack in place. Exactly once, last. std::invalid_argument unless there are as many
  // items as entries without a reason, at least one, each with a class of every factor.
  void finish(const Contents& contents);

 private:
  void write(const io::FileDescriptor& file, int64_t offset, std::string_view bytes) const;
  void cut(const io::FileDescriptor& file, int64_t length) const;
  bool is_written(const Entry& entry, int64_t offset) const;
  Header write_index(const Contents& contents);
  void put_in_place();

  std::string path_;
  std::string partial_path_;
  std::string journal_path_;
  io::FileDescriptor data_;
  io::FileDescriptor journal_;
  std::vector<Entry> entries_;
  std::vector<int64_t> ends_;  // of the entries in the journal
  int64_t data_end_ = kHeaderBytes;
  int64_t journal_end_ = 0;
  std::string data_buffer_;
  std::string journal_buffer_;
};

}  // namespace orthant::pack
