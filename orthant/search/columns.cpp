#include "orthant/search/columns.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace orthant::search {
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
    : features_(features), threshold_(threshold), items_(features.rows()), words_((features.rows() + 63) / 64) {
  if (features.sparse()) {
    transposed_ = transpose(*features.sparse());
  } else {
    transposed_ = transpose(*features.dense());
    bits_.resize(static_cast<size_t>(words_ * features.cols()));
  }
  firing_.resize(static_cast<size_t>(features.cols()));
  for (int64_t f = 0; f < features.cols(); ++f) {
    visit_firing(f, [&](int64_t item) {
      if (!bits_.empty()) bits_[static_cast<size_t>(f * words_ + item / 64)] |= uint64_t{1} << (item % 64);
      ++firing_[static_cast<size_t>(f)];
    });
  }
}

std::vector<int64_t> Columns::firing_with(int64_t f) const {
  std::vector<int64_t> together(firing_.size());
  if (bits_.empty()) {
    visit_firing(f, [&](int64_t item) {
      features_.visit_row(
          item, [&](int64_t g, float value) { together[static_cast<size_t>(g)] += std::abs(value) > threshold_; });
    });
    return together;
  }
  const auto words = [&](int64_t g) {
    return std::span(bits_).subspan(static_cast<size_t>(g * words_), static_cast<size_t>(words_));
  };
  for (int64_t g = 0; g < features(); ++g) {
    for (size_t w = 0; w < words(f).size(); ++w) {
      together[static_cast<size_t>(g)] += std::popcount(words(f)[w] & words(g)[w]);
    }
  }
  return together;
}

}  // namespace orthant::search
