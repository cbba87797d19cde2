#pragma once

#include <string>
#include <vector>

#include "orthant/factorize/solver.h"
#include "orthant/factorize/target.h"

// What the symmetric solvers share: what they refuse, how they begin, and their loss.

namespace orthant::factorize {

// Refuses what symmetric_nmf.h says is refused, naming `where`.
void check_symmetric_problem(const Target& target, const SolverOptions& options, const std::string& where);

// The start that options.init names, scaled; all entries of rows that are not empty are positive if `positive`.
Matrix64 make_symmetric_start(const Target& target, const SolverOptions& options, bool positive);

// Refuses a start of the caller's that does not fit, and clears the rows of it where the target's are empty.
Matrix64 check_symmetric_start(const Target& target, Matrix64 start, const SolverOptions& options,
                               const std::string& where);

// The sum of every row of the target [N].
std::vector<double> row_sums(const Target& target);

// ||A - F F^T||_F^2, given ||A||_F^2, A F [N, k] and F^T F [k, k]; at least 0.
double symmetric_loss(double squared_norm, const Matrix64& f, const Matrix64& product, const Matrix64& f_gram);

}  // namespace orthant::factorize
