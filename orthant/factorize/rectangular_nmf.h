#pragma once

#include <cstdint>

#include "orthant/factorize/solver.h"
#include "orthant/factorize/target.h"

namespace orthant::factorize {

// Non-negative matrix factorisation A ~ W H^T of a target A [N, M] >= 0 into W [N, rank] >= 0 and H [M, rank] >= 0, the
// optimum of two-modality non-negative contrastive learning. Three methods behind one contract:
//
//   solver   objective                                        zeros       use it for
//   nmf_hals ||A - W H^T||_F^2                                exact       almost everything: by far the fastest
//   nmf_mu   ||A - W H^T||_F^2                                approached  comparison with Lee and Seung (2001)
//   nmf_kl   sum a log(a / x) - a + x, X = W H^T              approached  counts
//
// An iteration updates W, then H. No loss ever rises, up to rounding. A solver stops when an iteration lowers the loss
// by less than options.tolerance times ||A||_F^2 (nmf_kl: times the sum of A), when options.max_iterations are done, or
// when options.progress says so. SolverStep::relative_change is that quotient. losses holds the starting point and then
// one loss per iteration. No residual is ever formed: time and memory grow with the stored entries of A.
//
// The columns come out balanced: ||W_:j|| = ||H_:j||, the one scale at which W and H are alike, and a column that
// explains nothing is zero in both. Empty rows and columns of A get zero rows in W and H. Results are the same to the
// last bit for every number of threads, on the same kind of CPU.
//
// Init::random draws half-normal entries scaled to the mean of A; Init::nndsvd is nndsvd.h's, with its zeros raised to
// the mean of A where zeros could never be left again (mu, kl).
//
// std::invalid_argument: a negative or non-finite entry (named), values so large that their squares overflow, rank
// below 1 or above min(N, M), negative max_iterations or tolerance.

// Hierarchical alternating least squares with several sweeps per product with A (Cichocki and Phan 2009; Gillis and
// Glineur 2012).
Factorization nmf_hals(const Target& target, const SolverOptions& options = {});

// Multiplicative updates (Lee and Seung 2001) for the squared error.
Factorization nmf_mu(const Target& target, const SolverOptions& options = {});

// Multiplicative updates for the generalised Kullback-Leibler divergence. Touches only the non-zeros of A.
Factorization nmf_kl(const Target& target, const SolverOptions& options = {});

// A starting point of one's own, such as an earlier result, instead of options.init: w [N, rank], h [M, rank], both
// finite and non-negative. nmf_mu and nmf_kl never leave an entry that starts at zero.
struct Factors {
  Matrix64 w;
  Matrix64 h;
};
Factorization nmf_hals(const Target& target, Factors start, const SolverOptions& options);
Factorization nmf_mu(const Target& target, Factors start, const SolverOptions& options);
Factorization nmf_kl(const Target& target, Factors start, const SolverOptions& options);

}  // namespace orthant::factorize
