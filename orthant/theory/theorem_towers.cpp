#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "orthant/core/rng.h"
#include "orthant/core/threads.h"
#include "orthant/factorize/spectral.h"
#include "orthant/linalg/products.h"
#include "orthant/theory/learners.h"
#include "orthant/theory/matching.h"
#include "orthant/theory/population_loss.h"
#include "orthant/theory/theorem_parts.h"

namespace orthant::theory {
namespace {

constexpr uint16_t kShearOrderStream = 0xff19;
constexpr int64_t kTowerWorlds = 3;
constexpr TowerLearner kLearners[] = {TowerLearner::nmf_hals, TowerLearner::nmf_mu, TowerLearner::ncl,
                                      TowerLearner::cl};

TwoModalities make_worlds(const TheoryOptions& options, double overlap, uint64_t seed, bool anchors = true) {
  return simulate_two_modalities({.classes = options.classes,
                                  .samples = options.samples,
                                  .overlap = overlap,
                                  .prior = Prior::random,
                                  .anchors = anchors,
                                  .seed = seed},
                                 std::max(options.classes, options.samples * 3 / 4));
}

Towers closed_form(const TwoModalities& worlds) {
  return {to_factors(worlds.vision.optimal_features(), worlds.vision.marginal),
          to_factors(worlds.language.optimal_features(), worlds.language.marginal)};
}

Theorem two_modalities(const TheoryOptions& options) {
  const TwoModalities worlds = make_worlds(options, options.overlap, options.seed);
  const Matrix64 joint = worlds.joint();
  const Matrix64 cooccurrence = worlds.cooccurrence();
  const double norm = linalg::squared_norm(cooccurrence);
  double difference = 0;
  for (uint32_t draw = 0; draw < kDraws; ++draw) {
    const Matrix64 f = random_features(worlds.vision.samples(), options.dims, options.seed, 2 * draw);
    const Matrix64 g = random_features(worlds.language.samples(), options.dims, options.seed, 2 * draw + 1);
    const double nmf = factorization_loss(cooccurrence, to_factors(f, worlds.vision.marginal),
                                          to_factors(g, worlds.language.marginal));
    difference = std::max(difference, std::abs(spectral_loss(joint, f, g) + norm - nmf) / nmf);
  }
  const double residual =
      factorization_loss(cooccurrence, to_factors(worlds.vision.optimal_features(), worlds.vision.marginal),
                         to_factors(worlds.language.optimal_features(), worlds.language.marginal)) /
      norm;
  Theorem theorem{
      .id = "Ma",
      .title = "Two modalities are asymmetric NMF",
      .statement =
          "With two kinds of sample, such as pictures and captions, non-negative contrastive "
          "learning factorises the rectangular co-occurrence matrix, and each side's class "
          "posteriors are optimal.",
      .formula = "L_MMNCL(f, g) + ‖Ā_M‖² = ‖Ā_M − F Gᵀ‖²;  f_c = P(c|v)/√P(c),  g_c = P(c|l)/√P(c)",
      .measured = {at_most("largest difference between the two sides, 10 random f, g ≥ 0", difference, kExact),
                   at_most("residual of the closed form, share of ‖Ā_M‖²", residual, kExact)},
      .explanation =
          "The second modality has three quarters as many samples and its own memberships; only "
          "the classes are shared."};
  theorem.verdict = judge(theorem.measured);
  return theorem;
}

// Columns of both sides in one order, that of the vision side: |cos| with the class for each class and side.
std::vector<double> matched_cosines(const Towers& truth, const Towers& found) {
  const MatchedColumns matched = match_columns(truth.vision, found.vision);
  const Matrix64 language = column_cosines(truth.language, found.language);
  std::vector<double> cosines = matched.cosine;
  for (size_t c = 0; c < matched.permutation.size(); ++c) {
    const int64_t partner = matched.permutation[c];
    cosines.push_back(partner < 0 ? 0 : language(static_cast<int64_t>(c), partner));
  }
  return cosines;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The closed form of both sides turned alike: as good a solution of contrastive learning.
struct Turned {
  double change = 0;  // of the loss, share of ||Abar_M||^2
  double cosine = 0;  // mean |cos| with the classes
};

Turned turned_closed_form(const TwoModalities& worlds, uint64_t seed) {
  const Towers truth = closed_form(worlds);
  const Matrix64 turn = factorize::random_rotation(truth.vision.cols(), seed);
  const Towers turned{linalg::matmul(truth.vision, turn), linalg::matmul(truth.language, turn)};
  const Matrix64 cooccurrence = worlds.cooccurrence();
  return {factorization_loss(cooccurrence, turned.vision, turned.language) / linalg::squared_norm(cooccurrence),
          mean_of(matched_cosines(truth, turned))};
}

Theorem tower_recovery(const TheoryOptions& options, TheoryProgress& progress) {
  constexpr auto kCount = static_cast<int64_t>(std::size(kLearners));
  const int64_t worlds = std::min(options.seeds, kTowerWorlds);
  std::vector<std::vector<double>> cosines(static_cast<size_t>(worlds * kCount));
  std::vector<double> starts(cosines.size());
  parallel_for(worlds * kCount, 1, options.threads, [&](int64_t job, int64_t) {
    const uint64_t seed = options.seed + static_cast<uint64_t>(job / kCount);
    const TwoModalities world = make_worlds(options, options.overlap, seed);
    const TowerLearner learner = kLearners[job % kCount];
    const LearnedTowers learned = learn_towers(learner, world, options.classes, seed);
    cosines[static_cast<size_t>(job)] = matched_cosines(closed_form(world), learned.factors);
    starts[static_cast<size_t>(job)] = static_cast<double>(learned.starts);
    progress.done("two towers by " + name(learner));
  });
  Theorem theorem{.id = "Mb",
                  .title = "Two towers find the classes",
                  .statement =
                      "If every class has an anchor in both modalities, the optimal non-negative features of both are "
                      "unique up to the order and the scale of the dimensions: two-tower learning on pairs and "
                      "asymmetric factorisation find the latent classes, on the same dimension in both towers. "
                      "Without the sign constraint they are not found.",
                  .formula = "F₊G₊ᵀ = Ā_M, F₊, G₊ ≥ 0  ⇒  F₊ = F_φ Π D,  G₊ = G_φ Π D⁻¹,  D diagonal"};
  for (int64_t l = 0; l < kCount; ++l) {
    double worst = 1;
    double mean = 0;
    for (int64_t s = 0; s < worlds; ++s) {
      const auto& found = cosines[static_cast<size_t>(s * kCount + l)];
      worst = std::min(worst, *std::ranges::min_element(found));
      mean += mean_of(found) / static_cast<double>(worlds);
    }
    theorem.measured.push_back(
        kLearners[l] == TowerLearner::cl
            ? at_most(name(kLearners[l]) + ": mean of all worlds", mean, kNotRecovered)
            : at_least(name(kLearners[l]) + ": worst class of all worlds, either tower", worst, kRecovered));
  }
  const Turned turned = turned_closed_form(make_worlds(options, options.overlap, options.seed), options.seed);
  theorem.measured.push_back(
      at_most("CL, closed form of both towers turned alike: loss, share of ‖Ā_M‖²", turned.change, kExact));
  theorem.measured.push_back(at_most("the same: mean |cos| with the classes", turned.cosine, kNotRecovered));
  theorem.measured.push_back(for_information("starts that a method needed, on average", mean_of(starts)));
  theorem.verdict = judge(theorem.measured);
  theorem.explanation =
      "Figures are |cos| between columns and latent-class columns, in " + std::to_string(worlds) +
      " worlds; columns are matched one to one in the vision tower and the language tower is read in that order. Scale "
      "may move from one tower to the other, which |cos| does not see. Factors of Ā_M without a sign constraint may be "
      "mixed by any invertible R, F R and G R⁻ᵀ, more than the rotations of one tower.";
  return theorem;
}

// Another exact pair of factors: a multiple of column i of F is added to column j, and one of column j of G taken off
// column i, as far as G stays non-negative. An anchor of class j on the language side allows none.
Towers sheared(Towers towers, uint64_t seed) {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (int64_t i = 0; i < towers.vision.cols(); ++i) {
    for (int64_t j = 0; j < towers.vision.cols(); ++j) {
      if (i != j) pairs.emplace_back(i, j);
    }
  }
  Rng rng({.seed = seed, .view = kShearOrderStream});
  rng.shuffle(std::span(pairs));
  for (const auto& [i, j] : pairs) {
    Matrix64& g = towers.language;
    double amount = std::numeric_limits<double>::infinity();
    for (int64_t l = 0; l < g.rows(); ++l) {
      if (g(l, j) > 0) amount = std::min(amount, g(l, i) / g(l, j));
    }
    for (int64_t l = 0; l < g.rows(); ++l) g(l, i) = std::max(g(l, i) - amount * g(l, j), 0.0);
    for (int64_t v = 0; v < towers.vision.rows(); ++v) towers.vision(v, j) += amount * towers.vision(v, i);
  }
  return towers;
}

Theorem one_sided_anchors(const TheoryOptions& options) {
  const double overlap = std::max(options.overlap, 0.8);
  const TwoModalities both = make_worlds(options, overlap, options.seed);
  const TwoModalities one{both.vision, make_worlds(options, overlap, options.seed, false).language};
  const Towers truth = closed_form(one);
  const Towers other = sheared(truth, options.seed);
  const Matrix64 cooccurrence = one.cooccurrence();
  const double smallest =
      std::min(*std::ranges::min_element(other.vision.values()), *std::ranges::min_element(other.language.values()));
  const Towers anchored = closed_form(both);
  Theorem theorem{
      .id = "Mc",
      .title = "Anchors in one modality are not enough",
      .statement =
          "If the classes have anchors among the pictures but not among the captions, other non-negative features of "
          "both are exactly as good as the latent classes.",
      .formula = "∃ R ≥ 0, R ≠ Π D:  F_φ R ≥ 0,  G_φ R⁻ᵀ ≥ 0  and  ‖Ā_M − (F_φ R)(G_φ R⁻ᵀ)ᵀ‖ = 0",
      .measured = {at_most("residual of the other solution, share of ‖Ā_M‖²",
                           factorization_loss(cooccurrence, other.vision, other.language) /
                               linalg::squared_norm(cooccurrence),
                           kExact),
                   at_least("its smallest entry", smallest, 0),
                   at_most("its mean |cos| with the latent classes", mean_of(matched_cosines(truth, other)),
                           kRecovered),
                   at_least("the same where both have anchors: mean |cos|",
                            mean_of(matched_cosines(anchored, sheared(anchored, options.seed))), 1 - kExact)},
      .explanation =
          "Overlap " + format_number(overlap) +
          ". Shears F_j += t F_i, G_i −= t G_j keep F Gᵀ; each is taken as far as G stays non-negative. F never "
          "objects: R ≥ 0 is all that its anchors ask for. Anchors of G ask for R⁻¹ ≥ 0 too, and a non-negative matrix "
          "with a non-negative inverse is a permutation times a diagonal."};
  theorem.verdict = judge(theorem.measured, Verdict::fails_as_predicted);
  return theorem;
}

}  // namespace

int64_t tower_experiments(const TheoryOptions& options) {
  return std::min(options.seeds, kTowerWorlds) * static_cast<int64_t>(std::size(kLearners)) + 2;
}

std::vector<Theorem> tower_theorems(const TheoryOptions& options, TheoryProgress& progress) {
  std::vector<Theorem> theorems;
  theorems.push_back(two_modalities(options));
  progress.done("theorem Ma");
  theorems.push_back(tower_recovery(options, progress));
  theorems.push_back(one_sided_anchors(options));
  progress.done("theorem Mc");
  return theorems;
}

}  // namespace orthant::theory
