#include "orthant/linalg/subspace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "orthant/core/rng.h"
#include "orthant/core/threads.h"
#include "orthant/linalg/eigenpairs.h"

namespace orthant::linalg {
namespace {

constexpr int kWidth = 12;
constexpr int kPasses = 12;
constexpr int64_t kGrain = 256;
constexpr int64_t kStrips = 8;  // of columns that threads share out; each reads all rows

using Block = std::vector<std::array<double, kWidth>>;

Block random_block(int64_t rows) {
  Block block(static_cast<size_t>(rows));
  for (size_t i = 0; i < block.size(); ++i) {
    Rng rng({.seed = 0, .sample = i});
    for (double& x : block[i]) x = rng.normal();
  }
  return block;
}

// Gram-Schmidt, twice, which makes columns orthogonal to double precision. A column that depends on those before
// becomes zero.
void orthonormalise(Block& block) {
  for (size_t c = 0; c < kWidth; ++c) {
    double before = 0;
    for (const auto& row : block) before += row[c] * row[c];
    for (int pass = 0; pass < 2; ++pass) {
      std::array<double, kWidth> dots{};
      for (const auto& row : block) {
        for (size_t b = 0; b < c; ++b) dots[b] += row[b] * row[c];
      }
      for (auto& row : block) {
        for (size_t b = 0; b < c; ++b) row[c] -= dots[b] * row[b];
      }
    }
    double square = 0;
    for (const auto& row : block) square += row[c] * row[c];
    const double scale = square > 1e-24 * before ? 1 / std::sqrt(square) : 0;
    for (auto& row : block) row[c] *= scale;
  }
}

class Covariance {
 public:
  Covariance(const Features& features, std::span<const double> mean, int threads)
      : features_(features), mean_(mean), threads_(threads), scales_(static_cast<size_t>(features.rows())) {
    parallel_for(features.rows(), kGrain, threads, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const double length = features.row_norm(i);
        scales_[static_cast<size_t>(i)] = length > 0 ? 1 / length : 0;
      }
    });
  }

  // The block's directions [D, 12] multiplied by the covariance.
  Block times(const Block& block) const {
    const Block along = project(block);
    Block product(block.size());
    const int64_t cols = features_.cols();
    const int64_t strip = (cols - 1) / kStrips + 1;
    parallel_for(cols, strip, threads_, [&](int64_t begin, int64_t end) { gather(along, begin, end, product); });
    std::array<double, kWidth> sums{};
    for (const auto& row : along) {
      for (size_t c = 0; c < kWidth; ++c) sums[c] += row[c];
    }
    const auto rows = static_cast<double>(features_.rows());
    for (size_t j = 0; j < product.size(); ++j) {
      for (size_t c = 0; c < kWidth; ++c) product[j][c] = (product[j][c] - mean_[j] * sums[c]) / rows;
    }
    return product;
  }

 private:
  // The centred rows along the block's directions: [N, 12].
  Block project(const Block& block) const {
    std::array<double, kWidth> offset{};
    for (size_t j = 0; j < block.size(); ++j) {
      for (size_t c = 0; c < kWidth; ++c) offset[c] += mean_[j] * block[j][c];
    }
    Block along(static_cast<size_t>(features_.rows()));
    parallel_for(features_.rows(), kGrain, threads_, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        std::array<double, kWidth> sum{};
        features_.visit_row(i, [&](int64_t j, float x) {
          const auto& direction = block[static_cast<size_t>(j)];
          for (size_t c = 0; c < kWidth; ++c) sum[c] += x * direction[c];
        });
        const double scale = scales_[static_cast<size_t>(i)];
        for (size_t c = 0; c < kWidth; ++c) along[static_cast<size_t>(i)][c] = sum[c] * scale - offset[c];
      }
    });
    return along;
  }

  void gather(const Block& along, int64_t begin, int64_t end, Block& product) const {
    const auto add = [&](size_t i, int64_t j, double x) {
      auto& sum = product[static_cast<size_t>(j)];
      for (size_t c = 0; c < kWidth; ++c) sum[c] += x * along[i][c];
    };
    for (int64_t i = 0; i < features_.rows(); ++i) {
      const auto at = static_cast<size_t>(i);
      const double scale = scales_[at];
      if (features_.dense() != nullptr) {
        const auto row = features_.dense()->row(i);
        for (int64_t j = begin; j < end; ++j) add(at, j, scale * row[static_cast<size_t>(j)]);
        continue;
      }
      const auto row = features_.sparse()->row(i);
      auto n = static_cast<size_t>(std::ranges::lower_bound(row.indices, begin) - row.indices.begin());
      for (; n < row.indices.size() && row.indices[n] < end; ++n) add(at, row.indices[n], scale * row.values[n]);
    }
  }

  const Features& features_;
  std::span<const double> mean_;
  int threads_;
  std::vector<double> scales_;
};

}  // namespace

void subspace_iteration(const Features& features, int threads, PrincipalComponents& components) {
  const Covariance covariance(features, components.mean, threads);
  Block block = random_block(features.cols());
  orthonormalise(block);
  for (int pass = 0; pass < kPasses; ++pass) {
    block = covariance.times(block);
    orthonormalise(block);
  }
  const Block image = covariance.times(block);
  Matrix64 small(kWidth, kWidth);  // the covariance within the subspace
  for (size_t j = 0; j < block.size(); ++j) {
    for (int a = 0; a < kWidth; ++a) {
      for (int b = 0; b < kWidth; ++b) {
        small(a, b) += block[j][static_cast<size_t>(a)] * image[j][static_cast<size_t>(b)];
      }
    }
  }
  const Eigenpairs pairs = largest_eigenpairs(small);
  for (int64_t c = 0; c < 2; ++c) {
    components.variances[static_cast<size_t>(c)] = pairs.values[static_cast<size_t>(c)];
    for (size_t j = 0; j < block.size(); ++j) {
      double sum = 0;
      for (int64_t a = 0; a < kWidth; ++a) sum += pairs.vectors(c, a) * block[j][static_cast<size_t>(a)];
      components.axes(c, static_cast<int64_t>(j)) = sum;
    }
  }
}

}  // namespace orthant::linalg
