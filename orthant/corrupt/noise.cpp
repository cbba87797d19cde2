#include "orthant/corrupt/noise.h"

#include <cmath>

#include "orthant/corrupt/severities.h"

namespace orthant::corrupt {
namespace {

constexpr Severities<double> kGaussian = {0.04, 0.06, 0.08, 0.09, 0.10};
constexpr Severities<double> kShot = {500, 250, 100, 75, 50};
constexpr Severities<double> kImpulse = {0.01, 0.02, 0.03, 0.05, 0.07};
constexpr Severities<double> kSpeckle = {0.06, 0.10, 0.12, 0.16, 0.20};

// Poisson counts for the brightness of each level, by inversion of the distribution function. There are few levels
// compared to pixels, so the functions are tabulated.
class PoissonByLevel {
 public:
  explicit PoissonByLevel(double per_unit) {
    for (size_t level = 0; level < tables_.size(); ++level) {
      fill(tables_[level], per_unit * static_cast<double>(level) / 255);
    }
  }

  double draw(size_t level, Rng& rng) const {
    const Table& table = tables_[level];
    const auto found = std::ranges::upper_bound(table.cumulative, rng.uniform() * table.cumulative.back());
    return table.first + static_cast<double>(found - table.cumulative.begin());
  }

 private:
  struct Table {
    double first = 0;
    std::vector<double> cumulative;  // not normalised
  };

  // From the mode outwards, where the probability is taken as 1, so that nothing overflows; what lies more than six
  // standard deviations away is never drawn.
  static void fill(Table& table, double mean) {
    const double mode = std::floor(mean);
    const double reach = std::ceil(6 * std::sqrt(mean) + 6);
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

  std::array<Table, 256> tables_;
};

const PoissonByLevel& poisson(int severity) {
  static const std::vector<PoissonByLevel> all(kShot.begin(), kShot.end());
  return all[static_cast<size_t>(severity - 1)];
}

}  // namespace

void gaussian_noise(Canvas& picture, int severity, Rng& rng) {
  const double sigma = 255 * at(kGaussian, severity);
  for (float& value : picture.values) value += static_cast<float>(sigma * rng.normal());
}

void shot_noise(Canvas& picture, int severity, Rng& rng) {
  const double per_unit = at(kShot, severity);
  const PoissonByLevel& photons = poisson(severity);
  for (float& value : picture.values) {
    value = static_cast<float>(photons.draw(static_cast<size_t>(value), rng) / per_unit * 255);
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
