#include "orthant/data/image_cache.h"

#include <utility>

#include "orthant/data/view_source.h"

namespace orthant {

ImageCache::ImageCache(DatasetPtr dataset, int64_t side, int64_t max_bytes, const SoundOptions& sound)
    : dataset_(std::move(dataset)),
      side_(side),
      max_bytes_(max_bytes),
      sound_(sound),
      images_(std::make_unique<std::atomic<const Image*>[]>(static_cast<size_t>(dataset_->size()))) {}

ImageCache::~ImageCache() {
  for (int64_t i = 0; i < dataset_->size(); ++i) delete images_[static_cast<size_t>(i)].load();
}

const Image& ImageCache::get(int64_t i, Image& room) {
  auto& kept = images_[static_cast<size_t>(i)];
  if (const Image* image = kept.load(std::memory_order_acquire)) return *image;
  room = view_source(*dataset_, i, side_, sound_);
  const auto size = static_cast<int64_t>(sizeof(Image) + room.pixels.size());
  if (bytes_.fetch_add(size, std::memory_order_relaxed) + size > max_bytes_) {
    bytes_.fetch_sub(size, std::memory_order_relaxed);
    return room;
  }
  auto image = std::make_unique<const Image>(std::move(room));
  const Image* other = nullptr;
  if (kept.compare_exchange_strong(other, image.get(), std::memory_order_acq_rel)) return *image.release();
  bytes_.fetch_sub(size, std::memory_order_relaxed);
  return *other;
}

}  // namespace orthant
