#include "orthant/data/order.h"

#include <numeric>
#include <span>

#include "orthant/core/rng.h"

namespace orthant {

std::vector<int64_t> epoch_order(int64_t items, int64_t seed, int64_t epoch) {
  constexpr uint16_t kOrderStream = 0xff00;
  std::vector<int64_t> order(static_cast<size_t>(items));
  std::iota(order.begin(), order.end(), int64_t{0});
  Rng rng({.seed = static_cast<uint64_t>(seed), .epoch = static_cast<uint32_t>(epoch), .view = kOrderStream});
  rng.shuffle(std::span<int64_t>(order));
  return order;
}

}  // namespace orthant
