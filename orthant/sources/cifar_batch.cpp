#include <utility>

#include "orthant/core/error.h"
#include "orthant/sources/cifar.h"

namespace orthant {
namespace {

constexpr size_t kSide = 32;
constexpr size_t kPlane = kSide * kSide;

size_t label_bytes(CifarLayout layout) { return layout == CifarLayout::kCifar10 ? 1 : 2; }

std::vector<uint8_t> read_labels(std::span<const std::byte> bytes, const std::string& name, size_t record,
                                 size_t offset, int classes) {
  std::vector<uint8_t> labels(bytes.size() / record);
  for (size_t i = 0; i < labels.size(); ++i) {
    labels[i] = std::to_integer<uint8_t>(bytes[i * record + offset]);
    check_io(labels[i] < classes, "[", name, "] expected labels from 0 to ", classes - 1, ", got ", int{labels[i]},
             " in record ", i);
  }
  return labels;
}

}  // namespace

CifarBatch::CifarBatch(std::span<const std::byte> bytes, const std::string& name, CifarLayout layout,
                       std::shared_ptr<const void> owner)
    : bytes_(bytes), owner_(std::move(owner)), record_(label_bytes(layout) + 3 * kPlane) {
  check_io(!bytes.empty() && bytes.size() % record_ == 0, "[", name, "] expected a whole number of records of ",
           record_, " bytes, got ", bytes.size(), " bytes");
  if (layout == CifarLayout::kCifar10) {
    labels_ = read_labels(bytes, name, record_, 0, 10);
  } else {
    coarse_ = read_labels(bytes, name, record_, 0, 20);
    labels_ = read_labels(bytes, name, record_, 1, 100);
  }
}

int64_t CifarBatch::coarse_label(int64_t i) const {
  check(!coarse_.empty(), "[CifarBatch] expected CIFAR-100 for coarse labels, got CIFAR-10");
  return coarse_[static_cast<size_t>(i)];
}

Image CifarBatch::image(int64_t i) const {
  const std::byte* planes = bytes_.data() + (static_cast<size_t>(i) + 1) * record_ - 3 * kPlane;
  Image image(kSide, kSide, 3);
  for (size_t p = 0; p < kPlane; ++p) {
    for (size_t c = 0; c < 3; ++c) image.pixels[3 * p + c] = std::to_integer<uint8_t>(planes[c * kPlane + p]);
  }
  return image;
}

}  // namespace orthant
