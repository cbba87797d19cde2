#include "orthant/linalg/products.h"

#include <cblas.h>

#include <algorithm>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/one_thread.h"
#include "orthant/core/threads.h"

namespace orthant::linalg {
namespace {

constexpr int64_t kRowBlock = 256;
constexpr int64_t kReductionChunks = 32;      // partial sums kept at a time
constexpr int64_t kReductionLimit = 1 << 16;  // entries of a result that is summed over row chunks

int blas_size(int64_t n) {
  check(n <= INT32_MAX, "[linalg] expected dimensions below 2^31, got ", n);
  return static_cast<int>(n);
}

void check_size(const Matrix64& out, int64_t rows, int64_t cols, const char* where) {
  check(out.rows() == rows && out.cols() == cols, "[", where, "] expected a result of ", rows, " x ", cols, ", got ",
        out.rows(), " x ", out.cols());
}

// c [rows, k] = a^T b over the given rows of a [., m] and b [., k]; columns of a from `col` on, m of them.
void transposed_block(const Matrix64& a, const Matrix64& b, int64_t begin, int64_t end, int64_t col, int64_t m,
                      double* c) {
  const OneThread one;
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, blas_size(m), blas_size(b.cols()), blas_size(end - begin), 1.0,
              a.data() + begin * a.cols() + col, blas_size(a.cols()), b.data() + begin * b.cols(), blas_size(b.cols()),
              0.0, c, blas_size(b.cols()));
}

}  // namespace

Matrix64 matmul(const Matrix64& a, const Matrix64& b, int threads) {
  Matrix64 out(a.rows(), b.cols());
  matmul(a, b, out, threads);
  return out;
}

void matmul(const Matrix64& a, const Matrix64& b, Matrix64& out, int threads) {
  check(a.cols() == b.rows(), "[matmul] expected ", a.cols(), " rows to multiply with, got ", b.rows());
  check_size(out, a.rows(), b.cols(), "matmul");
  if (out.size() == 0 || a.cols() == 0) {
    std::ranges::fill(out.mutable_values(), 0.0);
    return;
  }
  double* const c = out.mutable_data();
  const int m = blas_size(a.cols());
  const int k = blas_size(b.cols());
  parallel_for(a.rows(), kRowBlock, threads, [&](int64_t begin, int64_t end) {
    const OneThread one;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(end - begin), k, m, 1.0,
                a.data() + begin * m, m, b.data(), k, 0.0, c + begin * k, k);
  });
}

Matrix64 matmul_by_transposed(const Matrix64& a, const Matrix64& b, int threads) {
  check(a.cols() == b.cols(), "[matmul_by_transposed] expected ", a.cols(), " columns to multiply with, got ",
        b.cols());
  Matrix64 out(a.rows(), b.rows());
  if (out.size() == 0 || a.cols() == 0) return out;
  double* const c = out.mutable_data();
  const int k = blas_size(a.cols());
  const int m = blas_size(b.rows());
  parallel_for(a.rows(), kRowBlock, threads, [&](int64_t begin, int64_t end) {
    const OneThread one;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(end - begin), m, k, 1.0, a.data() + begin * k,
                k, b.data(), k, 0.0, c + begin * m, m);
  });
  return out;
}

Matrix64 matmul_transposed(const Matrix64& a, const Matrix64& b, int threads) {
  Matrix64 out(a.cols(), b.cols());
  matmul_transposed(a, b, out, threads);
  return out;
}

void matmul_transposed(const Matrix64& a, const Matrix64& b, Matrix64& out, int threads) {
  check(a.rows() == b.rows(), "[matmul_transposed] expected ", a.rows(), " rows to multiply with, got ", b.rows());
  check_size(out, a.cols(), b.cols(), "matmul_transposed");
  std::ranges::fill(out.mutable_values(), 0.0);
  if (out.size() == 0 || a.rows() == 0) return;
  double* const c = out.mutable_data();
  if (out.size() > kReductionLimit) {
    parallel_for(a.cols(), kRowBlock, threads, [&](int64_t begin, int64_t end) {
      transposed_block(a, b, 0, a.rows(), begin, end - begin, c + begin * b.cols());
    });
    return;
  }
  const int64_t chunk = std::max(kRowBlock, (a.rows() + kReductionChunks - 1) / kReductionChunks);
  const int64_t chunks = (a.rows() + chunk - 1) / chunk;
  std::vector<double> parts(static_cast<size_t>(chunks * out.size()));
  parallel_for(chunks, 1, threads, [&](int64_t part, int64_t) {
    transposed_block(a, b, part * chunk, std::min(a.rows(), (part + 1) * chunk), 0, a.cols(),
                     parts.data() + part * out.size());
  });
  for (int64_t part = 0; part < chunks; ++part) {
    for (int64_t i = 0; i < out.size(); ++i) c[i] += parts[static_cast<size_t>(part * out.size() + i)];
  }
}

Matrix64 gram(const Matrix64& a, int threads) {
  Matrix64 out(a.cols(), a.cols());
  gram(a, out, threads);
  return out;
}

void gram(const Matrix64& a, Matrix64& out, int threads) {
  matmul_transposed(a, a, out, threads);
  for (int64_t i = 0; i < out.rows(); ++i) {
    for (int64_t j = 0; j < i; ++j) out(i, j) = out(j, i);
  }
}

Matrix64 transpose(const Matrix64& a) {
  constexpr int64_t kTile = 32;
  Matrix64 out(a.cols(), a.rows());
  for (int64_t row = 0; row < a.rows(); row += kTile) {
    for (int64_t col = 0; col < a.cols(); col += kTile) {
      for (int64_t i = row; i < std::min(a.rows(), row + kTile); ++i) {
        for (int64_t j = col; j < std::min(a.cols(), col + kTile); ++j) out(j, i) = a(i, j);
      }
    }
  }
  return out;
}

double dot(const Matrix64& a, const Matrix64& b) {
  check(a.rows() == b.rows() && a.cols() == b.cols(), "[dot] expected ", a.rows(), " x ", a.cols(), ", got ", b.rows(),
        " x ", b.cols());
  const OneThread one;
  double sum = 0;
  for (int64_t begin = 0; begin < a.rows(); begin += kRowBlock) {
    const int64_t count = (std::min(a.rows(), begin + kRowBlock) - begin) * a.cols();
    sum += cblas_ddot(blas_size(count), a.data() + begin * a.cols(), 1, b.data() + begin * a.cols(), 1);
  }
  return sum;
}

double squared_norm(const Matrix64& a) { return dot(a, a); }

}  // namespace orthant::linalg
