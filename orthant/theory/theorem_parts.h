#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/theory/simulator.h"
#include "orthant/theory/theorems.h"

// The pieces that run_theory() is put together from.

namespace orthant::theory {

// Counts finished experiments; safe from several threads.
class TheoryProgress {
 public:
  TheoryProgress(const TheoryOptions& options, int64_t total) : options_(options), total_(total) {}

  void done(const std::string& what) {
    const std::scoped_lock lock(mutex_);
    ++done_;
    if (options_.progress) options_.progress(done_, total_, what);
  }

 private:
  const TheoryOptions& options_;
  int64_t total_;
  int64_t done_ = 0;
  std::mutex mutex_;
};

// The numbers of progress steps that each part takes.
int64_t identity_experiments();
int64_t recovery_experiments(const TheoryOptions& options);
int64_t curve_experiments(const TheoryOptions& options);
int64_t tower_experiments(const TheoryOptions& options);
int64_t supervised_experiments();
int64_t overlap_experiments(const TheoryOptions& options);

constexpr double kExact = 1e-10;        // an identity holds to this, relative to what it compares
constexpr double kRecovered = 0.99;     // |cos| from which on a class counts as found
constexpr double kNotRecovered = 0.98;  // and up to which as not found
constexpr int kDraws = 10;              // of random features or rotations that an identity is tried on

// Theorems 1, 2, 3, 4 and 6: identities, checked to kExact.
std::vector<Theorem> identity_theorems(const TheoryOptions& options, TheoryProgress& progress);

// Theorem 5: recovery with k = m ("5a"), with more dimensions than classes ("5b"), without anchors ("5c").
std::vector<Theorem> recovery_theorems(const TheoryOptions& options, TheoryProgress& progress);

// Two modalities: the identity and the optimum ("Ma"), recovery ("Mb"), anchors on one side only ("Mc").
std::vector<Theorem> tower_theorems(const TheoryOptions& options, TheoryProgress& progress);

// Non-negative cross entropy: its optimum, the dimensions it needs, and what is not it ("N").
std::vector<Theorem> supervised_theorems(const TheoryOptions& options, TheoryProgress& progress);

// Items of several classes ("O"); fills the report's curves of it.
Theorem overlap_theorem(TheoryReport& report, TheoryProgress& progress);

// Fills the curves of the report.
void add_curves(TheoryReport& report, TheoryProgress& progress);

// Fills the pictures of the report.
void add_pictures(TheoryReport& report, TheoryProgress& progress);

// The world of the experiments with the given overlap; worlds of different seeds are independent.
LatentClasses make_world(const TheoryOptions& options, double overlap, bool anchors, uint64_t seed);

// Half-normal features >= 0, half of them zero; other draws are independent.
Matrix64 random_features(int64_t rows, int64_t cols, uint64_t seed, uint32_t draw);

Matrix64 rectified(Matrix64 matrix);                          // max(x, 0)
double max_difference(const Matrix64& a, const Matrix64& b);  // the largest |a - b|, of matrices of one size

// P(y|c) [labels, m] of the experiments with labels: classes share labels in turn, and a tenth of the labels is drawn
// at random. label_count(): two classes to a label, but at least two labels.
int64_t label_count(int64_t classes);
Matrix64 label_given_class(int64_t classes, int64_t labels);

// `expected` and `met` from a bound: value <= bound, or >= bound.
Measurement at_most(std::string label, double value, double bound);
Measurement at_least(std::string label, double value, double bound);
Measurement for_information(std::string label, double value);

// A number as people write it: 0.8, 1e-10.
std::string format_number(double value);

// `good` if every measurement is met, otherwise `fails`.
Verdict judge(const std::vector<Measurement>& measured, Verdict good = Verdict::holds);

}  // namespace orthant::theory
