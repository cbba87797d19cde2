#include "orthant/linalg/column_gram.h"

#include <cblas.h>

#include <algorithm>

#include "orthant/core/error.h"
#include "orthant/core/one_thread.h"
#include "orthant/core/threads.h"

namespace orthant::linalg {
namespace {

constexpr int64_t kRows = 512;   // of the buffer
constexpr int64_t kStrip = 64;   // columns of the result that one thread works on
constexpr int64_t kScale = 256;  // rows that one thread scales at a time

double scale_of(const Features& features, int64_t i, bool unit_rows) {
  if (!unit_rows) return 1;
  const double length = features.row_norm(i);
  return length > 0 ? 1 / length : 0;
}

void add_dense(const Features& features, const GramOptions& options, Matrix64& gram) {
  const int64_t cols = features.cols();
  const auto width = static_cast<int>(cols);
  Matrix64 buffer(std::min(kRows, features.rows()), cols);
  for (int64_t from = 0; from < features.rows(); from += kRows) {
    const int64_t rows = std::min(kRows, features.rows() - from);
    parallel_for(rows, kScale, options.threads, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const double scale = scale_of(features, from + i, options.unit_rows);
        std::ranges::transform(features.dense()->row(from + i), buffer.mutable_row(i).begin(),
                               [&](float x) { return x * scale; });
      }
    });
    parallel_for(cols, kStrip, options.threads, [&](int64_t begin, int64_t end) {
      const OneThread one;
      cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, static_cast<int>(end - begin),
                  static_cast<int>(cols - begin), static_cast<int>(rows), 1.0, buffer.data() + begin, width,
                  buffer.data() + begin, width, 1.0, gram.mutable_data() + begin * cols + begin, width);
    });
  }
}

void add_sparse(const Features& features, const GramOptions& options, Matrix64& gram) {
  std::vector<double> scales(static_cast<size_t>(features.rows()));
  parallel_for(features.rows(), kScale, options.threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) scales[static_cast<size_t>(i)] = scale_of(features, i, options.unit_rows);
  });
  parallel_for(features.cols(), kStrip, options.threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = 0; i < features.rows(); ++i) {
      const auto row = features.sparse()->row(i);
      const double square = scales[static_cast<size_t>(i)] * scales[static_cast<size_t>(i)];
      const auto first = static_cast<size_t>(std::ranges::lower_bound(row.indices, begin) - row.indices.begin());
      for (size_t a = first; a < row.indices.size() && row.indices[a] < end; ++a) {
        double* const to = gram.mutable_data() + row.indices[a] * gram.cols();
        const double x = square * row.values[a];
        for (size_t b = a; b < row.indices.size(); ++b) to[row.indices[b]] += x * row.values[b];
      }
    }
  });
}

}  // namespace

Matrix64 column_gram(const Features& features, const GramOptions& options) {
  check(features.rows() > 0 && features.cols() > 0 && features.cols() <= INT32_MAX,
        "[column_gram] expected features, at most 2^31-1, got ", features.rows(), " x ", features.cols());
  Matrix64 gram(features.cols(), features.cols());
  if (features.dense()) {
    add_dense(features, options, gram);
  } else {
    add_sparse(features, options, gram);
  }
  for (int64_t i = 0; i < gram.rows(); ++i) {
    for (int64_t j = 0; j < i; ++j) gram(i, j) = gram(j, i);
  }
  return gram;
}

}  // namespace orthant::linalg
