#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "orthant/core/matrix.h"

namespace orthant::theory {

// How often the experiments are repeated, and in what world. Every number of the result follows from these.
struct TheoryOptions {
  int64_t classes = 8;    // m, at least 2
  int64_t samples = 400;  // N, at least classes; work grows with its square
  double overlap = 0.1;   // 0 to 0.95, as in LatentClassOptions
  int64_t dims = 8;       // k of the learned features, at least classes (below, no method can reach the optimum)
  uint64_t seed = 0;
  int64_t seeds = 10;       // worlds in which recovery is tried, at least 1
  int64_t curve_seeds = 3;  // worlds per point of a curve; 0: no curves
  int threads = 0;          // 0: what the machine offers; results do not depend on it
  // Told of every finished experiment, under a lock but from any thread; may throw to stop.
  std::function<void(int64_t done, int64_t total, const std::string& what)> progress = {};
};

enum class Verdict {
  holds,               // measured as stated
  fails_as_predicted,  // a condition was taken away on purpose, and the claim broke as the theory says
  fails,               // neither: something measured is not as stated
};
std::string to_string(Verdict verdict);

struct Measurement {
  std::string label;
  double value = 0;
  std::string expected;  // such as "<= 1e-10", or empty: for information
  bool met = true;
};

// Mean over worlds, with the smallest and largest.
struct Curve {
  std::string label;
  std::vector<double> x;
  std::vector<double> mean;
  std::vector<double> low;
  std::vector<double> high;
};

// One statement of the paper as an experiment.
struct Theorem {
  std::string id;         // "1", "5b"; "Ma" to "Mc" for two modalities, "N" for cross entropy, "O" for overlap
  std::string title;      // a few words
  std::string statement;  // plain words
  std::string formula;
  std::vector<Measurement> measured = {};
  Verdict verdict = Verdict::fails;
  std::string explanation = {};  // what was done, and how to read the figures
  // Of 5b: the live columns of each method in all worlds, as points: share of ‖F₊‖² (x) and |cos| with one class.
  std::vector<Curve> columns = {};
};

// Factors [N, columns] with columns in the order of the latent classes, rows by home class.
struct FactorPicture {
  std::string title;
  double cosine = 0;  // mean matched |cos| with the closed form
  Matrix64 factors;
};

// How well P(c|x) is recovered against overlap, a curve for each method.
struct OverlapCurves {
  std::vector<Curve> worst;  // matched |cos| of the worst class
  std::vector<Curve> mean;   // of all classes
  std::vector<Curve> zeros;  // share of P(c|x) below 1e-3, as recovered; the last curve is P(c|x) itself
};

struct TheoryReport {
  TheoryOptions options;
  std::vector<Theorem> theorems;
  std::vector<Curve> recovery_by_overlap;  // matched |cos| against overlap
  std::vector<Curve> recovery_by_pairs;    // matched |cos| against number of positive pairs
  std::vector<Curve> error_by_overlap;     // downstream error of a linear head against overlap
  OverlapCurves overlap_anchored;          // of "O", in worlds with anchors
  OverlapCurves overlap_bare;              // and without
  std::vector<FactorPicture> pictures;     // closed form, CL, CL rotated, NCL, SymNMF
  std::vector<int64_t> homes;              // home class of each row of the pictures

  bool as_predicted() const;  // no verdict is `fails`
};

// Runs every theorem as an experiment. About 50 seconds of processor time with the defaults. Deterministic: the same
// options give the same report, for every number of threads. std::invalid_argument for options outside their ranges.
TheoryReport run_theory(const TheoryOptions& options = {});

}  // namespace orthant::theory
