#include "learn/task/class_head.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace orthant {
namespace {

at::Tensor random_scores(int64_t rows, int64_t classes, uint64_t seed) {
  at::manual_seed(seed);
  return 2 * at::randn({rows, classes}, at::kDouble);
}

const std::vector<int64_t> kClasses = {2, 0, 1, 1, 3, 2, 2};

at::Tensor classes() { return at::tensor(kClasses, at::kLong); }

// The formula of the header, entry by entry.
double by_hand(const at::Tensor& scores, const CrossEntropyOptions& options) {
  const int64_t count = scores.size(1);
  const auto weight = [&](int64_t c) {
    return options.class_weights.empty() ? 1.0 : options.class_weights[static_cast<size_t>(c)];
  };
  double sum = 0;
  double total = 0;
  for (int64_t i = 0; i < scores.size(0); ++i) {
    double exponentials = 0;
    for (int64_t c = 0; c < count; ++c) exponentials += std::exp(scores[i][c].item<double>());
    const auto loss = [&](int64_t c) { return std::log(exponentials) - scores[i][c].item<double>(); };
    const int64_t y = kClasses[static_cast<size_t>(i)];
    sum += (1 - options.smoothing) * weight(y) * loss(y);
    for (int64_t c = 0; c < count; ++c) sum += options.smoothing / static_cast<double>(count) * weight(c) * loss(c);
    total += weight(y);
  }
  return sum / total;
}

const std::vector<CrossEntropyOptions> kOptions = {
    {}, {.smoothing = 0.1}, {.class_weights = {0.5, 2, 1, 3}}, {.smoothing = 0.3, .class_weights = {0.5, 2, 1, 3}}};

TEST(CrossEntropy, IsTheFormulaWithSmoothingAndWeights) {
  const at::Tensor scores = random_scores(7, 4, 1);
  for (const CrossEntropyOptions& options : kOptions) {
    EXPECT_NEAR(cross_entropy(scores, classes(), options).loss.item<double>(), by_hand(scores, options), 1e-12);
  }
  EXPECT_EQ(cross_entropy(scores, scores.argmax(1)).correct, 7);
}

TEST(CrossEntropy, GradientAgreesWithFiniteDifferences) {
  const at::Tensor scores = random_scores(7, 4, 2);
  for (const CrossEntropyOptions& options : kOptions) {
    const at::Tensor leaf = scores.clone().requires_grad_(true);
    cross_entropy(leaf, classes(), options).loss.backward();
    constexpr double kStep = 1e-6;
    for (int64_t i = 0; i < scores.numel(); ++i) {
      const at::Tensor nudge = at::zeros_like(scores);
      nudge.view(-1)[i] = kStep;
      const double slope = (by_hand(scores + nudge, options) - by_hand(scores - nudge, options)) / (2 * kStep);
      EXPECT_NEAR(leaf.grad().view(-1)[i].item<double>(), slope, 1e-8);
    }
  }
}

TEST(CrossEntropy, NamesOfClassesAndACommonFactorOfTheWeightsChangeNothing) {
  const at::Tensor scores = random_scores(7, 4, 3);
  const CrossEntropyOptions options{.smoothing = 0.2, .class_weights = {0.5, 2, 1, 3}};
  const double loss = cross_entropy(scores, classes(), options).loss.item<double>();
  CrossEntropyOptions scaled = options;
  for (double& weight : scaled.class_weights) weight *= 7;
  EXPECT_NEAR(cross_entropy(scores, classes(), scaled).loss.item<double>(), loss, 1e-12);

  const std::vector<int64_t> renamed = {3, 1, 0, 2};  // class c becomes renamed[c]
  CrossEntropyOptions moved = options;
  at::Tensor columns = at::empty_like(scores);
  for (int64_t c = 0; c < 4; ++c) {
    const int64_t to = renamed[static_cast<size_t>(c)];
    columns.select(1, to).copy_(scores.select(1, c));
    moved.class_weights[static_cast<size_t>(to)] = options.class_weights[static_cast<size_t>(c)];
  }
  const at::Tensor labels = at::tensor(renamed, at::kLong).index_select(0, classes());
  EXPECT_NEAR(cross_entropy(columns, labels, moved).loss.item<double>(), loss, 1e-12);
}

TEST(ClassHead, WeightsThatMustNotBeNegativeStartPositiveAndStayNonNegative) {
  ClassHead free(20, 5, 3);
  ClassHead bound(20, 5, 3, true);
  const Matrix start = bound.classifier().weights;
  for (int64_t i = 0; i < start.size(); ++i) {
    EXPECT_EQ(start.values()[static_cast<size_t>(i)],
              std::abs(free.classifier().weights.values()[static_cast<size_t>(i)]));
  }
  bound.visit_parameters([](const std::string& name, at::Tensor& tensor) {
    if (name == "fc.weight") tensor.detach().sub_(0.1);
  });
  const at::Tensor x = at::rand({6, 20});
  const Matrix weights = bound.classifier().weights;
  EXPECT_EQ(*std::ranges::min_element(weights.values()), 0.0F);
  const at::Tensor w = at::from_blob(const_cast<float*>(weights.data()), {5, 20});
  const auto bias = bound.classifier().bias;
  EXPECT_TRUE(at::allclose(bound.forward(x), x.mm(w.t()) + at::tensor(bias).to(at::kFloat), 1e-5, 1e-6));
  at::Tensor gradient;
  bound.forward(x).select(1, 0).sum().backward();
  bound.visit_parameters([&](const std::string& name, at::Tensor& tensor) {
    if (name == "fc.weight") gradient = tensor.grad();
  });
  EXPECT_GT(gradient.select(0, 0).ne(0).sum().item<int64_t>(), 19) << "zeros can come back";
}

}  // namespace
}  // namespace orthant
