#pragma once

#include <string>
#include <utility>
#include <vector>

#include "orthant/core/rng.h"
#include "orthant/data/dataset.h"

namespace orthant::test {

// A data set of the given pictures; its info() says one size if they all have it.
class Pictures : public Dataset {
 public:
  explicit Pictures(std::vector<Image> images) : images_(std::move(images)) {
    info_.name = "pictures";
    info_.split = "all";
    const Image& first = images_.front();
    bool same = true;
    for (const Image& image : images_) {
      same &= image.width == first.width && image.height == first.height && image.channels == first.channels;
    }
    if (!same) return;
    info_.width = first.width;
    info_.height = first.height;
    info_.channels = first.channels;
  }

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return static_cast<int64_t>(images_.size()); }
  Image image(int64_t i) const override {
    check_index(i);
    return images_[static_cast<size_t>(i)];
  }
  std::string id(int64_t i) const override { return "picture/" + std::to_string(i); }

 private:
  DatasetInfo info_;
  std::vector<Image> images_;
};

// Pictures of noise, each unlike the others.
inline std::vector<Image> noise(int64_t count, int64_t height, int64_t width, int64_t channels) {
  std::vector<Image> images;
  for (int64_t i = 0; i < count; ++i) {
    Rng rng(static_cast<uint64_t>(i) + 1);
    Image image(height, width, channels);
    for (uint8_t& value : image.pixels) value = static_cast<uint8_t>(rng.below(256));
    images.push_back(std::move(image));
  }
  return images;
}

// Smooth pictures, as photographs are.
inline std::vector<Image> slopes(int64_t count, int64_t height, int64_t width, int64_t channels) {
  std::vector<Image> images;
  for (int64_t i = 0; i < count; ++i) {
    Image image(height, width, channels);
    for (int64_t y = 0; y < height; ++y) {
      for (int64_t x = 0; x < width; ++x) {
        for (int64_t c = 0; c < channels; ++c) {
          image.at(y, x)[static_cast<size_t>(c)] = static_cast<uint8_t>((i * 37 + 3 * y + 2 * x) % 200 + 10 * c);
        }
      }
    }
    images.push_back(std::move(image));
  }
  return images;
}

}  // namespace orthant::test
