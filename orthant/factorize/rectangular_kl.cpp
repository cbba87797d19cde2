#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "orthant/core/threads.h"
#include "orthant/factorize/rectangular_kernels.h"
#include "orthant/factorize/rectangular_nmf.h"
#include "orthant/factorize/rectangular_start.h"

namespace orthant::factorize {
namespace {

constexpr int64_t kRowsPerPiece = 64;

std::vector<double> column_sums(const Matrix64& factor) {
  std::vector<double> sums(static_cast<size_t>(factor.cols()), 0.0);
  for (int64_t i = 0; i < factor.rows(); ++i) {
    const auto row = factor.row(i);
    for (size_t j = 0; j < sums.size(); ++j) sums[j] += row[j];
  }
  return sums;
}

// out [N, K] = (A / (factor other^T)) other over the non-zeros of A [N, M]; returns the sum of a log(x) over them.
double quotient_product(const SparseMatrix64& a, const Matrix64& factor, const Matrix64& other, Matrix64& out,
                        std::vector<double>& row_sums, int threads) {
  double* const to = out.mutable_data();
  const auto k = static_cast<size_t>(factor.cols());
  parallel_for(a.rows(), kRowsPerPiece, threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto row = a.row(i);
      row_sums[static_cast<size_t>(i)] =
          kl_row(row.indices, row.values, factor.row(i), other.data(), {to + i * factor.cols(), k});
    }
  });
  return std::accumulate(row_sums.begin(), row_sums.end(), 0.0);
}

void update(Matrix64& factor, const Matrix64& product, const std::vector<double>& other_sums) {
  for (int64_t i = 0; i < factor.rows(); ++i) {
    const auto row = factor.mutable_row(i);
    for (size_t j = 0; j < row.size(); ++j) {
      row[j] = other_sums[j] > 0 ? row[j] * product.row(i)[j] / other_sums[j] : 0;
    }
  }
}

// The part of the divergence that the factors do not change: sum of a log(a) - a.
double constant_part(const SparseMatrix64& a) {
  double sum = 0;
  for (const double value : a.values()) sum += value > 0 ? value * std::log(value) - value : 0;
  return sum;
}

}  // namespace

Factorization nmf_kl(const Target& target, const SolverOptions& options) {
  check_problem(target, options, "nmf_kl");
  return nmf_kl(target, make_start(target, options, true), options);
}

Factorization nmf_kl(const Target& target, Factors start, const SolverOptions& options) {
  check_problem(target, options, "nmf_kl");
  check_start(target, start, options, "nmf_kl");
  const Target sparse = target.sparse() ? target : Target(SparseMatrix64::from_dense(target.dense()));
  const SparseMatrix64& a = sparse.csr();
  const SparseMatrix64& a_transposed = sparse.transposed_csr();
  Matrix64& w = start.w;
  Matrix64& h = start.h;
  const int threads = options.threads;
  Matrix64 w_product(w.rows(), w.cols());
  Matrix64 h_product(h.rows(), h.cols());
  std::vector<double> w_row_sums(static_cast<size_t>(w.rows()));
  std::vector<double> h_row_sums(static_cast<size_t>(h.rows()));
  const double constant = constant_part(a);
  std::vector<double> h_sums = column_sums(h);
  // The loss at (w, h), and on the way the numerator of the next update of w.
  const auto loss = [&] {
    const std::vector<double> w_sums = column_sums(w);
    const double total = std::inner_product(w_sums.begin(), w_sums.end(), h_sums.begin(), 0.0);
    return std::max(constant - quotient_product(a, w, h, w_product, w_row_sums, threads) + total, 0.0);
  };

  Descent descent(loss(), target.sum(), options);
  bool running = descent.may_start();
  while (running) {
    update(w, w_product, h_sums);
    quotient_product(a_transposed, h, w, h_product, h_row_sums, threads);
    update(h, h_product, column_sums(w));
    h_sums = column_sums(h);
    running = descent.goes_on(loss());
  }
  return std::move(descent).finish(std::move(start));
}

}  // namespace orthant::factorize
