#pragma once

#include "orthant/factorize/solver.h"
#include "orthant/factorize/target.h"

namespace orthant::factorize {

// Symmetric non-negative matrix factorisation A ~ F F^T of a symmetric target A [N, N] >= 0 into F [N, rank] >= 0: the
// problem that non-negative contrastive learning solves (paper: Theorem 2). Four methods behind one contract:
//
//   solver       objective                                             zeros       use it for
//   symnmf_hals  ||A - U V^T||_F^2 / 2 + penalty ||U - V||_F^2 / 2     exact       almost everything: fast, parallel
//   symnmf_cd    ||A - F F^T||_F^2                                     exact       the strict objective; one thread
//   symnmf_pgd   ||A - F F^T||_F^2                                     exact       comparison with gradient methods
//   symnmf_mu    ||A - F F^T||_F^2                                     approached  comparison with Ding et al. (2005)
//
// Losses are reported in the objective above and never rise, up to rounding (symnmf_mu: for beta up to 1/2). A solver
// stops when an iteration lowers the loss by no more than options.tolerance times ||A||_F^2, when
// options.max_iterations are done, or when options.progress says so; SolverStep::relative_change is that quotient.
// losses holds the starting point and then one loss per iteration. ||A - F F^T||^2 is taken as
// ||A||^2 - 2 <F, A F> + ||F^T F||^2: nothing of size N x N is formed, and an iteration costs O(nnz k + N k^2). That
// sum is good to about 1e-15 ||A||^2, below which a loss is rounding; it is never reported below 0.
//
// Init::random draws from U[0, 1], Init::nndsvd takes the dominant sign of each leading eigenvector (for symnmf_mu with
// zeros raised to the mean); both are scaled so that c F F^T fits A best. The problem is not convex: another seed may
// end in another local optimum, and the loss tells which is better. Empty rows of A (isolated nodes) get zero rows in
// F. Results are the same to the last bit for every number of threads, on the same kind of CPU.
//
// std::invalid_argument: an entry that is negative, not finite or not equal to its mirror image (named), values so
// large that their squares overflow, rank below 1 or above N, negative max_iterations or tolerance, beta outside
// (0, 1], a negative or non-finite penalty.

// Multiplicative updates F <- F * (1 - beta + beta (A F) / (F F^T F)), elementwise. An entry that is zero stays zero.
// beta = 1 may oscillate.
Factorization symnmf_mu(const Target& target, const SolverOptions& options = {}, double beta = 0.5);

// Projected gradient F <- max(0, F - eta 4 (F F^T - A) F). eta starts from the Barzilai-Borwein step and is halved
// until the loss falls by at least 1e-4 of what the gradient promises (Armijo on the projected step). Also stops when
// no such step is left in float64.
Factorization symnmf_pgd(const Target& target, const SolverOptions& options = {});

// Exact coordinate descent (Vandaele et al. 2016): every entry in turn goes to the global minimum of the quartic that
// the loss is in that entry. One thread. One iteration is a sweep over all entries.
Factorization symnmf_cd(const Target& target, const SolverOptions& options = {});

// Two factors pulled together by a penalty (Kuang et al. 2015; Zhu et al. 2018), each row in turn by coordinate
// descent. Returns F = (U + V) / 2; at a critical point U = V once the penalty is large enough. penalty 0: half of
// ||A||_2, as 20 power iterations estimate it.
Factorization symnmf_hals(const Target& target, const SolverOptions& options = {}, double penalty = 0);

// A starting point of one's own, such as an earlier result, instead of options.init: [N, rank], finite and
// non-negative. It is not rescaled; its rows are set to zero where A's are empty.
Factorization symnmf_mu(const Target& target, Matrix64 start, const SolverOptions& options, double beta = 0.5);
Factorization symnmf_pgd(const Target& target, Matrix64 start, const SolverOptions& options);
Factorization symnmf_cd(const Target& target, Matrix64 start, const SolverOptions& options);
Factorization symnmf_hals(const Target& target, Matrix64 start, const SolverOptions& options, double penalty = 0);

}  // namespace orthant::factorize
