#include "orthant/adapt/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "orthant/adapt/floats.h"
#include "orthant/core/rng.h"

namespace orthant::adapt {
namespace {

Floats random_floats(int64_t count, uint64_t seed) {
  Rng rng(seed);
  Floats values(static_cast<size_t>(count));
  for (float& value : values) value = static_cast<float>(rng.normal());
  return values;
}

TEST(AdaptKernels, DotAndSumsOfRowsAgreeWithNaiveOnes) {
  for (const int64_t count : {16, 32, 48, 112, 512}) {
    const Floats a = random_floats(count, 1);
    const Floats b = random_floats(count, 2);
    const Floats c = random_floats(count, 3);
    const Floats d = random_floats(count, 4);
    double wanted = 0;
    for (size_t i = 0; i < a.size(); ++i) wanted += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    EXPECT_NEAR(dot(a.data(), b.data(), count), wanted, 1e-4);
    Floats one = random_floats(count, 5);
    Floats four = one;
    const Floats before = one;
    add_row(one.data(), a.data(), 0.5F, count);
    const float* const rows[4] = {a.data(), b.data(), c.data(), d.data()};
    const float factors[4] = {0.5F, -1, 2, 0.25F};
    add_four_rows(four.data(), rows, factors, count);
    for (size_t i = 0; i < a.size(); ++i) {
      EXPECT_NEAR(one[i], before[i] + 0.5F * a[i], 1e-5);
      EXPECT_NEAR(four[i], before[i] + 0.5F * a[i] - b[i] + 2 * c[i] + 0.25F * d[i], 1e-5);
    }
  }
}

TEST(AdaptKernels, FindAboveFindsWhatANaiveLoopFinds) {
  for (const int64_t count : {1, 7, 16, 37, 1000}) {
    const Floats values = random_floats(count, 6);
    const Floats bias = random_floats(count, 7);
    std::vector<int32_t> found(static_cast<size_t>(count + kLane));
    std::vector<float> sums(static_cast<size_t>(count + kLane));
    for (const float threshold : {-10.0F, 0.0F, 0.7F, 10.0F}) {
      const int64_t hits = find_above(values.data(), bias.data(), count, threshold, found.data(), sums.data());
      int64_t wanted = 0;
      for (int64_t i = 0; i < count; ++i) {
        const float sum = values[static_cast<size_t>(i)] + bias[static_cast<size_t>(i)];
        if (!(sum > threshold)) continue;
        ASSERT_LT(wanted, hits);
        EXPECT_EQ(found[static_cast<size_t>(wanted)], i);
        EXPECT_EQ(sums[static_cast<size_t>(wanted)], sum);
        ++wanted;
      }
      EXPECT_EQ(hits, wanted);
    }
  }
}

TEST(AdaptKernels, AdamMovesAsItsFormulaSays) {
  constexpr int64_t kCount = 48;
  Floats weights = random_floats(kCount, 8);
  const Floats gradient = random_floats(kCount, 9);
  Floats first = random_floats(kCount, 10);
  Floats second = random_floats(kCount, 11);
  for (float& v : second) v *= v;
  const Floats w = weights;
  const Floats m = first;
  const Floats v = second;
  adam(weights.data(), gradient.data(), first.data(), second.data(), kCount, {.rate = 0.01F, .root = 1.5F});
  for (size_t i = 0; i < w.size(); ++i) {
    const double wanted_m = 0.9 * m[i] + 0.1 * gradient[i];
    const double wanted_v = 0.999 * v[i] + 0.001 * gradient[i] * gradient[i];
    EXPECT_NEAR(first[i], wanted_m, 1e-6);
    EXPECT_NEAR(second[i], wanted_v, 1e-6);
    EXPECT_NEAR(weights[i], w[i] - 0.01 * wanted_m / (std::sqrt(wanted_v) * 1.5 + 1e-8), 1e-5);
  }
}

TEST(AdaptKernels, ExponentialsAreThoseOfTheLibrary) {
  for (const int64_t count : {1, 15, 16, 300, 1025}) {
    Floats values = random_floats(padded(count), 12);
    for (float& value : values) value = 1 / (1 + value * value);
    const Floats before = values;
    const double sum = exponentials(values.data(), count, 5);
    double wanted = 0;
    for (int64_t i = 0; i < count; ++i) {
      const double e = std::exp((static_cast<double>(before[static_cast<size_t>(i)]) - 1) * 5);
      EXPECT_NEAR(values[static_cast<size_t>(i)], e, 1e-6);
      wanted += e;
    }
    EXPECT_NEAR(sum, wanted, 1e-5 * wanted);
  }
}

}  // namespace
}  // namespace orthant::adapt
