#include "orthant/data/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/data/view_source.h"

namespace orthant {
namespace {

// ITU-R 601 as Pillow's convert("L") rounds it.
uint32_t grey_level(const uint8_t* pixel, size_t channels) {
  if (channels == 1) return pixel[0];
  return (19'595U * pixel[0] + 38'470U * pixel[1] + 7'471U * pixel[2] + 0x8000U) >> 16;
}

// What is summed over the pictures. 2^64 holds the squares of 2.8e14 values.
struct Sums {
  int64_t pictures = 0;
  bool colour = false;
  uint64_t pixels = 0;
  std::array<uint64_t, 4> values{};  // red, green, blue and grey
  std::array<uint64_t, 4> squares{};
  int64_t min_height = INT64_MAX, max_height = 0;
  int64_t min_width = INT64_MAX, max_width = 0;
  std::map<int64_t, std::string> unreadable;

  void add(const Image& image) {
    ++pictures;
    colour = colour || image.channels == 3;
    pixels += static_cast<uint64_t>(image.height * image.width);
    const auto channels = static_cast<size_t>(image.channels);
    const size_t count = image.pixels.size() / channels;
    constexpr size_t kPiece = 16'384;  // whose squares still fit 32 bits, which are summed several at once
    for (size_t begin = 0; begin < count; begin += kPiece) {
      const size_t end = std::min(count, begin + kPiece);
      for (size_t c = 0; c < 3; ++c) {
        add(c, begin, end, [&](size_t p) { return uint32_t{image.pixels[p * channels + std::min(c, channels - 1)]}; });
      }
      add(3, begin, end, [&](size_t p) { return grey_level(image.pixels.data() + p * channels, channels); });
    }
    min_height = std::min(min_height, image.height);
    max_height = std::max(max_height, image.height);
    min_width = std::min(min_width, image.width);
    max_width = std::max(max_width, image.width);
  }

  void add(const Sums& other) {
    pictures += other.pictures;
    colour = colour || other.colour;
    pixels += other.pixels;
    for (size_t c = 0; c < values.size(); ++c) {
      values[c] += other.values[c];
      squares[c] += other.squares[c];
    }
    min_height = std::min(min_height, other.min_height);
    max_height = std::max(max_height, other.max_height);
    min_width = std::min(min_width, other.min_width);
    max_width = std::max(max_width, other.max_width);
    unreadable.insert(other.unreadable.begin(), other.unreadable.end());
  }

  double mean(size_t c) const { return static_cast<double>(values[c]) / static_cast<double>(pixels); }
  double deviation(size_t c) const {
    const double square = static_cast<double>(squares[c]) / static_cast<double>(pixels);
    return std::sqrt(std::max(square - mean(c) * mean(c), 0.0));
  }

 private:
  template <class Level>
  void add(size_t c, size_t begin, size_t end, const Level& level) {
    uint32_t sum = 0;
    uint32_t square = 0;
    for (size_t p = begin; p < end; ++p) {
      const uint32_t value = level(p);
      sum += value;
      square += value * value;
    }
    values[c] += sum;
    squares[c] += square;
  }
};

Sums look_at_pictures(const Dataset& dataset, int64_t count, const StatisticsOptions& options) {
  Sums total;
  std::mutex mutex;
  const int64_t size = dataset.size();
  parallel_for(count, 64, options.threads, [&](int64_t begin, int64_t end) {
    Sums piece;
    for (int64_t k = begin; k < end; ++k) {
      const int64_t i = k * (size / count) + k * (size % count) / count;
      try {
        piece.add(options.view_side > 0 ? view_source(dataset, i, options.view_side, options.sound) : dataset.image(i));
      } catch (const IoError& error) {
        piece.unreadable.emplace(i, error.what());
      }
    }
    const std::lock_guard lock(mutex);
    total.add(piece);
  });
  return total;
}

void count_classes(const Dataset& dataset, DatasetStatistics& statistics) {
  statistics.per_class.resize(dataset.info().class_names.size());
  for (int64_t i = 0; i < dataset.size(); ++i) {
    const int64_t label = dataset.label(i);
    ++(label < 0 ? statistics.unlabelled : statistics.per_class[static_cast<size_t>(label)]);
  }
}

}  // namespace

DatasetStatistics dataset_statistics(const Dataset& dataset, const StatisticsOptions& options) {
  check(options.max_items >= 0, "[statistics] expected max_items of 0 or more, got ", options.max_items);
  DatasetStatistics statistics;
  statistics.items = dataset.size();
  count_classes(dataset, statistics);
  const bool heard = dataset.info().sound && options.sound.seconds == 0;  // nobody said how it is seen
  if (dataset.info().dims > 0 || dataset.info().text || heard) return statistics;

  const int64_t count = options.max_items > 0 ? std::min(options.max_items, dataset.size()) : dataset.size();
  const Sums sums = look_at_pictures(dataset, count, options);
  for (const auto& [i, reason] : sums.unreadable) statistics.unreadable.push_back(dataset.id(i) + ": " + reason);
  statistics.looked_at = sums.pictures;
  if (sums.pixels == 0) return statistics;
  statistics.min_height = sums.min_height;
  statistics.max_height = sums.max_height;
  statistics.min_width = sums.min_width;
  statistics.max_width = sums.max_width;
  for (size_t c = 0; c < (sums.colour ? 3 : 1); ++c) {
    statistics.mean.push_back(sums.mean(c) / 255);
    statistics.deviation.push_back(sums.deviation(c) / 255);
  }
  statistics.grey_mean = sums.mean(3) / 255;
  statistics.grey_deviation = sums.deviation(3) / 255;
  return statistics;
}

}  // namespace orthant
