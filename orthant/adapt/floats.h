#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace orthant::adapt {

// Memory that begins on a cache line, so that no SIMD load lies across two.
template <class T>
struct OnCacheLine {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};

  OnCacheLine() = default;
  template <class Other>
  OnCacheLine(const OnCacheLine<Other>&) {}  // NOLINT(google-explicit-constructor)

  T* allocate(size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kAlignment)); }
  void deallocate(T* memory, size_t) { ::operator delete(memory, kAlignment); }
  bool operator==(const OnCacheLine&) const { return true; }
};

using Floats = std::vector<float, OnCacheLine<float>>;

// Rows of floats are stored with zeros behind them up to a multiple of kLane, so that kernels know no remainders.
constexpr int64_t kLane = 16;
constexpr int64_t padded(int64_t count) { return (count + kLane - 1) / kLane * kLane; }

}  // namespace orthant::adapt
