#include "orthant/core/features.h"

#include <cmath>

#include "orthant/core/error.h"

namespace orthant {

Features::Features(const Embeddings& embeddings)
    : dense_(std::get_if<Matrix>(&embeddings.features)), sparse_(std::get_if<SparseMatrix>(&embeddings.features)) {}

double Features::row_norm(int64_t i) const {
  double sum = 0;
  visit_row(i, [&](int64_t, float x) { sum += static_cast<double>(x) * x; });
  return std::sqrt(sum);
}

void check_finite(const Features& features, const std::string& name) {
  int64_t bad = 0;
  int64_t first_row = 0;
  int64_t first_col = 0;
  float first = 0;
  for (int64_t i = 0; i < features.rows(); ++i) {
    features.visit_row(i, [&](int64_t j, float x) {
      if (std::isfinite(x)) return;
      if (bad++ == 0) {
        first_row = i;
        first_col = j;
        first = x;
      }
    });
  }
  check(bad == 0, "[", name, "] expected finite features, got ", bad, " NaN or infinite, the first (", first,
        ") in row ", first_row, ", column ", first_col);
}

}  // namespace orthant
