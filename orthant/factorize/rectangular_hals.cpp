#include <algorithm>
#include <utility>
#include <vector>

#include "orthant/core/threads.h"
#include "orthant/factorize/rectangular_kernels.h"
#include "orthant/factorize/rectangular_nmf.h"
#include "orthant/factorize/rectangular_start.h"
#include "orthant/linalg/products.h"

namespace orthant::factorize {
namespace {

constexpr int64_t kBlocksPerPiece = 8;
constexpr int kSweeps = 4;  // per product with A, which costs about as much as that (Gillis and Glineur 2012)

void update(Matrix64& factor, const Matrix64& product, const Matrix64& other_gram, int threads) {
  const int64_t k = factor.cols();
  double* const data = factor.mutable_data();
  parallel_for(factor.rows(), kBlocksPerPiece * hals_block_rows(), threads, [&](int64_t begin, int64_t end) {
    std::vector<double> scratch(static_cast<size_t>(hals_scratch_size(k)));
    const auto size = static_cast<size_t>((end - begin) * k);
    hals_rows({data + begin * k, size}, {product.data() + begin * k, size}, other_gram.values(), k, kSweeps, scratch);
  });
}

}  // namespace

Factorization nmf_hals(const Target& target, const SolverOptions& options) {
  check_problem(target, options, "nmf_hals");
  return nmf_hals(target, make_start(target, options, false), options);
}

Factorization nmf_hals(const Target& target, Factors start, const SolverOptions& options) {
  check_problem(target, options, "nmf_hals");
  check_start(target, start, options, "nmf_hals");
  Matrix64& w = start.w;
  Matrix64& h = start.h;
  const int threads = options.threads;
  const int64_t k = options.rank;
  const double norm = target.squared_norm();
  Matrix64 w_product = target.multiply(h, threads);
  Matrix64 h_product(target.cols(), k);
  Matrix64 w_gram = linalg::gram(w, threads);
  Matrix64 h_gram = linalg::gram(h, threads);

  Descent descent(std::max(norm - 2 * linalg::dot(w, w_product) + linalg::dot(w_gram, h_gram), 0.0), norm, options);
  bool running = descent.may_start();
  while (running) {
    update(w, w_product, h_gram, threads);
    linalg::gram(w, w_gram, threads);
    target.multiply_transposed(w, h_product, threads);
    update(h, h_product, w_gram, threads);
    linalg::gram(h, h_gram, threads);
    running = descent.goes_on(std::max(norm - 2 * linalg::dot(h, h_product) + linalg::dot(w_gram, h_gram), 0.0));
    if (running) target.multiply(h, w_product, threads);
  }
  return std::move(descent).finish(std::move(start));
}

}  // namespace orthant::factorize
