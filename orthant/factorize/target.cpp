#include "orthant/factorize/target.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <span>
#include <utility>
#include <variant>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/factorize/target_kernels.h"
#include "orthant/linalg/products.h"

namespace orthant::factorize {
namespace {

constexpr int64_t kSparseRows = 64;  // rows of the result that a thread takes at a time

std::vector<double> widen(std::span<const float> values) { return {values.begin(), values.end()}; }

SparseMatrix64 transpose_csr(const SparseMatrix64& a) {
  std::vector<int64_t> indptr(static_cast<size_t>(a.cols()) + 1, 0);
  for (const int32_t j : a.indices()) ++indptr[static_cast<size_t>(j) + 1];
  for (size_t j = 1; j < indptr.size(); ++j) indptr[j] += indptr[j - 1];
  std::vector<int32_t> indices(a.indices().size());
  std::vector<double> values(a.values().size());
  std::vector<int64_t> next = indptr;
  for (int64_t i = 0; i < a.rows(); ++i) {
    const auto row = a.row(i);
    for (size_t t = 0; t < row.indices.size(); ++t) {
      const auto to = static_cast<size_t>(next[static_cast<size_t>(row.indices[t])]++);
      indices[to] = static_cast<int32_t>(i);
      values[to] = row.values[t];
    }
  }
  return {a.cols(), a.rows(), std::move(indptr), std::move(indices), std::move(values)};
}

void multiply_csr(const SparseMatrix64& a, const Matrix64& b, Matrix64& out, int threads) {
  double* const to = out.mutable_data();
  const auto k = static_cast<size_t>(b.cols());
  parallel_for(a.rows(), kSparseRows, threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto row = a.row(i);
      sparse_row_times_dense(row.indices, row.values, b.data(), {to + i * b.cols(), k});
    }
  });
}

// Calls visit(i, j, value) for the stored entries in row order.
template <class Visit>
void visit_entries(const std::variant<Matrix64, SparseMatrix64>& matrix, const Visit& visit) {
  if (const auto* dense = std::get_if<Matrix64>(&matrix)) {
    for (int64_t i = 0; i < dense->rows(); ++i) {
      for (int64_t j = 0; j < dense->cols(); ++j) visit(i, j, (*dense)(i, j));
    }
    return;
  }
  const auto& sparse = std::get<SparseMatrix64>(matrix);
  for (int64_t i = 0; i < sparse.rows(); ++i) {
    const auto row = sparse.row(i);
    for (size_t t = 0; t < row.indices.size(); ++t) visit(i, static_cast<int64_t>(row.indices[t]), row.values[t]);
  }
}

double entry(const SparseMatrix64& a, int64_t i, int64_t j) {
  const auto row = a.row(i);
  const auto found = std::ranges::lower_bound(row.indices, static_cast<int32_t>(j));
  if (found == row.indices.end() || *found != j) return 0;
  return row.values[static_cast<size_t>(found - row.indices.begin())];
}

void check_product(int64_t inner, int64_t rows, const Matrix64& b, const Matrix64& out) {
  check(b.rows() == inner, "[Target] expected ", inner, " rows to multiply with, got ", b.rows());
  check(out.rows() == rows && out.cols() == b.cols(), "[Target] expected a result of ", rows, " x ", b.cols(), ", got ",
        out.rows(), " x ", out.cols());
}

}  // namespace

struct Target::State {
  std::variant<Matrix64, SparseMatrix64> matrix;
  std::once_flag transposing;
  SparseMatrix64 transposed;

  explicit State(Matrix64 dense) : matrix(std::move(dense)) {}
  explicit State(SparseMatrix64 sparse) : matrix(std::move(sparse)) {}
};

Target::Target(Matrix64 dense) : state_(std::make_shared<State>(std::move(dense))) {}

Target::Target(SparseMatrix64 sparse) : state_(std::make_shared<State>(std::move(sparse))) {}

Target::Target(const Matrix& dense) : Target(Matrix64(dense.rows(), dense.cols(), widen(dense.values()))) {}

Target::Target(const SparseMatrix& sparse)
    : Target(SparseMatrix64(sparse.rows(), sparse.cols(), {sparse.indptr().begin(), sparse.indptr().end()},
                            {sparse.indices().begin(), sparse.indices().end()}, widen(sparse.values()))) {}

