#include "orthant/index/segment_writer.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <mutex>
#include <numeric>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/index/checksum.h"
#include "orthant/index/order.h"
#include "orthant/index/segment.h"

namespace orthant::index {
namespace {

constexpr float kSmallest = 1e-30F;
constexpr float kLargest = 1e30F;
constexpr int64_t kGrain = 4096;
constexpr int64_t kLeastWindow = 4096;  // rows whose scores stay in the first-level cache
constexpr int64_t kLeastBlock = 64;

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span<const T>(values));
}

// The features as the index keeps them.
class Kept {
 public:
  Kept(const SegmentSource& source, const Directory& directory, int threads)
      : features_(source.features), most_level_(directory.values == Values::u16 ? 65535.0F : 255.0F) {
    const auto d = static_cast<size_t>(features_.cols());
    std::vector<float> largest(d);
    std::mutex mutex;
    parallel_for(features_.rows(), kGrain, threads, [&](int64_t begin, int64_t end) {
      std::vector<float> here(d);
      int64_t count = 0;
      for (int64_t i = begin; i < end; ++i) {
        features_.visit_row(i, [&](int64_t j, float x) {
          if (!(x >= 0 && x <= kLargest)) refuse(source.name, i, j, x);
          here[static_cast<size_t>(j)] = std::max(here[static_cast<size_t>(j)], x);
          count += x >= kSmallest ? 1 : 0;
        });
      }
      const std::lock_guard lock(mutex);
      entries_ += count;
      for (size_t j = 0; j < d; ++j) largest[j] = std::max(largest[j], here[j]);
    });
    if (directory.values != Values::f32) {
      for (const float top : largest) steps_.push_back(top >= kSmallest ? top / most_level_ : 0);
    }
    scales_.assign(static_cast<size_t>(features_.rows()), 1);
    tops_.assign(d, 0);
    parallel_for(features_.rows(), kGrain, threads, [&](int64_t begin, int64_t end) {
      std::vector<float> here(d);
      double loss = 0;
      for (int64_t i = begin; i < end; ++i) {
        double squares = 0;
        visit(i, [&](int64_t, float x) { squares += double{x} * x; });
        float& scale = scales_[static_cast<size_t>(i)];
        if (directory.metric == Metric::cosine) scale = squares > 0 ? static_cast<float>(1 / std::sqrt(squares)) : 0;
        visit(i, [&](int64_t j, float x) {
          here[static_cast<size_t>(j)] = std::max(here[static_cast<size_t>(j)], x * scale);
        });
        if (!steps_.empty()) {
          features_.visit_row(i, [&](int64_t j, float x) {
            const float step = steps_[static_cast<size_t>(j)];
            if (x >= kSmallest)
              loss = std::max(loss, std::abs(double{level(j, x)} * step - x) / (double{step} * most_level_));
          });
        }
      }
      const std::lock_guard lock(mutex);
      loss_ = std::max(loss_, loss);
      for (size_t j = 0; j < d; ++j) tops_[j] = std::max(tops_[j], here[j]);
    });
  }

  const Features& features() const { return features_; }
  int64_t entries() const { return entries_; }
  double loss() const { return loss_; }  // largest, as a share of the feature's largest value
  const std::vector<float>& steps() const { return steps_; }
  const std::vector<float>& scales() const { return scales_; }
  const std::vector<float>& tops() const { return tops_; }

  // visit(column, value) for what is kept of row i.
  template <class Visitor>
  void visit(int64_t i, Visitor&& visit) const {
    features_.visit_row(i, [&](int64_t j, float x) {
      if (x >= kSmallest) visit(j, steps_.empty() ? x : level(j, x) * steps_[static_cast<size_t>(j)]);
    });
  }

  // A value in steps of its feature.
  float level(int64_t j, float x) const {
    return std::clamp(std::round(x / steps_[static_cast<size_t>(j)]), 1.0F, most_level_);
  }

 private:
  [[noreturn]] static void refuse(const std::string& name, int64_t row, int64_t column, float x) {
    fail("[", name, "] expected features from 0 to 1e30", x < 0 ? " (an index is for non-negative ones)" : "", ", got ",
         x, " in row ", row, ", feature ", column);
  }

  Features features_;
  float most_level_;
  int64_t entries_ = 0;
  double loss_ = 0;
  std::vector<float> steps_;
  std::vector<float> scales_;
  std::vector<float> tops_;
};

