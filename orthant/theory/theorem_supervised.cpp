#include <algorithm>
#include <cmath>

#include "orthant/factorize/spectral.h"
#include "orthant/linalg/products.h"
#include "orthant/theory/cross_entropy.h"
#include "orthant/theory/starts.h"
#include "orthant/theory/theorem_parts.h"

namespace orthant::theory {
namespace {

constexpr double kTrained = 1e-3;  // nats above the optimum after training
constexpr double kNever = -1;      // good enough: all starts are made

// Samples with label probabilities, all above 0.
struct Labelled {
  Matrix64 posterior;  // P(y|x) [N, L]
  std::vector<double> marginal;
  double entropy = 0;  // H(y|x)

  double excess(const Matrix64& logits) const { return cross_entropy(logits, posterior, marginal) - entropy; }
};

Labelled labelled(const LatentClasses& world, const Matrix64& given_class) {
  Labelled labels{linalg::matmul_by_transposed(world.posterior, given_class), world.marginal};
  labels.entropy = conditional_entropy(labels.posterior, labels.marginal);
  return labels;
}

// f_y = log P(y|x) - min_y log P(y|x) >= 0, whose weights are the identity.
Matrix64 closed_form(const Matrix64& posterior) {
  Matrix64 features = posterior;
  for (int64_t x = 0; x < features.rows(); ++x) {
    const double least = *std::ranges::min_element(posterior.row(x));
    for (double& value : features.mutable_row(x)) value = std::log(value / least);
  }
  return features;
}

// The logits of L - 1 features f_y = log P(y|x) / P(L|x) + shift >= 0, each with the weight 1 for its own label, and of
// the biases -shift, 0 for the last label.
Matrix64 with_bias(const Matrix64& posterior) {
  const int64_t last = posterior.cols() - 1;
  Matrix64 logits(posterior.rows(), posterior.cols());
  double shift = 0;
  for (int64_t x = 0; x < logits.rows(); ++x) {
    for (int64_t y = 0; y < last; ++y) shift = std::max(shift, std::log(posterior(x, last) / posterior(x, y)));
  }
  for (int64_t x = 0; x < logits.rows(); ++x) {
    for (int64_t y = 0; y < last; ++y) {
      const double feature = std::max(std::log(posterior(x, y) / posterior(x, last)) + shift, 0.0);
      logits(x, y) = feature - shift;
    }
  }
  return logits;
}

// Two labels, one non-negative feature, no bias: f(x) (w_1 - w_2) has one sign for all x, and where the other would be
// right nothing is better than f = 0. The least excess there can be.
double one_dimension_excess(const Labelled& labels) {
  double excess[2] = {0, 0};
  for (int64_t x = 0; x < labels.posterior.rows(); ++x) {
    const double p = labels.posterior(x, 0);
    const double entropy = -p * std::log(p) - (1 - p) * std::log1p(-p);
    excess[p > 0.5 ? 1 : 0] += labels.marginal[static_cast<size_t>(x)] * (std::log(2.0) - entropy);
  }
  return std::min(excess[0], excess[1]);
}

// Features and weights of the closed form turned alike: what happens to the loss where sigma+ stands on the logits, and
// where it stands on the features.
struct Turned {
  double on_logits = 0;    // largest change
  double on_features = 0;  // mean rise
};

Turned turn(const Labelled& labels, uint64_t seed) {
  const Matrix64 features = closed_form(labels.posterior);
  Turned turned;
  for (int draw = 0; draw < kDraws; ++draw) {
    const Matrix64 rotation = factorize::random_rotation(features.cols(), seed + static_cast<uint64_t>(draw));
    const Matrix64 f = linalg::matmul(features, rotation);  // the weights, an identity, become the rotation
    const double logits = labels.excess(rectified(linalg::matmul_by_transposed(f, rotation)));
    turned.on_logits = std::max(turned.on_logits, std::abs(logits));
    turned.on_features += labels.excess(linalg::matmul_by_transposed(rectified(f), rotation)) / kDraws;
  }
  return turned;
}

// What training from up to five random starts comes to; cross entropy of two tables is not convex.
struct Trained {
  double best = 0;   // excess
  double worst = 0;  // of the starts that were made
  int64_t starts = 0;
};

Trained train(const Labelled& labels, CrossEntropyOptions where, uint64_t seed, double good_enough) {
  Trained trained;
  where.dims = labels.posterior.cols();
  const auto attempt = [&](uint64_t start_seed) -> Attempt<double> {
    where.seed = start_seed;
    const double excess = learn_cross_entropy(labels.posterior, labels.marginal, where).loss - labels.entropy;
    trained.worst = std::max(trained.worst, excess);
    return {excess, excess};
  };
  const auto [best, starts] = best_of<double>(attempt, good_enough, seed);
  trained.best = best;
  trained.starts = starts;
  return trained;
}

Theorem non_negative_cross_entropy(const TheoryOptions& options) {
  const LatentClasses world = make_world(options, options.overlap, true, options.seed);
  const int64_t count = label_count(options.classes);
  const Labelled labels = labelled(world, label_given_class(options.classes, count));
  const Labelled two = labelled(world, label_given_class(options.classes, 2));
  const Matrix64 features = closed_form(labels.posterior);
  const Turned turned = turn(labels, options.seed);
  const Trained nce = train(labels, {}, options.seed, kTrained);
  const Trained positive = train(labels, {.weights = Activation::rep_relu}, options.seed, kTrained);
  const Trained trap =
      train(labels, {.features = Activation::identity, .logits = Activation::relu}, options.seed, kNever);
  Theorem theorem{
      .id = "N",
      .title = "Non-negative cross entropy",
      .statement =
          "Cross entropy is two-tower learning whose second tower are class weights. With non-negative "
          "features, and with non-negative weights too, it attains the Bayes cross entropy with as many "
          "dimensions as labels, since a constant added to all logits of a sample is free. σ₊ on the "
          "logits instead does not constrain features.",
      .formula = "f₊(x)·w_y = log P(y|x) + a(x)  ⇔  softmax = P(y|x)  ⇔  L = H(y|x)",
      .measured = {at_most("largest |softmax(f₊·w) − P(y|x)|, closed form, k = L, w = I ≥ 0",
                           max_difference(softmax(features), labels.posterior), kExact),
                   at_most("its cross entropy above the Bayes one", labels.excess(features), kExact),
                   at_most("the same with a bias and k = L − 1", labels.excess(with_bias(labels.posterior)), kExact),
                   at_least("two labels, k = 1, no bias: least excess there can be", one_dimension_excess(two), 0.01),
                   at_most("NCE, trained, k = L: excess", nce.best, kTrained),
                   at_most("NCE with w ≥ 0, trained, k = L: excess", positive.best, kTrained),
                   at_most("σ₊ on logits: change under 10 rotations of f and w", turned.on_logits, kExact),
                   at_least("σ₊ on features: mean rise under the same", turned.on_features, 0.01),
                   for_information("σ₊ (ReLU) on logits, trained: excess of the worst of five starts", trap.worst),
                   for_information("starts that NCE needed, on average",
                                   static_cast<double>(nce.starts + positive.starts) / 2),
                   for_information("Bayes cross entropy H(y|x)", labels.entropy)},
      .explanation =
          "Closed form: f_y(x) = log P(y|x) − min log P(·|x). Excess is cross entropy above H(y|x), in "
          "nats; training is not convex and has up to five starts. With two labels and one feature f ≥ 0 "
          "without a bias, f(x)(w₁ − w₂) has one sign for all x. Logits can be cut at zero for free, so "
          "the features behind them can be turned as those of plain cross entropy can; and where ReLU cuts "
          "off the logit of a label, training gets no gradient for it. Unlike NCL's (5a), this optimum fixes "
          "f₊·w only: no uniqueness of f₊ is claimed."};
  theorem.verdict = judge(theorem.measured);
  return theorem;
}

}  // namespace

int64_t supervised_experiments() { return 1; }

std::vector<Theorem> supervised_theorems(const TheoryOptions& options, TheoryProgress& progress) {
  std::vector<Theorem> theorems = {non_negative_cross_entropy(options)};
  progress.done("theorem N");
  return theorems;
}

}  // namespace orthant::theory
