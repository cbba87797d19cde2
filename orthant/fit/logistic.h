#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "orthant/core/features.h"
#include "orthant/core/matrix.h"

namespace orthant::fit {

constexpr const char* kLogisticIdentifier = "logistic/1";

// How far the work is.
struct FitProgress {
  int64_t fitted = 0;  // fits that are done, of all
  int64_t fits = 1;
  double l2 = 0;      // of the fit in work
  int64_t looks = 0;  // how often it has gone through all rows
};

// Multinomial logistic regression: the linear classifier W x + b that minimises
//
//   sum_i w_i cross_entropy(softmax(W x_i + b), y_i) / sum_i w_i  +  (l2 / 2) |W|^2,     w_i = class_weights[y_i],
//
// over the rows with a label, b free. The objective is strictly convex in W for l2 > 0: there is one solution, which
// neither the start nor the number of threads changes. Scikit-learn's C is 1 / (l2 N).
//
// The penalty is on the weights W of the features as they are, or, if `standardise`, on those of the features divided
// by their deviation, W * deviation. The search itself always works on centred and scaled features, which changes
// neither objective nor minimum: features of any mean and size can be fitted.
struct LogisticOptions {
  double l2 = 1e-3;
  bool standardise = false;                // the penalty is on weights of features of deviation 1 (0 stays 0)
  std::vector<double> class_weights = {};  // by class, 0 leaves a class out; empty: all 1
  int64_t max_iterations = 1000;           // of L-BFGS
  double tolerance = 1e-5;                 // converged when no slope along a weight of the scaled features is steeper
  int threads = 0;
  std::function<void(const FitProgress&)> progress = {};  // before each look at all rows; what it throws ends the work
};

struct LogisticModel {
  Matrix weights;            // [C, D], for features as they are, standardised or not; C is the largest label + 1
  std::vector<double> bias;  // [C]; minus infinity for a class without training rows, which is never predicted
  double l2 = 0;             // the strength it was fitted with
  double loss = 0;           // the minimum, the penalty included
  int64_t iterations = 0;
  bool converged = false;  // the tolerance was met; otherwise the model is where the search stopped
};

// Fits to features [N, D], dense or sparse (never densified; both give the same model to rounding), and labels [N],
// where -1 is unknown and passed over. Products are float32, sums over rows double; memory beyond the features is a few
// times C D. One class alone gives a model that always predicts it.
//
// std::invalid_argument for labels of another length or below -1, no labelled row, NaN or infinite features (with their
// position), an l2, tolerance or class weight that is negative or not finite, too few class weights.
LogisticModel fit_logistic(const Features& features, std::span<const int64_t> labels,
                           const LogisticOptions& options = {});

struct BestOptions {
  std::vector<double> l2 = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5};  // strengths to try, options.l2 of the fit is not used
  double held_out = 0.2;                                    // share of each class's rows, rounded down
  uint64_t seed = 0;                                        // which rows
};

// The strength with the highest accuracy on held-out rows of these (training) rows, the largest of several equal ones;
// then the fit on all rows with it. If no row can be held out, the middle of the grid. Each fit of the grid starts
// where the one before ended. std::invalid_argument as above, for an empty grid or a share outside [0, 1).
LogisticModel fit_best(const Features& features, std::span<const int64_t> labels, const LogisticOptions& options = {},
                       const BestOptions& best = {});

// W x + b [N, C] of features [N, D]. std::invalid_argument if D is not the model's.
Matrix logits(const LogisticModel& model, const Features& features, int threads = 0);

// The class with the largest logit for each row, the first of equal ones.
std::vector<int64_t> predict(const LogisticModel& model, const Features& features, int threads = 0);

// Shares of the labelled rows whose class is the likeliest (top1) or among the five likeliest (top5), equal logits
// ranked by class number. A class that the model never saw counts as wrong. Zero of zero rows is 0.
struct Accuracy {
  double top1 = 0;
  double top5 = 0;
  int64_t rows = 0;  // labelled rows
};
Accuracy accuracy(const LogisticModel& model, const Features& features, std::span<const int64_t> labels,
                  int threads = 0);

}  // namespace orthant::fit
