#include "orthant/pairing/cosines.h"

namespace orthant::pairing {

Matrix64 unit_rows(const Features& features, int64_t begin, int64_t end) {
  Matrix64 unit(end - begin, features.cols());
  for (int64_t i = begin; i < end; ++i) {
    const double norm = features.row_norm(i);
    if (norm == 0) continue;
    features.visit_row(i, [&](int64_t k, float x) { unit(i - begin, k) = static_cast<double>(x) / norm; });
  }
  return unit;
}

std::vector<double> matched_cosines(const Features& a, const Features& b, std::span<const int64_t> owner) {
  std::vector<double> cosines;
  cosines.reserve(owner.size());
  for (int64_t j = 0; j < b.rows(); ++j) {
    const int64_t item = owner[static_cast<size_t>(j)];
    const Matrix64 first = unit_rows(a, item, item + 1);
    const Matrix64 second = unit_rows(b, j, j + 1);
    double sum = 0;
    for (int64_t k = 0; k < a.cols(); ++k) sum += first(0, k) * second(0, k);
    cosines.push_back(sum);
  }
  return cosines;
}

}  // namespace orthant::pairing
