#include "orthant/corrupt/noise.h"

#include <cmath>

#include "orthant/corrupt/severities.h"

namespace orthant::corrupt {
namespace {

constexpr Severities<double> kGaussian = {0.04, 0.06, 0.08, 0.09, 0.10};
constexpr Severities<double> kShot = {500, 250, 100, 75, 50};
constexpr Severities<double> kImpulse = {0.01, 0.02, 0.03, 0.05, 0.07};
constexpr Severities<double> kSpeckle = {0.06, 0.10, 0.12, 0.16, 0.20};

// Poisson counts for the brightness of each level, by inversion of the distribution function. A picture has few levels
// compared to pixels, so the functions are tabulated, each when its level first occurs.
class PoissonByLevel {
 public:
  explicit PoissonByLevel(double per_unit) : per_level_(per_unit / 255) {}

  double draw(size_t level, Rng& rng) {
    Table& table = tables_[level];
    if (table.cumulative.empty()) fill(table, per_level_ * static_cast<double>(level));
    const double u = rng.uniform() * table.cumulative.back();
    const auto found = std::ranges::upper_bound(table.cumulative, u);
    return table.first + static_cast<double>(found - table.cumulative.begin());
  }

 private:
  struct Table {
    double first = 0;
    std::vector<double> cumulative;  // not normalised
  };

  // From the mode outwards, where the probability is taken as 1, so that nothing overflows; what lies eight standard
  // deviations away is never drawn.
  static void fill(Table& table, double mean) {
    const double mode = std::floor(mean);
    const double reach = std::ceil(8 * std::sqrt(mean) + 8);
    table.first = std::max(0.0, mode - reach);
    table.cumulative.resize(static_cast<size_t>(mode + reach - table.first) + 1);
    const auto middle = static_cast<size_t>(mode - table.first);
    table.cumulative[middle] = 1;
    for (size_t k = middle; k > 0; --k) {
      table.cumulative[k - 1] = table.cumulative[k] * (table.first + static_cast<double>(k)) / mean;
    }
    for (size_t k = middle + 1; k < table.cumulative.size(); ++k) {
      table.cumulative[k] = table.cumulative[k - 1] * mean / (table.first + static_cast<double>(k));
    }
    for (size_t k = 1; k < table.cumulative.size(); ++k) table.cumulative[k] += table.cumulative[k - 1];
  }

  double per_level_;
  std::array<Table, 256> tables_;
};

}  // namespace

void gaussian_noise(Canvas& picture, int severity, Rng& rng) {
  const double sigma = 255 * at(kGaussian, severity);
  for (float& value : picture.values) value += static_cast<float>(sigma * rng.normal());
}

void shot_noise(Canvas& picture, int severity, Rng& rng) {
  const double per_unit = at(kShot, severity);
  PoissonByLevel poisson(per_unit);
  for (float& value : picture.values) {
    value = static_cast<float>(poisson.draw(static_cast<size_t>(value), rng) / per_unit * 255);
  }
}

void impulse_noise(Canvas& picture, int severity, Rng& rng) {
  const double share = at(kImpulse, severity);
  for (float& value : picture.values) {
    const double u = rng.uniform();
    if (u < share) value = u < share / 2 ? 0.0F : 255.0F;
  }
}

void speckle_noise(Canvas& picture, int severity, Rng& rng) {
  const double sigma = at(kSpeckle, severity);
  for (float& value : picture.values) value += value * static_cast<float>(sigma * rng.normal());
}

}  // namespace orthant::corrupt
