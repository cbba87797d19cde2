#include "orthant/report/sound_blobs.h"

#include <fmt/format.h>

#include <algorithm>

#include "orthant/catalogue/text.h"
#include "orthant/core/threads.h"
#include "orthant/sound/encode.h"
#include "orthant/sound/resample.h"

namespace orthant::report {
namespace {

constexpr int64_t kRate = 16'000;
constexpr size_t kMostOfFeature = 12;
constexpr int64_t kAtOnce = 256;

// All items, those first that features show.
std::vector<int64_t> by_use(std::span<const catalogue::Catalogue* const> runs) {
  std::vector<int64_t> order;
  std::vector<bool> taken(static_cast<size_t>(runs.front()->items().size()));
  const auto take = [&](int64_t item) {
    if (taken[static_cast<size_t>(item)]) return;
    taken[static_cast<size_t>(item)] = true;
    order.push_back(item);
  };
  for (const catalogue::Catalogue* run : runs) {
    for (int64_t f = 0; f < run->features(); ++f) {
      const catalogue::FeatureProfile profile = run->feature(f);
      for (const auto* list : {&profile.top, &profile.negative_top}) {
        for (size_t k = 0; k < std::min(kMostOfFeature, list->size()); ++k) take((*list)[k].item);
      }
    }
  }
  for (int64_t i = 0; i < std::ssize(taken); ++i) take(i);
  return order;
}

}  // namespace

std::vector<std::byte> item_mp3(const catalogue::Items& items, int64_t i, double seconds) {
  Sound sound = items.pictures->sound(items.rows[static_cast<size_t>(i)]);
  const auto most = static_cast<int64_t>(seconds * static_cast<double>(sound.rate));
  if (seconds > 0 && std::ssize(sound.samples) > most) sound.samples.resize(static_cast<size_t>(most));
  const int64_t rate = std::min(kRate, sound.rate);
  return sound::encode_mp3(sound::resampled(std::move(sound), rate));
}

std::vector<Blob> sound_blobs(std::span<const catalogue::Catalogue* const> runs, int64_t max_bytes, int threads) {
  const catalogue::Items& items = runs.front()->items();
  const std::vector<int64_t> order = by_use(runs);
  std::vector<Blob> blobs;
  int64_t bytes = 0;
  for (int64_t first = 0; first < std::ssize(order); first += kAtOnce) {
    std::vector<Blob> some(static_cast<size_t>(std::min(kAtOnce, std::ssize(order) - first)));
    parallel_for(std::ssize(some), 4, threads, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k) {
        const int64_t item = order[static_cast<size_t>(first + k)];
        some[static_cast<size_t>(k)] = {fmt::format("sound.{}", item),
                                        catalogue::base64(item_mp3(items, item, kSecondsInReport)), false};
      }
    });
    for (Blob& blob : some) {
      bytes += std::ssize(blob.text) + std::ssize(blob.name) + 6;
      if (bytes > max_bytes) return blobs;
      blobs.push_back(std::move(blob));
    }
  }
  return blobs;
}

}  // namespace orthant::report
