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

// Theorems 1, 2, 3, 4, 6 and the two-modality version: identities, checked to 1e-10 of the size of what they compare.
std::vector<Theorem> identity_theorems(const TheoryOptions& options, TheoryProgress& progress);

// Theorem 5: recovery with k = m ("5a"), with more dimensions than classes ("5b"), without anchors ("5c").
std::vector<Theorem> recovery_theorems(const TheoryOptions& options, TheoryProgress& progress);

// Fills the curves of the report.
void add_curves(TheoryReport& report, TheoryProgress& progress);

// Fills the pictures of the report.
void add_pictures(TheoryReport& report, TheoryProgress& progress);

// The world of the experiments with the given overlap; worlds of different seeds are independent.
LatentClasses make_world(const TheoryOptions& options, double overlap, bool anchors, uint64_t seed);

// `expected` and `met` from a bound: value <= bound, or >= bound.
Measurement at_most(std::string label, double value, double bound);
Measurement at_least(std::string label, double value, double bound);
Measurement for_information(std::string label, double value);

// A number as people write it: 0.8, 1e-10.
std::string format_number(double value);

// `good` if every measurement is met, otherwise `fails`.
Verdict judge(const std::vector<Measurement>& measured, Verdict good = Verdict::holds);

}  // namespace orthant::theory
