#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

namespace orthant {

// Floats on a 64-byte boundary, which starts a cache line and suits every vector. Not initialised.
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(int64_t size) { grow(size); }

  // Makes room for at least `size` floats and returns them; what was there is lost if the buffer had to be replaced.
  float* grow(int64_t size) {
    if (size > size_) {
      data_.reset(static_cast<float*>(::operator new[](static_cast<size_t>(size) * sizeof(float), kAlignment)));
      size_ = size;
    }
    return data_.get();
  }

  float* data() { return data_.get(); }
  const float* data() const { return data_.get(); }
  int64_t size() const { return size_; }
  std::span<const float> values() const { return {data_.get(), static_cast<size_t>(size_)}; }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(float* data) const { ::operator delete[](data, kAlignment); }
  };

  std::unique_ptr<float[], Free> data_;
  int64_t size_ = 0;
};

}  // namespace orthant
