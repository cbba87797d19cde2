#pragma once

#include <cstdint>

#include "orthant/factorize/solver.h"
#include "orthant/factorize/target.h"

namespace orthant::factorize {

// The optimum of contrastive learning without a sign constraint (paper: Theorem 1): F = U_k Lambda_k^(1/2) [N, rank]
// from the `rank` algebraically largest eigenpairs of a symmetric target A [N, N], which minimises ||A - F F^T||_F^2.
// Columns go from the largest eigenvalue down; eigenvalues below 0 count as 0, as no F F^T can have them. Each column's
// entry of largest magnitude is positive.
//
// Small or dense-enough targets are decomposed completely by LAPACK (N up to 1,000; options.tolerance, max_iterations
// and seed then play no part, iterations is 1). Larger ones go by block Rayleigh-Ritz over span[X, A X - X Theta, last
// X] (locally optimal block iteration, as in Knyazev 2001) from a random block of options.seed with spare columns; an
// iteration costs products of A with three blocks. It stops when the residual ||A x_j - theta_j x_j|| of every wanted
// pair is at most options.tolerance times the largest |theta|, which is SolverStep::relative_change; eigenvalues are
// then good to about its square. losses holds ||A||_F^2, then ||A - F F^T||_F^2 per iteration.
//
// Negative entries are welcome. std::invalid_argument: an entry that is not finite or not equal to its mirror image
// (named), rank below 1 or above N, negative max_iterations or tolerance.
Factorization spectral(const Target& target, const SolverOptions& options = {});

// An orthogonal matrix [k, k], uniformly distributed (Haar) over seeds. F R is as good a factor as F.
Matrix64 random_rotation(int64_t k, uint64_t seed);

}  // namespace orthant::factorize
