#include <algorithm>
#include <array>
#include <cmath>

#include "orthant/core/threads.h"
#include "orthant/linalg/products.h"
#include "orthant/theory/learners.h"
#include "orthant/theory/linear_head.h"
#include "orthant/theory/matching.h"
#include "orthant/theory/theorem_parts.h"

namespace orthant::theory {
namespace {

constexpr std::array kOverlaps = {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
constexpr std::array<int64_t, 6> kPairsPerSample = {10, 30, 100, 300, 1000, 3000};

// values[point][curve] of every world, to be summed up.
using Points = std::vector<std::vector<double>>;

Curve summarize(const std::string& label, const std::vector<double>& x, const Points& jobs, size_t worlds,
                size_t curve) {
  Curve result{.label = label, .x = x, .mean = {}, .low = {}, .high = {}};
  for (size_t point = 0; point < x.size(); ++point) {
    double sum = 0;
    double low = 1e300;
    double high = -1e300;
    for (size_t world = 0; world < worlds; ++world) {
      const double value = jobs[point * worlds + world][curve];
      sum += value;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    result.mean.push_back(sum / static_cast<double>(worlds));
    result.low.push_back(low);
    result.high.push_back(high);
  }
  return result;
}

// One label to a class, so that the error without overlap is 0.
double head_error(const LatentClasses& world, const Matrix64& factors) {
  const Matrix64 features = from_factors(factors, world.marginal);
  return decision_error(linear_head_scores(features, world.posterior, world.marginal), world.posterior, world.marginal);
}

std::vector<double> one_overlap(const TheoryOptions& options, double overlap, uint64_t seed) {
  const LatentClasses world = make_world(options, overlap, true, seed);
  const Matrix64 cooccurrence = world.cooccurrence();
  const Matrix64 truth = to_factors(world.optimal_features(), world.marginal);
  const PairSampler sampler(world);
  const PairSource source = [&](Rng& rng) { return sampler.draw(rng); };
  const double optimum = -linalg::squared_norm(cooccurrence);
  const Matrix64 nmf = learn(Learner::symnmf_hals, cooccurrence, options.classes, seed).factors;
  const Matrix64 ncl = learn(Learner::ncl, source, world.marginal, optimum, options.classes, seed).factors;
  const Matrix64 cl = learn(Learner::spectral_rotated, cooccurrence, options.classes, seed).factors;
  const LatentClasses mixed = make_world(options, overlap, false, seed);
  const Matrix64 mixed_truth = to_factors(mixed.optimal_features(), mixed.marginal);
  const Matrix64 unanchored = learn(Learner::symnmf_hals, mixed.cooccurrence(), options.classes, seed).factors;
  return {match_columns(truth, nmf).mean,
          match_columns(truth, ncl).mean,
          match_columns(mixed_truth, unanchored).mean,
          match_columns(truth, cl).mean,
          decision_error(world.posterior, world.posterior, world.marginal),
          head_error(world, nmf),
          head_error(world, ncl),
          head_error(world, cl)};
}

// Learned from what was seen only; measured with the true P(x).
std::vector<double> one_count(const TheoryOptions& options, int64_t count, uint64_t seed) {
  const LatentClasses world = make_world(options, options.overlap, true, seed);
  const Matrix64 truth = to_factors(world.optimal_features(), world.marginal);
  const std::vector<Pair> pairs = PairSampler(world).draw(count, seed);
  const EmpiricalCooccurrence seen = empirical_cooccurrence(pairs, world.samples());
  const auto measure = [&](const Matrix64& factors) {
    return match_columns(truth, to_factors(from_factors(factors, seen.marginal), world.marginal)).mean;
  };
  const double optimum = -linalg::squared_norm(world.cooccurrence());
  return {measure(learn(Learner::symnmf_hals, seen.matrix, options.classes, seed).factors),
          measure(learn(Learner::ncl, resample(pairs), seen.marginal, optimum, options.classes, seed).factors),
          measure(learn(Learner::spectral_rotated, seen.matrix, options.classes, seed).factors)};
}

template <class Job>
Points run(size_t points, const TheoryOptions& options, TheoryProgress& progress, const std::string& what,
           const Job& job) {
  const auto worlds = static_cast<size_t>(options.curve_seeds);
  Points results(points * worlds);
  parallel_for(static_cast<int64_t>(results.size()), 1, options.threads, [&](int64_t i, int64_t) {
    const auto index = static_cast<size_t>(i);
    results[index] = job(index / worlds, options.seed + index % worlds);
    progress.done(what);
  });
  return results;
}

}  // namespace

int64_t curve_experiments(const TheoryOptions& options) {
  return options.curve_seeds * static_cast<int64_t>(kOverlaps.size() + kPairsPerSample.size());
}

void add_curves(TheoryReport& report, TheoryProgress& progress) {
  const TheoryOptions& options = report.options;
  if (options.curve_seeds == 0) return;
  const auto worlds = static_cast<size_t>(options.curve_seeds);
  const std::vector<double> overlaps(kOverlaps.begin(), kOverlaps.end());
  const Points by_overlap =
      run(overlaps.size(), options, progress, "recovery against overlap",
          [&](size_t point, uint64_t seed) { return one_overlap(options, overlaps[point], seed); });
  const char* const recovery[] = {"SymNMF", "NCL", "SymNMF, no anchors", "CL, rotated"};
  const char* const errors[] = {"Bayes", "SymNMF", "NCL", "CL, rotated"};
  for (size_t i = 0; i < std::size(recovery); ++i) {
    report.recovery_by_overlap.push_back(summarize(recovery[i], overlaps, by_overlap, worlds, i));
  }
  for (size_t i = 0; i < std::size(errors); ++i) {
    report.error_by_overlap.push_back(summarize(errors[i], overlaps, by_overlap, worlds, std::size(recovery) + i));
  }

  std::vector<int64_t> counts;
  std::vector<double> pairs;
  for (const int64_t each : kPairsPerSample) {
    counts.push_back(each * options.samples);
    pairs.push_back(static_cast<double>(counts.back()));
  }
  const Points by_pairs = run(counts.size(), options, progress, "recovery against pairs",
                              [&](size_t point, uint64_t seed) { return one_count(options, counts[point], seed); });
  const char* const labels[] = {"SymNMF", "NCL", "CL, rotated"};
  for (size_t i = 0; i < std::size(labels); ++i) {
    report.recovery_by_pairs.push_back(summarize(labels[i], pairs, by_pairs, worlds, i));
  }
}

void add_pictures(TheoryReport& report, TheoryProgress& progress) {
  const TheoryOptions& options = report.options;
  const LatentClasses world = make_world(options, options.overlap, true, options.seed);
  const Matrix64 cooccurrence = world.cooccurrence();
  const Matrix64 truth = to_factors(world.optimal_features(), world.marginal);
  const PairSampler sampler(world);
  const PairSource source = [&](Rng& rng) { return sampler.draw(rng); };
  const auto add = [&](const std::string& title, const Matrix64& factors) {
    report.pictures.push_back({title, match_columns(truth, factors).mean, reorder_columns(truth, factors)});
  };
  report.homes = world.home;
  add("Closed form φ", truth);
  add("CL, eigenvectors", learn(Learner::spectral, cooccurrence, options.dims, options.seed).factors);
  add("CL, rotated", learn(Learner::spectral_rotated, cooccurrence, options.dims, options.seed).factors);
  add("NCL, stochastic",
      learn(Learner::ncl, source, world.marginal, -linalg::squared_norm(cooccurrence), options.dims, options.seed)
          .factors);
  add("SymNMF", learn(Learner::symnmf_hals, cooccurrence, options.dims, options.seed).factors);
  progress.done("pictures");
}

}  // namespace orthant::theory
