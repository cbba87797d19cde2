#include "orthant/core/rng.h"

#include <numbers>

#include "orthant/core/error.h"

namespace orthant {

std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = uint64_t{0xD2511F53} * counter[0];
    const uint64_t product1 = uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(product0)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

Rng::Rng(StreamKey key)
    : key_{static_cast<uint32_t>(key.seed), static_cast<uint32_t>(key.seed >> 32)},
      counter_{0, key.epoch, static_cast<uint32_t>(key.sample),
               static_cast<uint32_t>(key.sample >> 32) | (uint32_t{key.view} << 16)} {
  check(key.sample < (uint64_t{1} << 48), "[Rng] expected a sample index below 2^48, got ", key.sample);
}

void Rng::refill() {
  block_ = philox(counter_, key_);
  ++counter_[0];
  used_ = 0;
}

double Rng::normal() {
  if (!std::isnan(spare_normal_)) return std::exchange(spare_normal_, NAN);
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_normal_ = radius * std::sin(angle);
  return radius * std::cos(angle);
}

uint64_t Rng::below(uint64_t n) {
  check(n > 0, "[Rng::below] expected n > 0, got 0");
  // Rejects the incomplete last interval of the 64-bit range, so that every value is equally likely.
  const uint64_t limit = UINT64_MAX - (UINT64_MAX % n + 1) % n;
  for (;;) {
    const uint64_t high = next();
    const uint64_t draw = (high << 32) | next();
    if (draw <= limit) return draw % n;
  }
}

}  // namespace orthant
