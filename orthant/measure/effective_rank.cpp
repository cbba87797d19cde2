#include "orthant/measure/effective_rank.h"

#include <algorithm>
#include <cmath>

#include "orthant/linalg/column_gram.h"
#include "orthant/linalg/eigenpairs.h"

namespace orthant::measure {

double effective_rank_of(Matrix64& gram) {
  std::vector<double> singular = linalg::symmetric_eigenvalues(gram);
  double sum = 0;
  for (double& value : singular) {
    value = std::sqrt(std::max(value, 0.0));
    sum += value;
  }
  if (sum == 0) return 0;
  double entropy = 0;
  for (const double value : singular) entropy -= value / sum * std::log(value / sum + 1e-6);
  return entropy;
}

double effective_rank(const Features& features, const EffectiveRankOptions& options) {
  Matrix64 gram = linalg::column_gram(features, {.unit_rows = true, .threads = options.threads});
  return effective_rank_of(gram);
}

}  // namespace orthant::measure
