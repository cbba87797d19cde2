#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "orthant/data/dataset.h"
#include "orthant/views/sound_options.h"

namespace orthant {

// Decoded pictures of a data set for views of one size, kept up to a number of bytes: what came first stays. Only the
// time it takes depends on what is kept. Safe from several threads.
class ImageCache {
 public:
  // `side`: of the views; see view_source().
  ImageCache(DatasetPtr dataset, int64_t side, int64_t max_bytes, const SoundOptions& sound = {});
  ~ImageCache();
  ImageCache(const ImageCache&) = delete;
  ImageCache& operator=(const ImageCache&) = delete;

  // The picture of item i: the kept one, which lives as long as the cache, or one that was decoded into `room`.
  // Throws what the data set throws.
  const Image& get(int64_t i, Image& room);

  int64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  DatasetPtr dataset_;
  int64_t side_;
  int64_t max_bytes_;
  SoundOptions sound_;
  std::atomic<int64_t> bytes_{0};
  std::unique_ptr<std::atomic<const Image*>[]> images_;  // null: not kept
};

}  // namespace orthant
