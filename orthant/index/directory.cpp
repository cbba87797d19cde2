#include "orthant/index/directory.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "orthant/core/checked.h"
#include "orthant/core/error.h"
#include "orthant/index/checksum.h"

namespace orthant::index {
namespace {

static_assert(std::endian::native == std::endian::little, "indexes are little-endian and read as they are");

constexpr std::string_view kMagic = "orthix1\n";

template <class Number>
void put(std::string& to, Number number) {
  static_assert(std::is_arithmetic_v<Number>);
  to.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void put(std::string& to, const std::string& text) {
  put(to, static_cast<uint32_t>(text.size()));
  to += text;
}

void put(std::string& to, const Section& section) {
  put(to, section.begin);
  put(to, section.bytes);
  put(to, section.sum);
}

// Takes what was put; every failure is IoError.
class Taker {
 public:
  Taker(std::span<const std::byte> bytes, std::string name) : rest_(bytes), name_(std::move(name)) {}

  template <class Number>
  Number take() {
    need(sizeof(Number));
    Number number;
    std::memcpy(&number, rest_.data(), sizeof(number));
    rest_ = rest_.subspan(sizeof(number));
    return number;
  }
  std::string text() {
    const auto size = take<uint32_t>();
    need(size);
    std::string text(reinterpret_cast<const char*>(rest_.data()), size);
    rest_ = rest_.subspan(size);
    return text;
  }
  Section section() {
    Section section;
    section.begin = take<int64_t>();
    section.bytes = take<int64_t>();
    section.sum = take<uint64_t>();
    return section;
  }
  // A number of things, each of at least `least` bytes.
  size_t count(size_t least) {
    const auto many = take<uint32_t>();
    check_io(many <= rest_.size() / least, "[", name_, "] expected at most ", rest_.size() / least,
             " entries in the directory, got ", many);
    return many;
  }
  std::vector<std::string> texts() {
    std::vector<std::string> all(count(4));
    for (std::string& each : all) each = text();
    return all;
  }
  bool empty() const { return rest_.empty(); }

 private:
  void need(size_t bytes) const {
    check_io(bytes <= rest_.size(), "[", name_, "] expected ", bytes, " more bytes in the directory, got ",
             rest_.size());
  }
  std::span<const std::byte> rest_;
  std::string name_;
};

class Checker {
 public:
  Checker(const Directory& directory, int64_t file_bytes, const std::string& name)
      : directory_(directory), file_bytes_(file_bytes), name_(name) {}

  void all() const {
    check_io(static_cast<uint32_t>(directory_.metric) <= 1 && static_cast<uint32_t>(directory_.values) <= 2, "[", name_,
             "] expected a metric and a form of values that are known, got ", static_cast<uint32_t>(directory_.metric),
             " and ", static_cast<uint32_t>(directory_.values));
    range("features", directory_.features, 1, kMaxFeatures);
    range("the next number", directory_.next_number, 0, INT64_MAX);
    const auto names = static_cast<int64_t>(directory_.feature_names.size());
    check_io(names == 0 || names == directory_.features, "[", name_, "] expected ", directory_.features,
             " names of features or none, got ", names);
    const RecallCurve& curve = directory_.curve;
    range("queries", curve.queries, 0, INT32_MAX);
    range("neighbours", curve.k, 0, INT32_MAX);
    for (const auto& point : curve.points) {
      range("blocks", point.blocks, 0, INT64_MAX);
      check_io(point.recall >= 0 && point.recall <= 1 && point.error >= 0 && point.error <= 1, "[", name_,
               "] expected recalls from 0 to 1, got ", point.recall, " +- ", point.error);
    }
    for (const SegmentEntry& segment : directory_.segments) check_segment(segment);
  }

 private:
  void range(const char* what, int64_t value, int64_t min, int64_t max) const {
    check_io(value >= min && value <= max, "[", name_, "] expected ", what, " from ", min, " to ", max, ", got ",
             value);
  }

  void place(const char* what, const Section& section, int64_t bytes) const {
    check_io(section.begin >= kHeaderBytes && section.begin % kAlignment == 0 && section.bytes == bytes && bytes >= 0 &&
                 section.begin <= file_bytes_ && bytes <= file_bytes_ - section.begin,
             "[", name_, "] expected ", what, " of ", bytes, " bytes within the file, got ", section.bytes, " at ",
             section.begin);
  }

  void check_segment(const SegmentEntry& segment) const {
    const int64_t n = segment.items;
    range("items", n, 1, kMaxItems);
    range("removed items", segment.removed, 0, n);
    range("rows of a window", segment.window_rows, 64, kMaxWindowRows);
    range("rows of a block", segment.block_rows, 64, segment.window_rows);
    check_io(segment.block_rows % 64 == 0 && segment.window_rows % segment.block_rows == 0, "[", name_,
             "] expected windows of whole blocks of whole 64 rows, got ", segment.window_rows, " and ",
             segment.block_rows);
    const int64_t features = directory_.features;
    place("largest values", segment.tops, 4 * features);
    place("steps", segment.steps, directory_.values == Values::f32 ? 0 : 4 * features);
    place("bounds", segment.bounds, features * segment.blocks());
    place("positions", segment.positions, 4 * n);
    place("labels", segment.labels, segment.labels.bytes == 0 ? 0 : 4 * n);
    place("ends of ids", segment.id_ends, 8 * n);
    place("ids", segment.id_bytes, segment.id_bytes.bytes);
    place("removed positions", segment.gone, segment.removed == 0 ? 0 : 8 * ((n + 63) / 64));
    check_io(static_cast<int64_t>(segment.windows.size()) == segment.window_count(), "[", name_, "] expected ",
             segment.window_count(), " windows, got ", segment.windows.size());
    for (int64_t w = 0; w < segment.window_count(); ++w) {
      const WindowEntry& window = segment.windows[static_cast<size_t>(w)];
      const int64_t rows = segment.rows_in(w);
      range("entries", window.entries, 0, std::min<int64_t>(rows * features, UINT32_MAX));
      place("lists", window.lists, directory_.lists_bytes(segment.blocks_in(w), window.entries));
      place("rows", window.rows, directory_.rows_bytes(rows, window.entries));
    }
  }

  const Directory& directory_;
  int64_t file_bytes_;
  const std::string& name_;
};

}  // namespace

int64_t value_bytes(Values values) { return values == Values::f32 ? 4 : values == Values::u16 ? 2 : 1; }

int64_t SegmentEntry::rows_in(int64_t window) const { return std::min(window_rows, items - window * window_rows); }

int64_t Directory::rows_bytes(int64_t rows, int64_t entries) const {
  const int64_t columns = (column_bytes() * entries + 3) / 4 * 4;
  return 4 * (rows + 1) + 8 * rows + columns + value_bytes(values) * entries;
}

std::string directory_text(const Directory& directory) {
  std::string text;
  put(text, static_cast<uint32_t>(directory.metric));
  put(text, static_cast<uint32_t>(directory.values));
  put(text, directory.features);
  put(text, directory.next_number);
  for (const auto* names : {&directory.class_names, &directory.feature_names}) {
    put(text, static_cast<uint32_t>(names->size()));
    for (const std::string& name : *names) put(text, name);
  }
  put(text, static_cast<uint32_t>(directory.how.size()));
  for (const auto& [key, value] : directory.how) {
    put(text, key);
    put(text, value);
  }
  put(text, directory.largest_loss);
  put(text, directory.curve.queries);
  put(text, directory.curve.k);
  put(text, directory.curve.exact_work);
  put(text, directory.curve.block_work);
  put(text, static_cast<uint32_t>(directory.curve.points.size()));
  for (const auto& point : directory.curve.points) {
    put(text, point.blocks);
    put(text, point.recall);
    put(text, point.error);
  }
  put(text, static_cast<uint32_t>(directory.segments.size()));
  for (const SegmentEntry& segment : directory.segments) {
    for (const int64_t number : {segment.items, segment.removed, segment.window_rows, segment.block_rows}) {
      put(text, number);
    }
    for (const Section* section : {&segment.tops, &segment.steps, &segment.bounds, &segment.positions, &segment.labels,
                                   &segment.id_ends, &segment.id_bytes, &segment.gone}) {
      put(text, *section);
    }
    put(text, static_cast<uint32_t>(segment.windows.size()));
    for (const WindowEntry& window : segment.windows) {
      put(text, window.entries);
      put(text, window.lists);
      put(text, window.rows);
    }
  }
  return text;
}

std::string header_text(int64_t file_bytes, const Section& directory) {
  std::string text(kMagic);
  put(text, file_bytes);
  put(text, directory);
  text.resize(kHeaderBytes - 8, '\0');
  put(text, checksum(std::as_bytes(std::span(text))));
  return text;
}

bool looks_like_index(std::span<const std::byte> bytes) {
  return bytes.size() >= kMagic.size() && std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

Directory parse_directory(std::span<const std::byte> file, const std::string& name) {
  check_io(looks_like_index(file), "[", name, "] expected an index that orthant index wrote, got another kind of file");
  check_io(std::ssize(file) >= kHeaderBytes, "[", name, "] expected a header of ", kHeaderBytes,
           " bytes, got a file of ", file.size());
  Taker header(file.first(kHeaderBytes).subspan(kMagic.size()), name);
  const auto file_bytes = header.take<int64_t>();
  const Section place = header.section();
  uint64_t sum = 0;
  std::memcpy(&sum, file.data() + kHeaderBytes - 8, sizeof(sum));
  check_io(sum == checksum(file.first(kHeaderBytes - 8)), "[", name, "] expected an intact header, got a damaged one");
  check_io(file_bytes == std::ssize(file), "[", name, "] expected a file of ", file_bytes, " bytes, got ", file.size());
  check_io(place.begin >= kHeaderBytes && place.bytes >= 0 && place.begin <= file_bytes &&
               place.bytes == file_bytes - place.begin,
           "[", name, "] expected the directory at the end of the file, got ", place.bytes, " bytes at ", place.begin);
  const auto bytes = file.subspan(static_cast<size_t>(place.begin));
  check_io(place.sum == checksum(bytes), "[", name, "] expected an intact directory, got a damaged one");

  Taker from(bytes, name);
  Directory directory;
  directory.metric = static_cast<Metric>(from.take<uint32_t>());
  directory.values = static_cast<Values>(from.take<uint32_t>());
  directory.features = from.take<int64_t>();
  directory.next_number = from.take<int64_t>();
  directory.class_names = from.texts();
  directory.feature_names = from.texts();
  for (size_t many = from.count(8); many > 0; --many) {
    std::string key = from.text();
    directory.how[std::move(key)] = from.text();
  }
  directory.largest_loss = from.take<double>();
  directory.curve.queries = from.take<int64_t>();
  directory.curve.k = from.take<int64_t>();
  directory.curve.exact_work = from.take<double>();
  directory.curve.block_work = from.take<double>();
  directory.curve.points.resize(from.count(24));
  for (auto& point : directory.curve.points) {
    point.blocks = from.take<int64_t>();
    point.recall = from.take<double>();
    point.error = from.take<double>();
  }
  directory.segments.resize(from.count(32 + 8 * 24 + 4));
  for (SegmentEntry& segment : directory.segments) {
    for (int64_t* number : {&segment.items, &segment.removed, &segment.window_rows, &segment.block_rows}) {
      *number = from.take<int64_t>();
    }
    for (Section* section : {&segment.tops, &segment.steps, &segment.bounds, &segment.positions, &segment.labels,
                             &segment.id_ends, &segment.id_bytes, &segment.gone}) {
      *section = from.section();
    }
    segment.windows.resize(from.count(8 + 2 * 24));
    for (WindowEntry& window : segment.windows) {
      window.entries = from.take<int64_t>();
      window.lists = from.section();
      window.rows = from.section();
    }
  }
  check_io(from.empty(), "[", name, "] expected nothing behind the last segment of the directory, got more");
  Checker(directory, place.begin, name).all();
  return directory;
}

}  // namespace orthant::index
