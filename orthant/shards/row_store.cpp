#include "orthant/shards/row_store.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

#include "orthant/core/error.h"

namespace orthant::shards {
namespace {

template <class T>
std::span<const T> as(const Spool::Held& held) {
  return {reinterpret_cast<const T*>(held.bytes.data()), held.bytes.size() / sizeof(T)};
}

}  // namespace

RowStore::RowStore(SpoolOptions options) : options_(options), indices_(options), values_(options) {}

void RowStore::add(int32_t column, float value) {
  if (std::bit_cast<uint32_t>(value) == 0) return;
  row_indices_.push_back(column);
  row_values_.push_back(value);
  (value != 0 ? filled_ : zeros_) += 1;
}

void RowStore::end_row() {
  indices_.append(std::as_bytes(std::span(row_indices_)));
  values_.append(std::as_bytes(std::span(row_values_)));
  indptr_.push_back(indptr_.back() + std::ssize(row_indices_));
  row_indices_.clear();
  row_values_.clear();
}

void RowStore::append(std::span<const float> row) {
  check(row.size() <= INT32_MAX, "[rows] expected at most 2^31-1 columns, got ", row.size());
  for (size_t j = 0; j < row.size(); ++j) add(static_cast<int32_t>(j), row[j]);
  end_row();
}

void RowStore::append(const SparseMatrix::Row& row) {
  for (size_t k = 0; k < row.indices.size(); ++k) add(row.indices[k], row.values[k]);
  end_row();
}

SparseMatrix RowStore::as_appended(int64_t cols) {
  struct Parts {
    std::vector<int64_t> indptr;
    Spool::Held indices, values;
  };
  const auto parts = std::make_shared<const Parts>(Parts{std::move(indptr_), indices_.take(), values_.take()});
  return SparseMatrix::borrow(std::ssize(parts->indptr) - 1, cols, parts->indptr, as<int32_t>(parts->indices),
                              as<float>(parts->values), parts);
}

std::variant<Matrix, SparseMatrix> RowStore::finish(int64_t cols, const FinishOptions& how) {
  const int64_t count = rows();
  const bool dense = count > 0 && 8 * (filled_ + count) >= 4 * count * cols;
  const bool as_it_is = !dense && !how.order && (zeros_ == 0 || how.keep_zeros);
  const SparseMatrix stored = as_appended(cols);
  if (as_it_is) return stored;
  const auto row = [&](int64_t i) { return stored.row(how.order ? how.order(i) : i); };
  if (dense) {
    Spool spool(options_);
    std::vector<float> room(static_cast<size_t>(cols));
    for (int64_t i = 0; i < count; ++i) {
      const SparseMatrix::Row from = row(i);
      std::ranges::fill(room, 0.0F);
      for (size_t k = 0; k < from.indices.size(); ++k) room[static_cast<size_t>(from.indices[k])] = from.values[k];
      spool.append(std::as_bytes(std::span(room)));
    }
    const Spool::Held held = spool.take();
    if (held.bytes.empty()) return Matrix(count, cols);
    return Matrix::borrow(as<float>(held).data(), count, cols, held.owner);
  }
  RowStore ordered(options_);
  for (int64_t i = 0; i < count; ++i) {
    const SparseMatrix::Row from = row(i);
    for (size_t k = 0; k < from.indices.size(); ++k) {
      if (from.values[k] != 0 || how.keep_zeros) ordered.add(from.indices[k], from.values[k]);
    }
    ordered.end_row();
  }
  return ordered.as_appended(cols);
}

}  // namespace orthant::shards
