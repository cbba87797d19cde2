#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "orthant/core/threads.h"
#include "orthant/linalg/products.h"
#include "orthant/theory/learners.h"
#include "orthant/theory/matching.h"
#include "orthant/theory/starts.h"
#include "orthant/theory/tabular.h"
#include "orthant/theory/theorem_parts.h"

namespace orthant::theory {
namespace {

constexpr std::array kOverlaps = {0.0, 0.2, 0.4, 0.6, 0.8};
constexpr int64_t kSamplesPerClass = 10;
constexpr int64_t kMostWorlds = 3;
constexpr double kZero = 1e-3;            // P(c|x) below this is none
constexpr double kTableRecovered = 0.98;  // of a table, where Adam stops short of the optimum
constexpr double kSoft = 0.5;
constexpr double kSharp = 0.1;

enum Method : size_t { kSymNmf, kSpectral, kInfoNceSoft, kInfoNceSharp, kMethods };
constexpr std::array kNames = {"SymNMF", "NCL, spectral loss", "InfoNCE, t = 0.5", "InfoNCE, t = 0.1"};
constexpr auto kFlat = "the guess P(c)";

// How well P(c|x) was recovered.
struct Recovered {
  double worst = 0;  // |cos| of the worst column with its class
  double mean = 0;
  double zeros = 0;  // share of entries below kZero
};

struct Outcome {
  std::array<Recovered, kMethods> methods;
  Recovered flat;         // what the guess P(c|x) = P(c) scores
  double true_zeros = 0;  // of P(c|x) itself
  double temperature = 0;
};

// Rows of length 1, then times sqrt(P(x)): what the losses see of features, as factors.
Matrix64 directions(Matrix64 features, const std::vector<double>& marginal) {
  for (int64_t x = 0; x < features.rows(); ++x) {
    double sum = 0;
    for (const double value : features.row(x)) sum += value * value;
    const double scale = sum > 0 ? std::sqrt(marginal[static_cast<size_t>(x)] / sum) : 0;
    for (double& value : features.mutable_row(x)) value *= scale;
  }
  return features;
}

double zeros_of(const Matrix64& posterior) {
  const auto zeros = std::ranges::count_if(posterior.values(), [](double p) { return p < kZero; });
  return static_cast<double>(zeros) / static_cast<double>(posterior.size());
}

Recovered judge_posterior(const LatentClasses& world, const Matrix64& posterior) {
  const Matrix64 cosines =
      column_cosines(to_factors(world.posterior, world.marginal), to_factors(posterior, world.marginal));
  Recovered found{.worst = 1, .mean = 0, .zeros = zeros_of(posterior)};
  for (int64_t c = 0; c < posterior.cols(); ++c) {
    found.worst = std::min(found.worst, cosines(c, c));
    found.mean += cosines(c, c) / static_cast<double>(posterior.cols());
  }
  return found;
}

// The optimum is P(c|x) / sqrt(P(c)) (Theorem 3), so matched features times sqrt(P(c)), rows scaled to the sum 1, are
// what a method takes for P(c|x).
Recovered judge_features(const LatentClasses& world, const Matrix64& features) {
  const MatchedColumns matched =
      match_columns(directions(world.optimal_features(), world.marginal), directions(features, world.marginal));
  Matrix64 posterior(world.samples(), world.classes());
  for (int64_t x = 0; x < posterior.rows(); ++x) {
    double sum = 0;
    for (int64_t c = 0; c < posterior.cols(); ++c) {
      const auto at = static_cast<size_t>(c);
      posterior(x, c) = std::sqrt(world.prior[at]) * features(x, matched.permutation[at]);
      sum += posterior(x, c);
    }
    for (double& p : posterior.mutable_row(x)) p = sum > 0 ? p / sum : 0;
  }
  return judge_posterior(world, posterior);
}

// Of InfoNCE the optimum is not known, so the lowest loss of three starts counts.
Matrix64 by_info_nce(const Matrix64& joint, int64_t dims, double temperature, uint64_t seed) {
  TabularFeatures best{.features = {}, .loss = std::numeric_limits<double>::infinity()};
  for (uint64_t start = 0; start < 3; ++start) {
    TabularFeatures found = learn_tabular(joint, {.dims = dims,
                                                  .loss = TabularLoss::info_nce,
                                                  .temperature = temperature,
                                                  .steps = 300,
                                                  .seed = seed + 7919 * start});
    if (found.loss < best.loss) best = std::move(found);
  }
  return best.features;
}

// Long steps would push entries below zero, from where rep-ReLU brings them back slowly if at all.
Matrix64 by_spectral_loss(const Matrix64& joint, double optimum, int64_t dims, uint64_t seed) {
  const auto attempt = [&](uint64_t start) {
    TabularFeatures found = learn_tabular(joint, {.dims = dims, .steps = 2000, .step_size = 0.01, .seed = start});
    return Attempt<Matrix64>{std::move(found.features), 1 - found.loss / optimum};
  };
  return best_of<Matrix64>(attempt, 0.25 / static_cast<double>(dims), seed).result;
}

// The temperature at which cosines from 0 to 1 span what InfoNCE has to tell, log P(x, x') / P(x) P(x'); 0 if that is
// without bound.
double spanning_temperature(const Matrix64& joint, const std::vector<double>& marginal) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for (int64_t x = 0; x < joint.rows(); ++x) {
    for (int64_t y = 0; y < joint.cols(); ++y) {
      const double ratio = joint(x, y) / (marginal[static_cast<size_t>(x)] * marginal[static_cast<size_t>(y)]);
      low = std::min(low, ratio);
      high = std::max(high, ratio);
    }
  }
  return low > 0 ? 1 / std::log(high / low) : 0;
}

Outcome learn_all(const LatentClasses& world, uint64_t seed) {
  const Matrix64 cooccurrence = world.cooccurrence();
  const Matrix64 joint = world.joint();
  const int64_t dims = world.classes();
  const Matrix64 factors = learn(Learner::symnmf_hals, cooccurrence, dims, seed).factors;
  Outcome outcome;
  outcome.methods[kSymNmf] = judge_features(world, from_factors(factors, world.marginal));
  outcome.methods[kSpectral] =
      judge_features(world, by_spectral_loss(joint, -linalg::squared_norm(cooccurrence), dims, seed));
  outcome.methods[kInfoNceSoft] = judge_features(world, by_info_nce(joint, dims, kSoft, seed));
  outcome.methods[kInfoNceSharp] = judge_features(world, by_info_nce(joint, dims, kSharp, seed));
  Matrix64 flat(world.samples(), world.classes());
  for (int64_t x = 0; x < flat.rows(); ++x) std::ranges::copy(world.prior, flat.mutable_row(x).begin());
  outcome.flat = judge_posterior(world, flat);
  outcome.true_zeros = zeros_of(world.posterior);
  outcome.temperature = spanning_temperature(joint, world.marginal);
  return outcome;
}

// outcomes[overlap][world]
using Outcomes = std::vector<std::vector<Outcome>>;

template <class Value>
Curve curve_of(const std::string& label, const Outcomes& outcomes, const Value& value) {
  Curve curve{.label = label, .x = {kOverlaps.begin(), kOverlaps.end()}, .mean = {}, .low = {}, .high = {}};
  for (const std::vector<Outcome>& worlds : outcomes) {
    std::vector<double> values;
    double sum = 0;
    for (const Outcome& outcome : worlds) sum += values.emplace_back(value(outcome));
    curve.mean.push_back(sum / static_cast<double>(values.size()));
    curve.low.push_back(std::ranges::min(values));
    curve.high.push_back(std::ranges::max(values));
  }
  return curve;
}

OverlapCurves curves_of(const Outcomes& outcomes) {
  OverlapCurves curves;
  for (size_t m = 0; m < kMethods; ++m) {
    curves.worst.push_back(curve_of(kNames[m], outcomes, [m](const Outcome& o) { return o.methods[m].worst; }));
    curves.mean.push_back(curve_of(kNames[m], outcomes, [m](const Outcome& o) { return o.methods[m].mean; }));
    curves.zeros.push_back(curve_of(kNames[m], outcomes, [m](const Outcome& o) { return o.methods[m].zeros; }));
  }
  curves.worst.push_back(curve_of(kFlat, outcomes, [](const Outcome& o) { return o.flat.worst; }));
  curves.mean.push_back(curve_of(kFlat, outcomes, [](const Outcome& o) { return o.flat.mean; }));
  curves.zeros.push_back(curve_of("P(c|x) itself", outcomes, [](const Outcome& o) { return o.true_zeros; }));
  return curves;
}

// The smallest overlap at which the worst column of all worlds is below kRecovered; 1: none was.
double breaks_at(const Curve& worst) {
  for (size_t i = 0; i < worst.x.size(); ++i) {
    if (worst.low[i] < kRecovered) return worst.x[i];
  }
  return 1;
}

double worst_of(const Curve& curve) { return std::ranges::min(curve.low); }

void measure_overlap(const TheoryReport& report, const Outcomes& bare, Theorem& theorem) {
  const std::vector<Curve>& with = report.overlap_anchored.worst;
  const std::vector<Curve>& without = report.overlap_bare.worst;
  std::vector<Measurement>& measured = theorem.measured;
  for (const size_t m : {kSymNmf, kSpectral}) {
    measured.push_back(at_least(std::string("anchors, ") + kNames[m] + ": worst class at any overlap",
                                worst_of(with[m]), m == kSymNmf ? kRecovered : kTableRecovered));
  }
  // Two classes leave little to mix: their columns stay apart.
  const std::string unanchored = "no anchors, SymNMF: worst class at any overlap";
  measured.push_back(report.options.classes > 2 ? at_most(unanchored, worst_of(without[kSymNmf]), kNotRecovered)
                                                : for_information(unanchored, worst_of(without[kSymNmf])));
  for (const size_t m : {kInfoNceSoft, kInfoNceSharp}) {
    measured.push_back(
        for_information(std::string("anchors, ") + kNames[m] + ": worst class at any overlap", worst_of(with[m])));
  }
  for (const auto& [name, curves] : {std::pair("anchors, ", &with), std::pair("no anchors, ", &without)}) {
    for (size_t m = 0; m < kMethods; ++m) {
      measured.push_back(for_information(
          name + (*curves)[m].label + ": first overlap with a class below 0.99, 1 if none", breaks_at((*curves)[m])));
    }
  }
  for (const size_t i : {size_t{1}, kOverlaps.size() - 1}) {
    measured.push_back(
        for_information("temperature that spans the world, no anchors, overlap " + format_number(kOverlaps[i]),
                        bare[i].front().temperature));
  }
}

}  // namespace

