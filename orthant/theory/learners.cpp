#include "orthant/theory/learners.h"

#include <numeric>

#include "orthant/core/error.h"
#include "orthant/factorize/rectangular_nmf.h"
#include "orthant/factorize/spectral.h"
#include "orthant/factorize/symmetric_nmf.h"
#include "orthant/linalg/products.h"
#include "orthant/theory/starts.h"

namespace orthant::theory {
namespace {

factorize::Factorization solve(Learner learner, const factorize::Target& target,
                               const factorize::SolverOptions& options) {
  switch (learner) {
    case Learner::symnmf_mu:
      return factorize::symnmf_mu(target, options);
    case Learner::symnmf_pgd:
      return factorize::symnmf_pgd(target, options);
    case Learner::symnmf_cd:
      return factorize::symnmf_cd(target, options);
    default:
      return factorize::symnmf_hals(target, options);
  }
}

// By the losses of the last steps, whose size is next to nothing.
double excess_of(const std::vector<double>& losses, double optimum) {
  constexpr ptrdiff_t kTail = 50;
  const double tail = std::accumulate(losses.end() - kTail, losses.end(), 0.0) / kTail;
  return optimum < 0 ? 1 - tail / optimum : 0;
}

// One class that no dimension stands for costs about 1 / dims.
double good_enough(int64_t dims) { return 0.25 / static_cast<double>(dims); }

}  // namespace

std::string name(Learner learner) {
  switch (learner) {
    case Learner::symnmf_mu:
      return "SymNMF, multiplicative updates";
    case Learner::symnmf_pgd:
      return "SymNMF, projected gradient";
    case Learner::symnmf_cd:
      return "SymNMF, coordinate descent";
    case Learner::symnmf_hals:
      return "SymNMF, penalised HALS";
    case Learner::spectral:
      return "CL, eigenvectors";
    case Learner::spectral_rotated:
      return "CL, eigenvectors rotated";
    case Learner::ncl:
      return "NCL, stochastic on pairs";
    case Learner::cl:
      return "CL, stochastic on pairs";
  }
  return "";
}

std::string name(TowerLearner learner) {
  switch (learner) {
    case TowerLearner::nmf_hals:
      return "NMF, HALS";
    case TowerLearner::nmf_mu:
      return "NMF, multiplicative updates";
    case TowerLearner::ncl:
      return "two-tower NCL, stochastic on pairs";
    case TowerLearner::cl:
      return "two-tower CL, stochastic on pairs";
  }
  return "";
}

bool non_negative(Learner learner) {
  return learner != Learner::spectral && learner != Learner::spectral_rotated && learner != Learner::cl;
}

Learned learn(Learner learner, const factorize::Target& cooccurrence, int64_t dims, uint64_t seed, double tolerance) {
  check(learner != Learner::ncl && learner != Learner::cl, "[learn] expected a learner of matrices, got ",
        name(learner));
  factorize::SolverOptions options{
      .rank = dims, .max_iterations = 1000, .tolerance = tolerance, .seed = seed, .threads = 1};
  if (learner == Learner::spectral) return {factorize::spectral(cooccurrence, options).w};
  if (learner == Learner::spectral_rotated) {
    return {linalg::matmul(factorize::spectral(cooccurrence, options).w, factorize::random_rotation(dims, seed), 1)};
  }
  const double norm = cooccurrence.squared_norm();
  const auto attempt = [&](uint64_t start_seed) {
    options.seed = start_seed;
    factorize::Factorization found = solve(learner, cooccurrence, options);
    return Attempt<Matrix64>{std::move(found.w), norm > 0 ? found.losses.back() / norm : 0};
  };
  constexpr double kGoodEnough = 1e-4;
  auto [factors, starts] = best_of<Matrix64>(attempt, kGoodEnough, seed);
  return {std::move(factors), starts};
}

Learned learn(Learner learner, const PairSource& source, const std::vector<double>& marginal, double optimum,
              int64_t dims, uint64_t seed, int64_t steps) {
  check(learner == Learner::ncl || learner == Learner::cl, "[learn] expected a learner of pairs, got ", name(learner));
  const bool signs = learner == Learner::cl;
  const auto attempt = [&](uint64_t start_seed) {
    const StochasticOptions options{.dims = dims,
                                    .activation = signs ? Activation::identity : Activation::rep_relu,
                                    .steps = steps,
                                    .seed = start_seed};
    StochasticFeatures found = learn_features(source, static_cast<int64_t>(marginal.size()), options);
    return Attempt<Matrix64>{to_factors(found.features, marginal), excess_of(found.losses, optimum)};
  };
  auto [factors, starts] = best_of<Matrix64>(attempt, signs ? 1.0 : good_enough(dims), seed);
  return {std::move(factors), starts};
}

LearnedTowers learn_towers(TowerLearner learner, const TwoModalities& worlds, int64_t dims, uint64_t seed) {
  const Matrix64 cooccurrence = worlds.cooccurrence();
  const double norm = linalg::squared_norm(cooccurrence);
  const PairSampler sampler(worlds);
  const PairSource source = [&](Rng& rng) { return sampler.draw(rng); };
  const bool signs = learner == TowerLearner::cl;
  const bool solver = learner == TowerLearner::nmf_hals || learner == TowerLearner::nmf_mu;
  const auto attempt = [&](uint64_t start_seed) -> Attempt<Towers> {
    if (solver) {
      const factorize::SolverOptions options{
          .rank = dims, .max_iterations = 3000, .tolerance = 1e-9, .seed = start_seed, .threads = 1};
      factorize::Factorization found = learner == TowerLearner::nmf_hals ? factorize::nmf_hals(cooccurrence, options)
                                                                         : factorize::nmf_mu(cooccurrence, options);
      return {{std::move(found.w), std::move(found.h)}, found.losses.back() / norm};
    }
    const StochasticOptions options{
        .dims = dims, .activation = signs ? Activation::identity : Activation::rep_relu, .seed = start_seed};
    const TwoTowerFeatures found =
        learn_two_towers(source, worlds.vision.samples(), worlds.language.samples(), options);
    return {{to_factors(found.vision, worlds.vision.marginal), to_factors(found.language, worlds.language.marginal)},
            excess_of(found.losses, -norm)};
  };
  auto [towers, starts] = best_of<Towers>(attempt, solver ? 1e-4 : signs ? 1.0 : good_enough(dims), seed);
  return {std::move(towers), starts};
}

}  // namespace orthant::theory
