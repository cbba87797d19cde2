#include "orthant/theory/learners.h"

#include <functional>
#include <limits>
#include <numeric>

#include "orthant/core/error.h"
#include "orthant/factorize/spectral.h"
#include "orthant/factorize/symmetric_nmf.h"
#include "orthant/linalg/products.h"
#include "orthant/theory/simulator.h"

namespace orthant::theory {
namespace {

constexpr int64_t kMaxStarts = 5;
constexpr uint64_t kStartStride = 1'000'003;  // keeps the starts of neighbouring seeds apart

struct Attempt {
  Matrix64 factors;
  double excess = 0;  // loss above the optimum, as a share of ||Abar||^2
};

Learned best_of(const std::function<Attempt(uint64_t)>& attempt, double good_enough, uint64_t seed) {
  Learned best{.factors = {}, .starts = 0};
  double least = std::numeric_limits<double>::infinity();
  while (best.starts < kMaxStarts && least > good_enough) {
    Attempt next = attempt(seed + kStartStride * static_cast<uint64_t>(best.starts));
    ++best.starts;
    if (best.starts > 1 && next.excess >= least) continue;
    best.factors = std::move(next.factors);
    least = next.excess;
  }
  return best;
}

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
    return Attempt{std::move(found.w), norm > 0 ? found.losses.back() / norm : 0};
  };
  constexpr double kGoodEnough = 1e-4;
  return best_of(attempt, kGoodEnough, seed);
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
    constexpr ptrdiff_t kTail = 50;  // steps; the step size is next to nothing by then
    const double tail = std::accumulate(found.losses.end() - kTail, found.losses.end(), 0.0) / kTail;
    return Attempt{to_factors(found.features, marginal), optimum < 0 ? 1 - tail / optimum : 0};
  };
  // One class that no dimension stands for costs about 1 / dims.
  return best_of(attempt, signs ? 1.0 : 0.25 / static_cast<double>(dims), seed);
}

}  // namespace orthant::theory
