#include "learn/train/communication.h"

#include <algorithm>

namespace orthant {

Communication communication_of(const Traffic& step, int64_t size, const Wire& wire) {
  const auto others = static_cast<double>(size - 1);
  const auto ranks = static_cast<double>(size);
  const auto seconds = [&](int64_t calls, double bytes) {
    return static_cast<double>(calls) * wire.latency + bytes / wire.bytes_per_second;
  };
  return {.gathers = others * seconds(step.gathers, static_cast<double>(step.gather_bytes)),
          .sums = 2 * others * seconds(step.sums, static_cast<double>(step.sum_bytes) / ranks)};
}

double step_seconds(double seconds, const Communication& communication) {
  return seconds + communication.gathers + std::max(0.0, communication.sums - seconds / 2);
}

}  // namespace orthant