struct Window {
  std::string lists;
  std::string rows;
  int64_t entries = 0;
};

template <class T>
void append(std::string& to, const std::vector<T>& values) {
  to.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

class WindowMaker {
 public:
  WindowMaker(const Kept& kept, const Directory& directory, const SegmentEntry& entry, std::span<const uint32_t> order,
              std::vector<uint8_t>& bounds)
      : kept_(kept), directory_(directory), entry_(entry), order_(order), bounds_(bounds) {}

  Window make(int64_t w) const {
    const int64_t first = w * entry_.window_rows;
    const int64_t rows = entry_.rows_in(w);
    Window window;
    std::vector<uint32_t> list_starts(static_cast<size_t>(directory_.features) + 1);
    std::vector<uint32_t> row_starts = {0};
    std::vector<uint32_t> items;
    std::vector<float> scales;
    std::vector<uint32_t> columns;
    std::vector<float> values;
    for (int64_t place = 0; place < rows; ++place) {
      const uint32_t item = order_[static_cast<size_t>(first + place)];
      items.push_back(item);
      scales.push_back(kept_.scales()[item]);
      kept_.visit(item, [&](int64_t j, float x) {
        columns.push_back(static_cast<uint32_t>(j));
        values.push_back(x);
        ++list_starts[static_cast<size_t>(j) + 1];
      });
      row_starts.push_back(static_cast<uint32_t>(columns.size()));
    }
    window.entries = static_cast<int64_t>(columns.size());
    std::partial_sum(list_starts.begin(), list_starts.end(), list_starts.begin());
    append(window.lists, list_starts);
    append_lists(window, row_starts, scales, columns, values, list_starts, first);

    append(window.rows, row_starts);
    append(window.rows, items);
    append(window.rows, scales);
    if (directory_.column_bytes() == 2) {
      append(window.rows, std::vector<uint16_t>(columns.begin(), columns.end()));
    } else {
      append(window.rows, columns);
    }
    window.rows.resize((window.rows.size() + 3) / 4 * 4);
    append_values(window, columns, values);
    return window;
  }

 private:
  void append_lists(Window& window, const std::vector<uint32_t>& row_starts, const std::vector<float>& scales,
                    const std::vector<uint32_t>& columns, const std::vector<float>& values,
                    const std::vector<uint32_t>& list_starts, int64_t first) const {
    std::vector<uint32_t> next(list_starts.begin(), list_starts.end() - 1);
    std::vector<Posting> postings(columns.size());
    const auto blocks = static_cast<size_t>(entry_.blocks());
    for (size_t place = 0; place + 1 < row_starts.size(); ++place) {
      const size_t block = (static_cast<size_t>(first) + place) / static_cast<size_t>(entry_.block_rows);
      for (uint32_t n = row_starts[place]; n < row_starts[place + 1]; ++n) {
        const size_t j = columns[n];
        const float share = std::min(values[n] * scales[place] / kept_.tops()[j], 1.0F);
        const uint32_t at = next[j]++;
        postings[at] = {static_cast<uint16_t>(place),
                        static_cast<uint16_t>(std::clamp(std::round(share * 65535.0F), 1.0F, 65535.0F))};
        uint8_t& bound = bounds_[j * blocks + block];
        bound = std::max(bound, static_cast<uint8_t>(std::clamp(std::ceil(share * 255.0F), 1.0F, 255.0F)));
      }
    }
    append_offsets(window, list_starts, postings,
                   (static_cast<int64_t>(row_starts.size()) - 2) / entry_.block_rows + 1);
    window.lists.resize((window.lists.size() + 3) / 4 * 4);
    append(window.lists, postings);
  }

  void append_offsets(Window& window, const std::vector<uint32_t>& list_starts, const std::vector<Posting>& postings,
                      int64_t blocks) const {
    std::vector<uint16_t> offsets;
    for (size_t j = 0; j + 1 < list_starts.size(); ++j) {
      uint32_t at = list_starts[j];
      for (int64_t b = 0; b < blocks; ++b) {
        while (at < list_starts[j + 1] && postings[at].place < b * entry_.block_rows) ++at;
        offsets.push_back(static_cast<uint16_t>(at - list_starts[j]));
      }
    }
    append(window.lists, offsets);
  }

  void append_values(Window& window, const std::vector<uint32_t>& columns, const std::vector<float>& values) const {
    if (directory_.values == Values::f32) return append(window.rows, values);
    const auto level = [&](size_t n) { return kept_.level(columns[n], values[n]); };
    std::vector<uint16_t> shorts(values.size());
    std::vector<uint8_t> bytes(values.size());
    for (size_t n = 0; n < values.size(); ++n) {
      shorts[n] = static_cast<uint16_t>(level(n));
      bytes[n] = static_cast<uint8_t>(shorts[n]);
    }
    directory_.values == Values::u16 ? append(window.rows, shorts) : append(window.rows, bytes);
  }

  const Kept& kept_;
  const Directory& directory_;
  const SegmentEntry& entry_;
  std::span<const uint32_t> order_;
  std::vector<uint8_t>& bounds_;  // [D, blocks]; windows have blocks of their own
};

}  // namespace

