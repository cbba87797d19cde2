#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace orthant::index {

// The score of a row x for a query w.
enum class Metric : uint32_t {
  cosine = 0,  // w x / (|w| |x|); 0 with a row of zeros
  dot = 1,     // w x
};

// How a feature's value is kept in a row.
enum class Values : uint32_t {
  f32 = 0,  // as it is
  u16 = 1,  // in steps of the feature's largest value / 65,535; what is not zero is at least one step
  u8 = 2,   // likewise / 255
};
int64_t value_bytes(Values values);

constexpr int64_t kHeaderBytes = 64;
constexpr int64_t kAlignment = 64;        // of sections and windows
constexpr int64_t kMaxItems = INT32_MAX;  // of a segment
constexpr int64_t kMaxFeatures = 1 << 24;
constexpr int64_t kMaxWindowRows = 65'536;  // a row's place in its window is 16 bits

// A piece of the file.
struct Section {
  int64_t begin = 0;
  int64_t bytes = 0;
  uint64_t sum = 0;
};

// A run of rows: inverted lists, and the rows themselves.
struct WindowEntry {
  int64_t entries = 0;  // filled places
  Section lists;
  Section rows;
};

// Items that were indexed together. Rows lie in an order of their own, in which similar ones are neighbours: position p
// of it is place p % window_rows of window p / window_rows, and in block p / block_rows.
struct SegmentEntry {
  int64_t items = 0;
  int64_t removed = 0;  // of them
  int64_t window_rows = 0;
  int64_t block_rows = 0;
  Section tops;       // f32 [D] largest value of each feature, rows scaled as the metric asks
  Section steps;      // f32 [D] step of each feature's values; none for f32
  Section bounds;     // u8 [D, blocks] largest value in each block, in steps of tops / 255, rounded up
  Section positions;  // u32 [items]
  Section labels;     // i32 [items], -1: none; may be empty
  Section id_ends;    // i64 [items] where each id ends in id_bytes
  Section id_bytes;
  Section gone;  // u64 [ceil(items / 64)] a bit for each position that was removed; empty: none
  std::vector<WindowEntry> windows;

  int64_t blocks() const { return (items + block_rows - 1) / block_rows; }
  int64_t window_count() const { return (items + window_rows - 1) / window_rows; }
  int64_t rows_in(int64_t window) const;
  int64_t blocks_in(int64_t window) const { return (rows_in(window) + block_rows - 1) / block_rows; }
};

// How many blocks, of all there are, must be read to find the given share of the true neighbours; measured when the
// index was written. See recall.h.
struct RecallCurve {
  int64_t queries = 0;    // rows of the index that were asked for
  int64_t k = 0;          // neighbours of each
  double exact_work = 0;  // entries, or what takes as long, that the exact search of one went through
  double block_work = 0;  // the same of reading one block
  struct Point {
    int64_t blocks = 0;
    double recall = 0;  // mean over the queries
    double error = 0;   // standard error of that mean
  };
  std::vector<Point> points;  // by rising number of blocks
};

// What an index says of itself; the end of its file.
struct Directory {
  Metric metric = Metric::cosine;
  Values values = Values::f32;
  int64_t features = 0;
  int64_t next_number = 0;  // the id of the next item that has none
  std::vector<std::string> class_names;
  std::vector<std::string> feature_names;
  std::map<std::string, std::string> how;
  double largest_loss = 0;  // of a value by its form, as a share of the feature's largest
  RecallCurve curve;
  std::vector<SegmentEntry> segments;

  int64_t column_bytes() const { return features <= 65'536 ? 2 : 4; }
  // starts, offsets (to whole 4 bytes), postings
  int64_t lists_bytes(int64_t blocks, int64_t entries) const {
    return 4 * (features + 1) + (2 * features * blocks + 3) / 4 * 4 + 4 * entries;
  }
  // starts, items, scales, columns (to whole 4 bytes), values
  int64_t rows_bytes(int64_t rows, int64_t entries) const;
};

std::string directory_text(const Directory& directory);
std::string header_text(int64_t file_bytes, const Section& directory);

// True if `bytes` begin as an index does.
bool looks_like_index(std::span<const std::byte> bytes);

// Reads header and directory of a whole file, and nothing else; every section lies within it, with the length that the
// counts say. IoError that names `name` for anything else.
Directory parse_directory(std::span<const std::byte> file, const std::string& name);

}  // namespace orthant::index
