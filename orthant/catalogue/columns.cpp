#include "orthant/catalogue/columns.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace orthant::catalogue {
namespace {

SparseMatrix transpose(const SparseMatrix& rows) {
  std::vector<int64_t> indptr(static_cast<size_t>(rows.cols()) + 1, 0);
  for (const int32_t j : rows.indices()) ++indptr[static_cast<size_t>(j) + 1];
  for (size_t j = 1; j < indptr.size(); ++j) indptr[j] += indptr[j - 1];
  std::vector<int32_t> indices(rows.indices().size());
  std::vector<float> values(indices.size());
  std::vector<int64_t> next(indptr.begin(), indptr.end() - 1);
  for (int64_t i = 0; i < rows.rows(); ++i) {
    const auto row = rows.row(i);
    for (size_t k = 0; k < row.indices.size(); ++k) {
      const auto at = static_cast<size_t>(next[static_cast<size_t>(row.indices[k])]++);
      indices[at] = static_cast<int32_t>(i);
      values[at] = row.values[k];
    }
  }
  return {rows.cols(), rows.rows(), std::move(indptr), std::move(indices), std::move(values)};
}

Matrix transpose(const Matrix& rows) {
  constexpr int64_t kBlock = 64;  // of both sides, so that reads and writes stay within the cache
  Matrix columns(rows.cols(), rows.rows());
  for (int64_t i = 0; i < rows.rows(); i += kBlock) {
    for (int64_t j = 0; j < rows.cols(); j += kBlock) {
      for (int64_t k = i; k < std::min(i + kBlock, rows.rows()); ++k) {
        for (int64_t l = j; l < std::min(j + kBlock, rows.cols()); ++l) columns(l, k) = rows(k, l);
      }
    }
  }
  return columns;
}

}  // namespace

Columns::Columns(const Features& features, float threshold)
    : items_(features.rows()), words_((features.rows() + 63) / 64) {
  if (features.sparse()) {
    transposed_ = transpose(*features.sparse());
  } else {
    transposed_ = transpose(*features.dense());
  }
  bits_.resize(static_cast<size_t>(words_ * features.cols()));
  firing_.resize(static_cast<size_t>(features.cols()));
  for (int64_t f = 0; f < features.cols(); ++f) {
    visit(f, [&](int64_t item, float value) {
      if (std::abs(value) <= threshold) return;
      bits_[static_cast<size_t>(f * words_ + item / 64)] |= uint64_t{1} << (item % 64);
      ++firing_[static_cast<size_t>(f)];
    });
  }
}

int64_t Columns::firing_together(int64_t f, int64_t g) const {
  const auto first = std::span(bits_).subspan(static_cast<size_t>(f * words_), static_cast<size_t>(words_));
  const auto second = std::span(bits_).subspan(static_cast<size_t>(g * words_), static_cast<size_t>(words_));
  int64_t both = 0;
  for (size_t w = 0; w < first.size(); ++w) both += std::popcount(first[w] & second[w]);
  return both;
}

}  // namespace orthant::catalogue