Section write_section(io::AtomicFile& file, std::span<const std::byte> bytes) {
  const int64_t padding = -file.size() & (kAlignment - 1);
  file.write(std::string(static_cast<size_t>(padding), '\0'));
  Section section{file.size(), static_cast<int64_t>(bytes.size()), checksum(bytes)};
  file.write(bytes);
  return section;
}

SegmentEntry write_segment(io::AtomicFile& file, Directory& directory, const SegmentSource& source, int threads,
                           const Progress& progress) {
  const int64_t rows = source.features.rows();
  check(rows >= 1 && rows <= kMaxItems, "[", source.name, "] expected 1 to ", kMaxItems, " items, got ", rows);
  const Kept kept(source, directory, threads);
  directory.largest_loss = std::max(directory.largest_loss, kept.loss());

  SegmentEntry entry;
  entry.items = rows;
  entry.window_rows = kLeastWindow;
  const double filled = static_cast<double>(kept.entries()) / static_cast<double>(rows);  // of a row
  const auto features = static_cast<double>(directory.features);
  while (entry.window_rows < kMaxWindowRows && filled * static_cast<double>(entry.window_rows) < 4 * features) {
    entry.window_rows *= 2;
  }
  entry.block_rows = kLeastBlock;
  while (entry.block_rows < entry.window_rows && 2 * filled * static_cast<double>(entry.block_rows) < features) {
    entry.block_rows *= 2;
  }

  std::atomic<int64_t> ordered = 0;
  std::mutex mutex;
  const auto order = similar_order(kept.features(), kept.scales(), entry.block_rows, threads, [&](int64_t more) {
    const std::lock_guard lock(mutex);
    if (progress) progress("order", ordered += more, rows);
  });

  std::vector<uint8_t> bounds(static_cast<size_t>(directory.features * entry.blocks()));
  const WindowMaker maker(kept, directory, entry, order, bounds);
  const int64_t together = 4 * int64_t{resolve_threads(threads)};
  for (int64_t from = 0; from < entry.window_count(); from += together) {
    std::vector<Window> made(static_cast<size_t>(std::min(together, entry.window_count() - from)));
    parallel_for(std::ssize(made), 1, threads,
                 [&](int64_t n, int64_t) { made[static_cast<size_t>(n)] = maker.make(from + n); });
    for (const Window& window : made) {
      WindowEntry& place = entry.windows.emplace_back();
      place.entries = window.entries;
      place.lists = write_section(file, std::as_bytes(std::span(window.lists)));
      place.rows = write_section(file, std::as_bytes(std::span(window.rows)));
    }
    if (progress) progress("write", std::min(rows, (from + together) * entry.window_rows), rows);
  }
  entry.tops = write_section(file, bytes_of(kept.tops()));
  entry.steps = write_section(file, bytes_of(kept.steps()));
  entry.bounds = write_section(file, bytes_of(bounds));
  std::vector<uint32_t> positions(order.size());
  for (size_t p = 0; p < order.size(); ++p) positions[order[p]] = static_cast<uint32_t>(p);
  entry.positions = write_section(file, bytes_of(positions));
  entry.labels = write_section(file, bytes_of(std::vector<int32_t>(source.labels.begin(), source.labels.end())));
  std::vector<int64_t> ends;
  std::string ids;
  for (const std::string& id : source.ids) {
    ids += id;
    ends.push_back(static_cast<int64_t>(ids.size()));
  }
  entry.id_ends = write_section(file, bytes_of(ends));
  entry.id_bytes = write_section(file, std::as_bytes(std::span(ids)));
  entry.gone = write_section(file, {});
  return entry;
}

}  // namespace orthant::index
