#pragma once

#include <cstdint>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/theory/activation.h"

// Cross entropy over a whole, known distribution P(x) [N], P(y|x) [N, L]: contrastive learning of two towers whose
// second one is a table of class weights (paper 2.7).

namespace orthant::theory {

// Rows of logits [N, L] as probabilities.
Matrix64 softmax(const Matrix64& logits);

// -E_x sum_y P(y|x) log softmax(logits(x))_y. At least conditional_entropy(), and equal to it just where the softmax is
// P(y|x).
double cross_entropy(const Matrix64& logits, const Matrix64& label_posterior, const std::vector<double>& marginal);

// H(y|x) = -E_x sum_y P(y|x) log P(y|x): the Bayes cross entropy.
double conditional_entropy(const Matrix64& label_posterior, const std::vector<double>& marginal);

// Where sigma+ stands: on features (NCE), on the weights too, or on the logits, which is another loss.
struct CrossEntropyOptions {
  int64_t dims = 4;
  Activation features = Activation::rep_relu;
  Activation weights = Activation::identity;
  Activation logits = Activation::identity;
  int64_t steps = 3000;
  double step_size = 0.1;  // features move by step_size N times the gradient, weights by step_size L times
  uint64_t seed = 0;
};

struct CrossEntropyModel {
  Matrix64 features;  // f [N, k], after the activation
  Matrix64 weights;   // w [L, k], likewise
  Matrix64 logits;    // [N, L], likewise
  double loss = 0;
};

// Full gradient descent with a momentum of 0.9 on tables of features and of weights, from random starts, without bias.
// Deterministic. std::invalid_argument for sizes that do not fit or are below 1, or a loss that does not stay finite.
CrossEntropyModel learn_cross_entropy(const Matrix64& label_posterior, const std::vector<double>& marginal,
                                      const CrossEntropyOptions& options);

}  // namespace orthant::theory
