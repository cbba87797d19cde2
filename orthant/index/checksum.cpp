#include "orthant/index/checksum.h"

#include <array>
#include <bit>
#include <cstring>

namespace orthant::index {
namespace {

constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;
constexpr size_t kLanes = 8;
constexpr size_t kStep = kLanes * sizeof(uint64_t);

uint64_t mix(uint64_t state, uint64_t word) { return std::rotl((state ^ word) * kOdd, 29); }

}  // namespace

uint64_t checksum(std::span<const std::byte> bytes) {
  std::array<uint64_t, kLanes> lanes{};
  for (size_t n = 0; n < kLanes; ++n) lanes[n] = n + 1;
  std::array<uint64_t, kLanes> words{};
  size_t at = 0;
  for (; at + kStep <= bytes.size(); at += kStep) {
    std::memcpy(words.data(), bytes.data() + at, kStep);
    for (size_t n = 0; n < kLanes; ++n) lanes[n] = mix(lanes[n], words[n]);
  }
  if (at < bytes.size()) {
    words.fill(0);
    std::memcpy(words.data(), bytes.data() + at, bytes.size() - at);
    for (size_t n = 0; n < kLanes; ++n) lanes[n] = mix(lanes[n], words[n]);
  }
  uint64_t all = bytes.size();
  for (const uint64_t lane : lanes) all = mix(all, lane);
  return all ^ (all >> 32);
}

}  // namespace orthant::index
