#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

namespace orthant {

// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011): 128 bits of counter and 64 bits
// of key to 128 random bits, without state.
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

// What a stream of random numbers is for. Two streams with different keys are independent, so a result never depends
// on the order in which samples are worked on, nor on the number of threads.
struct StreamKey {
  uint64_t seed = 0;
  uint32_t epoch = 0;
  uint64_t sample = 0;  // below 2^48
  uint16_t view = 0;    // views of a sample count from 0; uses other than views take numbers from 0xff00 on
};

// A stream of random numbers: cheap to make, a value, not shared between threads.
class Rng {
 public:
  explicit Rng(StreamKey key);
  explicit Rng(uint64_t seed) : Rng(StreamKey{.seed = seed}) {}

  uint32_t next() {
    if (used_ == 4) refill();
    return block_[used_++];
  }

  double uniform() {  // [0, 1), 53 bits
    const uint64_t high = next();
    const uint64_t low = next();
    return static_cast<double>((high << 21) ^ (low >> 11)) * 0x1.0p-53;
  }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  bool bernoulli(double probability) { return uniform() < probability; }
  double normal();             // mean 0, variance 1
  uint64_t below(uint64_t n);  // 0 .. n-1, unbiased; n > 0

  template <class T>
  void shuffle(std::span<T> items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  void refill();

  std::array<uint32_t, 2> key_;
  std::array<uint32_t, 4> counter_;
  std::array<uint32_t, 4> block_{};
  uint32_t used_ = 4;
  double spare_normal_ = NAN;
};

}  // namespace orthant
