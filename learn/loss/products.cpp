#include "learn/loss/products.h"

#include <cblas.h>
#include <omp.h>

#include <algorithm>

#include "learn/loss/rows.h"
#include "orthant/core/threads.h"

namespace orthant::loss {

void multiply(const Factor& a, const Factor& b, float* out, int64_t rows, int64_t cols, int64_t inner, int threads) {
  constexpr int64_t kPanel = 64;
  parallel_for(rows, kPanel, threads, [&](int64_t begin, int64_t end) {
    omp_set_num_threads(1);  // of this thread's task alone: a panel's product stays on one thread
    cblas_sgemm(CblasRowMajor, a.transposed ? CblasTrans : CblasNoTrans, b.transposed ? CblasTrans : CblasNoTrans,
                static_cast<int>(end - begin), static_cast<int>(cols), static_cast<int>(inner), 1.0f,
                a.values + (a.transposed ? begin : begin * a.stride), static_cast<int>(a.stride), b.values,
                static_cast<int>(b.stride), 0.0f, out + begin * cols, static_cast<int>(cols));
  });
}

double sum_of_products(std::span<const float> a, std::span<const float> b) {
  constexpr size_t kPart = 4096;
  double sum = 0;
  for (size_t begin = 0; begin < a.size(); begin += kPart) {
    const size_t count = std::min(kPart, a.size() - begin);
    sum += dot(a.subspan(begin, count), b.subspan(begin, count));
  }
  return sum;
}

}  // namespace orthant::loss
