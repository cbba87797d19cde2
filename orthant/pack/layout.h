#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace orthant::pack {

// How the bytes of a pack follow one another (docs/formats.md has it to the byte): header, pictures, index, block
// table. The index is summed in blocks, so that opening a pack reads the header, the table and one or two blocks,
// however many pictures there are.
constexpr int64_t kHeaderBytes = 68;
constexpr int64_t kRecordBytes = 24;  // of a picture, in the index
constexpr int64_t kBlockBytes = 65'536;
constexpr int64_t kMaxItems = UINT32_MAX;

struct Header {
  int64_t index_begin = kHeaderBytes;  // where the pictures end
  int64_t items = 0;
  int64_t train = 0;  // items of the split
  int64_t test = 0;
  int64_t id_bytes = 0;  // of all ids together
  int64_t info_bytes = 0;
  uint32_t factors = 0;
  uint32_t table_sum = 0;  // of the block table
};

// Where the parts of the index begin, from the front of the file.
struct Layout {
  int64_t records = 0;  // [items] of kRecordBytes: u64 end of the bytes, u64 end of the id, u32 checksum, i32 label
  int64_t factors = 0;  // i32 [items, factors]
  int64_t train = 0;    // u32 [train]
  int64_t test = 0;     // u32 [test]
  int64_t ids = 0;
  int64_t info = 0;
  int64_t table = 0;  // u32 [blocks]
  int64_t blocks = 0;
  int64_t file_bytes = 0;
};

// std::invalid_argument if the sizes do not add up to less than 2^63.
Layout layout_of(const Header& header);

// True if `bytes` begin as a pack does.
bool looks_like_pack(std::span<const std::byte> bytes);

std::string header_text(const Header& header);

// The header at the front of a file of `file_bytes`. IoError naming `name` for anything that is no pack, is damaged, or
// is not exactly as long as it says.
Header parse_header(std::span<const std::byte> bytes, int64_t file_bytes, const std::string& name);

}  // namespace orthant::pack
