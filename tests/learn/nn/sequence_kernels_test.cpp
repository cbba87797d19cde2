#include "learn/nn/sequence_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "orthant/core/rng.h"

namespace orthant {
namespace {

std::vector<float> random_floats(int64_t count, uint64_t seed) {
  std::vector<float> values(static_cast<size_t>(count));
  Rng rng(seed);
  for (float& value : values) value = static_cast<float>(rng.normal());
  return values;
}

// Bags of different lengths, with holes among the ids, repeated ids and an empty bag.
std::vector<int32_t> random_ids(int64_t items, int64_t length, int64_t rows, uint64_t seed) {
  std::vector<int32_t> ids(static_cast<size_t>(items * length), -1);
  Rng rng(seed);
  for (int64_t i = 1; i < items; ++i) {
    for (uint64_t k = 0; k < rng.below(static_cast<uint64_t>(length)) + 1; ++k) {
      ids[static_cast<size_t>(i * length) + k] =
          rng.bernoulli(0.1) ? -1 : static_cast<int32_t>(rng.below(static_cast<uint64_t>(rows)));
    }
  }
  return ids;
}

constexpr int64_t kItems = 37;
constexpr int64_t kLength = 11;
constexpr int64_t kRows = 23;

TEST(BagMean, EqualsItsDefinition) {
  for (const int64_t dims : {1, 5, 16, 33}) {
    const auto ids = random_ids(kItems, kLength, kRows, 1);
    const auto table = random_floats(kRows * dims, 2);
    std::vector<float> means(static_cast<size_t>(kItems * dims), NAN);
    bag_mean({ids, kItems, kLength}, table, dims, 2, means);
    for (int64_t i = 0; i < kItems; ++i) {
      for (int64_t d = 0; d < dims; ++d) {
        double sum = 0;
        int64_t count = 0;
        for (int64_t k = 0; k < kLength; ++k) {
          const int32_t id = ids[static_cast<size_t>(i * kLength + k)];
          if (id < 0) continue;
          sum += table[static_cast<size_t>(id * dims + d)];
          ++count;
        }
        EXPECT_NEAR(means[static_cast<size_t>(i * dims + d)], count == 0 ? 0 : sum / static_cast<double>(count), 1e-6);
      }
    }
  }
}

// The sum of weights * f(x) must change with every element of x as the gradient says.
void expect_gradient(std::vector<float> x, const std::vector<float>& gradient,
                     const std::function<double(const std::vector<float>&)>& f, float step, double tolerance) {
  for (size_t i = 0; i < x.size(); i += 1 + x.size() / 200) {
    const float before = x[i];
    x[i] = before + step;
    const double up = f(x);
    x[i] = before - step;
    const double down = f(x);
    x[i] = before;
    EXPECT_NEAR((up - down) / (2 * static_cast<double>(step)), gradient[i], tolerance) << "element " << i;
  }
}

double weighted(const std::vector<float>& values, const std::vector<float>& weights) {
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i) sum += static_cast<double>(values[i]) * weights[i];
  return sum;
}

TEST(BagMean, GradientEqualsFiniteDifferences) {
  constexpr int64_t kDims = 7;
  const auto ids = random_ids(kItems, kLength, kRows, 3);
  const Bags bags{ids, kItems, kLength};
  const auto weights = random_floats(kItems * kDims, 4);
  std::vector<float> gradient(static_cast<size_t>(kRows * kDims), NAN);
  bag_mean_gradient(bags, weights, kDims, 2, gradient);
  expect_gradient(
      random_floats(kRows * kDims, 5), gradient,
      [&](const std::vector<float>& table) {
        std::vector<float> means(static_cast<size_t>(kItems * kDims));
        bag_mean(bags, table, kDims, 1, means);
        return weighted(means, weights);
      },
      0.5F, 1e-4);
}

TEST(BagMean, RowsInNoBagHaveNoGradient) {
  const std::vector<int32_t> ids = {3, -1, 3, 1};
  const std::vector<float> weights = {1, 2, 10, 20};
  std::vector<float> gradient(10, NAN);
  bag_mean_gradient({ids, 2, 2}, weights, 2, 3, gradient);
  EXPECT_EQ(gradient, (std::vector<float>{0, 0, 5, 10, 0, 0, 6, 12, 0, 0}));
}

TEST(BagMean, ThreadsDoNotChangeABit) {
  constexpr int64_t kDims = 19;
  const auto ids = random_ids(300, 40, 101, 6);
  const Bags bags{ids, 300, 40};
  const auto table = random_floats(101 * kDims, 7);
  const auto weights = random_floats(300 * kDims, 8);
  std::vector<float> means[2];
  std::vector<float> gradients[2];
  for (int k = 0; k < 2; ++k) {
    means[k].resize(300 * kDims);
    gradients[k].resize(101 * kDims);
    bag_mean(bags, table, kDims, k == 0 ? 1 : 4, means[k]);
    bag_mean_gradient(bags, weights, kDims, k == 0 ? 1 : 4, gradients[k]);
  }
  EXPECT_EQ(means[0], means[1]);
  EXPECT_EQ(gradients[0], gradients[1]);
}

const std::vector<int64_t> kBegins = {0, 5, 5, 6, 14, 17};  // an item without tokens, and one of a single one

// The definition, in double.
std::vector<double> attention(const Segments& s, const std::vector<float>& qkv) {
  const int64_t dims = s.heads * s.width;
  std::vector<double> out(static_cast<size_t>(s.begins.back() * dims));
  const auto at = [&](int64_t token, int64_t part, int64_t head, int64_t i) {
    return static_cast<double>(qkv[static_cast<size_t>((token * 3 + part) * dims + head * s.width + i)]);
  };
  for (size_t item = 0; item + 1 < s.begins.size(); ++item) {
    for (int64_t h = 0; h < s.heads; ++h) {
      for (int64_t t = s.begins[item]; t < s.begins[item + 1]; ++t) {
        std::vector<double> weights;
        double sum = 0;
        for (int64_t u = s.begins[item]; u < s.begins[item + 1]; ++u) {
          double score = 0;
          for (int64_t i = 0; i < s.width; ++i) score += at(t, 0, h, i) * at(u, 1, h, i);
          weights.push_back(std::exp(score / std::sqrt(static_cast<double>(s.width))));
          sum += weights.back();
        }
        for (int64_t i = 0; i < s.width; ++i) {
          double value = 0;
          for (size_t u = 0; u < weights.size(); ++u) {
            value += weights[u] / sum * at(s.begins[item] + static_cast<int64_t>(u), 2, h, i);
          }
          out[static_cast<size_t>(t * dims + h * s.width + i)] = value;
        }
      }
    }
  }
  return out;
}

TEST(SegmentAttention, EqualsItsDefinition) {
  for (const int64_t width : {3, 8, 25, 32}) {
    const Segments segments{.begins = kBegins, .heads = 2, .width = width};
    const auto qkv = random_floats(kBegins.back() * 6 * width, 1);
    std::vector<float> out(static_cast<size_t>(kBegins.back() * 2 * width), NAN);
    segment_attention(segments, qkv, 2, out);
    const auto expected = attention(segments, qkv);
    for (size_t i = 0; i < out.size(); ++i) EXPECT_NEAR(out[i], expected[i], 1e-5);
  }
}

TEST(SegmentAttention, GradientEqualsFiniteDifferences) {
  const Segments segments{.begins = kBegins, .heads = 2, .width = 5};
  const auto qkv = random_floats(kBegins.back() * 30, 2);
  const auto weights = random_floats(kBegins.back() * 10, 3);
  std::vector<float> gradient(qkv.size(), NAN);
  segment_attention_gradient(segments, qkv, weights, 2, gradient);
  expect_gradient(
      qkv, gradient,
      [&](const std::vector<float>& values) {
        const auto out = attention(segments, values);
        double sum = 0;
        for (size_t i = 0; i < out.size(); ++i) sum += out[i] * weights[i];
        return sum;
      },
      1e-3F, 1e-4);
}

TEST(SegmentAttention, ThreadsDoNotChangeABit) {
  std::vector<int64_t> begins = {0};
  for (int64_t i = 0; i < 50; ++i) begins.push_back(begins.back() + i % 7);
  const Segments segments{.begins = begins, .heads = 4, .width = 8};
  const auto qkv = random_floats(begins.back() * 96, 4);
  const auto weights = random_floats(begins.back() * 32, 5);
  std::vector<float> out[2];
  std::vector<float> gradient[2];
  for (int k = 0; k < 2; ++k) {
    out[k].resize(weights.size());
    gradient[k].resize(qkv.size());
    segment_attention(segments, qkv, k == 0 ? 1 : 4, out[k]);
    segment_attention_gradient(segments, qkv, weights, k == 0 ? 1 : 4, gradient[k]);
  }
  EXPECT_EQ(out[0], out[1]);
  EXPECT_EQ(gradient[0], gradient[1]);
}

TEST(SegmentAttention, LargeScoresStayFinite) {
  const std::vector<int64_t> begins = {0, 3};
  std::vector<float> qkv(3 * 3 * 4, 60.0F);
  std::vector<float> out(3 * 4);
  segment_attention({.begins = begins, .heads = 1, .width = 4}, qkv, 1, out);
  for (const float value : out) EXPECT_NEAR(value, 60, 1e-4);
}

}  // namespace
}  // namespace orthant
