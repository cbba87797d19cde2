#include <algorithm>
#include <cmath>
#include <limits>

#include "orthant/core/rng.h"
#include "orthant/core/threads.h"
#include "orthant/linalg/products.h"
#include "orthant/theory/learners.h"
#include "orthant/theory/matching.h"
#include "orthant/theory/population_loss.h"
#include "orthant/theory/theorem_parts.h"

namespace orthant::theory {
namespace {

constexpr uint16_t kPairOrderStream = 0xff18;

constexpr Learner kLearners[] = {Learner::symnmf_mu,   Learner::symnmf_pgd, Learner::symnmf_cd,
                                 Learner::symnmf_hals, Learner::ncl,        Learner::spectral_rotated,
                                 Learner::spectral,    Learner::cl};

// How long a method goes on: steps of a stochastic one, tolerance of a solver.
struct Patience {
  int64_t steps = 1000;
  double tolerance = 1e-8;
};

Learned learn_in(const LatentClasses& world, Learner learner, int64_t dims, uint64_t seed,
                 const Patience& patience = {}) {
  const Matrix64 cooccurrence = world.cooccurrence();
  if (learner != Learner::ncl && learner != Learner::cl) {
    return learn(learner, cooccurrence, dims, seed, patience.tolerance);
  }
  const PairSampler sampler(world);
  const PairSource source = [&](Rng& rng) { return sampler.draw(rng); };
  return learn(learner, source, world.marginal, -linalg::squared_norm(cooccurrence), dims, seed, patience.steps);
}

struct Recovery {
  MatchedColumns matched;
  int64_t starts = 0;
};

Theorem unique_recovery(const TheoryOptions& options, TheoryProgress& progress) {
  constexpr auto kCount = static_cast<int64_t>(std::size(kLearners));
  std::vector<Recovery> recoveries(static_cast<size_t>(options.seeds * kCount));
  parallel_for(static_cast<int64_t>(recoveries.size()), 1, options.threads, [&](int64_t job, int64_t) {
    const uint64_t seed = options.seed + static_cast<uint64_t>(job / kCount);
    const LatentClasses world = make_world(options, options.overlap, true, seed);
    const Learner learner = kLearners[job % kCount];
    const Learned learned = learn_in(world, learner, options.classes, seed);
    const Matrix64 truth = to_factors(world.optimal_features(), world.marginal);
    recoveries[static_cast<size_t>(job)] = {match_columns(truth, learned.factors), learned.starts};
    progress.done("recovery by " + name(learner));
  });

  Theorem theorem{.id = "5a",
                  .title = "Recovery up to permutation",
                  .statement =
                      "If every class has a sample of its own (an anchor), the optimal non-negative features "
                      "are unique up to the order of the dimensions: every method that reaches the optimum "
                      "finds the latent classes. Without the sign constraint they are not found.",
                  .formula = "F₊F₊ᵀ = Ā, F₊ ≥ 0  ⇒  F₊ = F_φ Π, Π a permutation"};
  double starts = 0;
  double counted = 0;
  for (int64_t l = 0; l < kCount; ++l) {
    const Learner learner = kLearners[l];
    double worst = 1;
    double mean = 0;
    for (int64_t s = 0; s < options.seeds; ++s) {
      const Recovery& recovery = recoveries[static_cast<size_t>(s * kCount + l)];
      worst = std::min(worst, recovery.matched.min);
      mean += recovery.matched.mean / static_cast<double>(options.seeds);
      starts += non_negative(learner) ? static_cast<double>(recovery.starts) : 0;
      counted += non_negative(learner) ? 1 : 0;
    }
    if (non_negative(learner)) {
      theorem.measured.push_back(at_least(name(learner) + ": worst class of all worlds", worst, kRecovered));
    } else if (learner == Learner::spectral) {
      theorem.measured.push_back(for_information(name(learner) + " as they come: mean of all worlds", mean));
    } else {
      theorem.measured.push_back(at_most(name(learner) + ": mean of all worlds", mean, kNotRecovered));
    }
  }
  theorem.measured.push_back(for_information("starts that a non-negative method needed, on average", starts / counted));
  theorem.verdict = judge(theorem.measured);
  theorem.explanation =
      "Figures are |cos| between learned columns and latent-class columns after the best one-to-one matching, over " +
      std::to_string(options.seeds) +
      " worlds: 1 is perfect. The problem is not convex; a start that ends in a local optimum is known by its loss and "
      "replaced. Eigenvectors as they come are one arbitrary choice among rotations.";
  if (theorem.verdict == Verdict::fails) {
    theorem.explanation +=
        " A method that stays below has not reached the optimum, which grows flat as classes overlap "
        "more or outnumber what the samples can tell; uniqueness itself is not refuted by it.";
  }
  return theorem;
}

constexpr Learner kSplitters[] = {Learner::symnmf_hals, Learner::symnmf_cd, Learner::ncl};
constexpr int64_t kSplitWorlds = 3;

// The worst of the worlds for one method, and all its columns as points of a chart.
void judge_split(Learner learner, const std::vector<SplitColumns>& worlds, const TheoryOptions& options, int64_t dims,
                 Theorem& theorem) {
  const std::string who = name(learner);
  Curve dots{.label = who, .x = {}, .mean = {}, .low = {}, .high = {}};
  double carrying = 1;
  double live = 1;
  double covered = 1;
  double impure = 0;
  double count = 0;
  for (const SplitColumns& split : worlds) {
    carrying = std::min(carrying, split.worst_carrying);
    live = std::min(live, split.worst);
    covered = std::min(covered, static_cast<double>(split.classes_covered) / static_cast<double>(options.classes));
    impure = std::max(impure, split.impure_share);
    count += static_cast<double>(split.carrying) / static_cast<double>(worlds.size());
    for (const auto& [share, cosine] : split.live) {
      dots.x.push_back(share);
      for (auto* values : {&dots.mean, &dots.low, &dots.high}) values->push_back(cosine);
    }
  }
  theorem.columns.push_back(std::move(dots));
  theorem.measured.push_back(at_least(who + ": worst |cos| of a column that carries weight", carrying, kRecovered));
  theorem.measured.push_back(at_least(who + ": classes covered", covered, 1));
  theorem.measured.push_back(for_information(who + ": share of ‖F₊‖² in columns below 0.99", impure));
  theorem.measured.push_back(
      for_information(who + ": columns that carry weight, of " + std::to_string(dims) + ", on average", count));
  theorem.measured.push_back(for_information(who + ": worst |cos| of any live column", live));
}

Theorem split_classes(const TheoryOptions& options, TheoryProgress& progress) {
  const int64_t wanted = options.dims > options.classes ? options.dims : 2 * options.classes;
  const int64_t dims = std::min(wanted, options.samples);
  const int64_t worlds = std::min(options.seeds, kSplitWorlds);
  std::vector<std::vector<SplitColumns>> splits(std::size(kSplitters),
                                                std::vector<SplitColumns>(static_cast<size_t>(worlds)));
  parallel_for(static_cast<int64_t>(splits.size()) * worlds, 1, options.threads, [&](int64_t job, int64_t) {
    const uint64_t seed = options.seed + static_cast<uint64_t>(job % worlds);
    const LatentClasses world = make_world(options, options.overlap, true, seed);
    const Learner learner = kSplitters[job / worlds];
    const Matrix64 truth = to_factors(world.optimal_features(), world.marginal);
    const Matrix64 found = learn_in(world, learner, dims, seed, {.steps = 4000, .tolerance = 1e-10}).factors;
    splits[static_cast<size_t>(job / worlds)][static_cast<size_t>(job % worlds)] = split_columns(truth, found);
    progress.done("more dimensions by " + name(learner));
  });
  Theorem theorem{.id = "5b",
                  .title = "More dimensions than classes",
                  .statement =
                      "With more dimensions than classes a class may be split over several dimensions, but every "
                      "dimension that carries weight still stands for one class only.",
                  .formula = "k > m:  each column of F₊ is a scaled copy of one column of F_φ, or zero"};
  for (size_t l = 0; l < splits.size(); ++l) judge_split(kSplitters[l], splits[l], options, dims, theorem);
  theorem.verdict = judge(theorem.measured);
  theorem.explanation =
      "For every column the |cos| with the class it fits best; the worst of " + std::to_string(worlds) +
      " worlds, never a mean. A column carries weight if it holds at least half of an equal share of ‖F₊‖², 1/(2k) = " +
      format_number(0.5 / static_cast<double>(dims)) +
      ". A class is covered if a column has |cos| of at least 0.99 with it. The formula is about the optimum itself: "
      "where a solver stops, its smallest columns still hold a mixture that makes up for the loss that is left, and "
      "they grow pure as it goes on. Those of stochastic NCL do not: the noise of sampling keeps them as mixtures.";
  return theorem;
}

// Another exact factor of the same matrix: pairs of columns are turned against each other as far as all entries stay
// non-negative. An anchor of class i allows no turn of column i at all.
Matrix64 turn_within_orthant(Matrix64 f, uint64_t seed) {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (int64_t i = 0; i < f.cols(); ++i) {
    for (int64_t j = 0; j < f.cols(); ++j) {
      if (i != j) pairs.emplace_back(i, j);
    }
  }
  Rng rng({.seed = seed, .view = kPairOrderStream});
  rng.shuffle(std::span(pairs));
  for (const auto& [i, j] : pairs) {
    double tangent = std::numeric_limits<double>::infinity();
    for (int64_t x = 0; x < f.rows(); ++x) {
      if (f(x, i) > 0) tangent = std::min(tangent, f(x, j) / f(x, i));
    }
    const double angle = std::atan(tangent);
    for (int64_t x = 0; x < f.rows(); ++x) {
      const double a = f(x, i);
      const double b = f(x, j);
      f(x, i) = std::cos(angle) * a + std::sin(angle) * b;
      f(x, j) = std::max(std::cos(angle) * b - std::sin(angle) * a, 0.0);
    }
  }
  return f;
}

Theorem without_anchors(const TheoryOptions& options, TheoryProgress& progress) {
  const double overlap = std::max(options.overlap, 0.8);
  const LatentClasses world = make_world(options, overlap, false, options.seed);
  const LatentClasses anchored = make_world(options, overlap, true, options.seed);
  const Matrix64 truth = to_factors(world.optimal_features(), world.marginal);
  const Matrix64 anchored_truth = to_factors(anchored.optimal_features(), anchored.marginal);
  const Matrix64 cooccurrence = world.cooccurrence();
  const double norm = linalg::squared_norm(cooccurrence);
  const Matrix64 turned = turn_within_orthant(truth, options.seed);
  const Matrix64 anchored_turned = turn_within_orthant(anchored_truth, options.seed);

  std::vector<Matrix64> found(2);
  parallel_for(2, 1, options.threads, [&](int64_t i, int64_t) {
    const uint64_t seed = options.seed + static_cast<uint64_t>(i) * 7919;
    found[static_cast<size_t>(i)] = learn(Learner::symnmf_hals, cooccurrence, options.classes, seed).factors;
  });
  const double worst_loss =
      std::max(factorization_loss(cooccurrence, found[0]), factorization_loss(cooccurrence, found[1])) / norm;
  const double worst_cosine = std::min(match_columns(truth, found[0]).mean, match_columns(truth, found[1]).mean);
  Theorem theorem{
      .id = "5c",
      .title = "Without anchors recovery breaks",
      .statement =
          "If no class has a sample of its own, other non-negative features are exactly as good as the latent "
          "classes, and no method can tell which is meant.",
      .formula = "∃ R ≠ Π, R Rᵀ = I:  F_φ R ≥ 0 and ‖Ā − (F_φR)(F_φR)ᵀ‖ = 0",
      .measured = {at_most("residual of F_φ R, a turned solution, share of ‖Ā‖²",
                           factorization_loss(cooccurrence, turned) / norm, 1e-10),
                   at_most("mean |cos| of F_φ R with the latent classes", match_columns(truth, turned).mean,
                           kRecovered),
                   at_least("the same turn where there are anchors: mean |cos|",
                            match_columns(anchored_truth, anchored_turned).mean, 1 - 1e-10),
                   at_most("SymNMF, penalised HALS, two starts: larger loss, share of ‖Ā‖²", worst_loss, 1e-3),
                   for_information("mean |cos| of the worse start with the latent classes", worst_cosine),
                   for_information("mean |cos| of the two starts with each other",
                                   match_columns(found[0], found[1]).mean)},
      .explanation =
          "Every sample has weight in every class here, overlap " + format_number(overlap) +
          ". F_φ R is F_φ with pairs of columns turned as far as no entry becomes negative; anchors allow no turn "
          "at all. How far a solver ends from the latent classes depends on its start."};
  theorem.verdict = judge(theorem.measured, Verdict::fails_as_predicted);
  progress.done("without anchors");
  return theorem;
}

}  // namespace

int64_t recovery_experiments(const TheoryOptions& options) {
  return options.seeds * static_cast<int64_t>(std::size(kLearners)) +
         static_cast<int64_t>(std::size(kSplitters)) * std::min(options.seeds, kSplitWorlds) + 1;
}

std::vector<Theorem> recovery_theorems(const TheoryOptions& options, TheoryProgress& progress) {
  std::vector<Theorem> theorems;
  theorems.push_back(unique_recovery(options, progress));
  theorems.push_back(split_classes(options, progress));
  theorems.push_back(without_anchors(options, progress));
  return theorems;
}

}  // namespace orthant::theory
