#include "orthant/run/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace orthant {

double Schedule::at(int64_t step) const {
  if (step < warmup) return start + (peak - start) * static_cast<double>(step) / static_cast<double>(warmup);
  const double length = static_cast<double>(std::max<int64_t>(total - warmup, 1));
  const double progress = std::min(1.0, static_cast<double>(step - warmup) / length);
  return end + (peak - end) * (1 + std::cos(std::numbers::pi * progress)) / 2;
}

double scaled_rate(double rate, int64_t batch) { return rate * static_cast<double>(batch) / 256; }

std::optional<double> clamp_warmup(OptimiserOptions& options, int64_t epochs) {
  const double most = static_cast<double>(epochs) / 5;
  if (options.warmup_epochs <= most) return {};
  return std::exchange(options.warmup_epochs, most);
}

Schedule make_schedule(const OptimiserOptions& options, int64_t batch, int64_t batches, int64_t epochs) {
  const double peak = scaled_rate(options.rate, batch);
  return {.start = std::min(options.warmup_start, peak),
          .peak = peak,
          .end = scaled_rate(options.end_rate, batch),
          .warmup = std::llround(options.warmup_epochs * static_cast<double>(batches)),
          .total = epochs * batches};
}

}  // namespace orthant