int64_t Target::rows() const {
  return std::visit([](const auto& matrix) { return matrix.rows(); }, state_->matrix);
}

int64_t Target::cols() const {
  return std::visit([](const auto& matrix) { return matrix.cols(); }, state_->matrix);
}

int64_t Target::nnz() const { return sparse() ? csr().nnz() : dense().size(); }

bool Target::sparse() const { return std::holds_alternative<SparseMatrix64>(state_->matrix); }

const Matrix64& Target::dense() const {
  check(!sparse(), "[Target] expected a dense matrix, got a sparse one");
  return std::get<Matrix64>(state_->matrix);
}

const SparseMatrix64& Target::csr() const {
  check(sparse(), "[Target] expected a sparse matrix, got a dense one");
  return std::get<SparseMatrix64>(state_->matrix);
}

const SparseMatrix64& Target::transposed_csr() const {
  const SparseMatrix64& matrix = csr();
  check(rows() <= INT32_MAX, "[Target] expected fewer than 2^31 rows to transpose, got ", rows());
  std::call_once(state_->transposing, [&] { state_->transposed = transpose_csr(matrix); });
  return state_->transposed;
}

Matrix64 Target::multiply(const Matrix64& b, int threads) const {
  Matrix64 out(rows(), b.cols());
  multiply(b, out, threads);
  return out;
}

Matrix64 Target::multiply_transposed(const Matrix64& b, int threads) const {
  Matrix64 out(cols(), b.cols());
  multiply_transposed(b, out, threads);
  return out;
}

void Target::multiply(const Matrix64& b, Matrix64& out, int threads) const {
  check_product(cols(), rows(), b, out);
  if (sparse()) return multiply_csr(csr(), b, out, threads);
  linalg::matmul(dense(), b, out, threads);
}

void Target::multiply_transposed(const Matrix64& b, Matrix64& out, int threads) const {
  check_product(rows(), cols(), b, out);
  if (sparse()) return multiply_csr(transposed_csr(), b, out, threads);
  linalg::matmul_transposed(dense(), b, out, threads);
}

double Target::sum() const {
  double sum = 0;
  for (int64_t i = 0; i < rows(); ++i) {
    double row_sum = 0;
    for (const double value : sparse() ? csr().row(i).values : dense().row(i)) row_sum += value;
    sum += row_sum;
  }
  return sum;
}

double Target::squared_norm() const {
  double sum = 0;
  for (int64_t i = 0; i < rows(); ++i) {
    double row_sum = 0;
    for (const double value : sparse() ? csr().row(i).values : dense().row(i)) row_sum += value * value;
    sum += row_sum;
  }
  return sum;
}

std::vector<double> Target::diagonal() const {
  std::vector<double> diagonal(static_cast<size_t>(std::min(rows(), cols())));
  for (size_t i = 0; i < diagonal.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    diagonal[i] = sparse() ? entry(csr(), at, at) : dense()(at, at);
  }
  return diagonal;
}

void Target::check_finite(const std::string& where) const {
  visit_entries(state_->matrix, [&](int64_t i, int64_t j, double value) {
    check(std::isfinite(value), "[", where, "] expected finite values, got ", value, " at (", i, ", ", j, ")");
  });
}

void Target::check_nonnegative(const std::string& where) const {
  visit_entries(state_->matrix, [&](int64_t i, int64_t j, double value) {
    check(std::isfinite(value), "[", where, "] expected finite values, got ", value, " at (", i, ", ", j, ")");
    check(value >= 0, "[", where, "] expected no negative entries, got ", value, " at (", i, ", ", j, ")");
  });
}

void Target::check_symmetric(const std::string& where, double tolerance) const {
  check(rows() == cols(), "[", where, "] expected a symmetric matrix, got ", rows(), " x ", cols());
  visit_entries(state_->matrix, [&](int64_t i, int64_t j, double value) {
    const double mirror = sparse() ? entry(csr(), j, i) : dense()(j, i);
    check(std::abs(value - mirror) <= tolerance * std::max(std::abs(value), std::abs(mirror)), "[", where,
          "] expected a symmetric matrix, got ", value, " at (", i, ", ", j, ") but ", mirror, " at (", j, ", ", i,
          ")");
  });
}

}  // namespace orthant::factorize