int64_t overlap_experiments(const TheoryOptions& options) {
  return 2 * static_cast<int64_t>(kOverlaps.size()) * std::min(options.seeds, kMostWorlds);
}

Theorem overlap_theorem(TheoryReport& report, TheoryProgress& progress) {
  TheoryOptions options = report.options;
  options.samples = std::min(options.samples, kSamplesPerClass * options.classes);
  const auto worlds = static_cast<size_t>(std::min(options.seeds, kMostWorlds));
  std::array<Outcomes, 2> outcomes;
  for (Outcomes& each : outcomes) each.assign(kOverlaps.size(), std::vector<Outcome>(worlds));
  parallel_for(overlap_experiments(options), 1, options.threads, [&](int64_t job, int64_t) {
    const auto index = static_cast<size_t>(job);
    const bool anchors = index % 2 == 0;
    const size_t world = index / 2 % worlds;
    const size_t overlap = index / 2 / worlds;
    const uint64_t seed = options.seed + world;
    outcomes[anchors ? 0 : 1][overlap][world] = learn_all(make_world(options, kOverlaps[overlap], anchors, seed), seed);
    progress.done("items of several classes");
  });
  report.overlap_anchored = curves_of(outcomes[0]);
  report.overlap_bare = curves_of(outcomes[1]);
  Theorem theorem{
      .id = "O",
      .title = "Items of several classes",
      .statement =
          "The more items share classes, the flatter P(c|x). With anchors the non-negative optimum is still "
          "P(c|x), whatever the overlap; without anchors that is lost as classes mix. InfoNCE is no factorisation: "
          "what its features are depends on the temperature.",
      .formula = "P̂(c|x) ∝ √P(c) f₊(x)_c   against   P(c|x)"};
  measure_overlap(report, outcomes[1], theorem);
  theorem.verdict = judge(theorem.measured);
  theorem.explanation =
      "Worlds of " + std::to_string(options.samples) + " samples with overlaps from 0 to 0.8, " +
      std::to_string(worlds) +
      " of each. Figures are |cos| between P(c|x) as a method has it and as it is, of the worst class of the worst "
      "world. Tables are trained on the whole distribution, so no noise of sampling is in it. With much overlap P(c|x) "
      "is nearly flat, and the guess P(c) scores high: compare with its curve. A temperature spans the world if "
      "cosines "
      "from 0 to 1 are just enough for log P(x,x')/P(x)P(x'); with a sharper one all features crowd together, dense "
      "and "
      "mixed.";
  return theorem;
}

}  // namespace orthant::theory
