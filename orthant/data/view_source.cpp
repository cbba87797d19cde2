#include "orthant/data/view_source.h"

#include <algorithm>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/sound/spectrogram.h"

namespace orthant {

Image view_source(const Dataset& dataset, int64_t i, int64_t side, const SoundOptions& sound) {
  if (!dataset.info().sound) return dataset.image_for(i, side);
  return sound::spectrogram(dataset.sound(i), sound, side);
}

SoundLengths sound_lengths(const Dataset& dataset, int64_t max_items, int threads) {
  check(dataset.info().sound, "[", dataset.info().name, "] expected sounds, got others");
  const int64_t count = std::min(max_items, dataset.size());
  std::vector<double> seconds(static_cast<size_t>(count));
  parallel_for(count, 8, threads, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      try {
        seconds[static_cast<size_t>(k)] = dataset.sound(k * dataset.size() / count).seconds();
      } catch (const IoError&) {
        continue;  // 0
      }
    }
  });
  std::erase(seconds, 0.0);
  std::ranges::sort(seconds);
  SoundLengths lengths;
  lengths.looked_at = std::ssize(seconds);
  if (seconds.empty()) return lengths;
  lengths.shortest = seconds.front();
  lengths.median = seconds[(seconds.size() - 1) / 2];
  lengths.most = seconds[(seconds.size() - 1) * 9 / 10];
  lengths.longest = seconds.back();
  return lengths;
}

}  // namespace orthant
