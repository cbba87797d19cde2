#include "orthant/decompose/decompose.h"

#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "orthant/core/error.h"
#include "orthant/core/one_thread.h"
#include "orthant/core/threads.h"
#include "orthant/decompose/centre.h"
#include "orthant/decompose/lasso.h"
#include "orthant/shards/row_store.h"

namespace orthant::decompose {
namespace {

constexpr int64_t kTile = 64;     // rows whose products with the words are made at once
constexpr int64_t kChunk = 4096;  // rows between two words of progress

struct RowResult {
  NonNegativeLasso::Code code;
  double lambda = 0;
  double cosine_centred = 0;
  double cosine = 0;
  double cosine_centre = 0;
};

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

double cosine(std::span<const double> a, std::span<const double> b) {
  const double lengths = std::sqrt(dot(a, a) * dot(b, b));
  return lengths > 0 ? dot(a, b) / lengths : 0.0;
}

// How near the sum of the words comes to the row, before and after the centre is put back.
void judge(RowResult& result, const Features& vectors, int64_t row, std::span<const float> centred,
           const Dictionary& dictionary, std::span<const double> centre) {
  const size_t width = centred.size();
  std::vector<double> given(width);
  vectors.visit_row(row, [&](int64_t j, float x) { given[static_cast<size_t>(j)] = x; });
  std::vector<double> sum(width);
  for (size_t k = 0; k < result.code.words.size(); ++k) {
    const auto atom = dictionary.atoms.row(result.code.words[k]);
    for (size_t j = 0; j < width; ++j) sum[j] += static_cast<double>(result.code.weights[k]) * atom[j];
  }
  result.cosine_centred = cosine(sum, std::vector<double>(centred.begin(), centred.end()));
  const double length = std::sqrt(dot(sum, sum));
  for (size_t j = 0; j < width; ++j) {
    sum[j] = (length > 0 ? sum[j] / length : 0.0) + (centre.empty() ? 0.0 : centre[j]);
  }
  result.cosine = cosine(sum, given);
  result.cosine_centre = centre.empty() ? 0.0 : cosine(centre, given);
}

// Rows [begin, end) into results[0...].
void solve_tile(const Features& vectors, const Dictionary& dictionary, const DecomposeOptions& options, int64_t begin,
                int64_t end, std::span<RowResult> results, NonNegativeLasso& lasso) {
  const int64_t words = dictionary.words();
  const int64_t width = vectors.cols();
  Matrix rows(end - begin, width);
  for (int64_t i = begin; i < end; ++i) centred_row(vectors, i, options.centre, rows.mutable_row(i - begin));
  Matrix products(end - begin, words);
  {
    const OneThread one;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(end - begin), static_cast<int>(words),
                static_cast<int>(width), 1.0F, rows.data(), static_cast<int>(width), dictionary.atoms.data(),
                static_cast<int>(width), 0.0F, products.mutable_data(), static_cast<int>(words));
  }
  for (int64_t i = begin; i < end; ++i) {
    RowResult& result = results[static_cast<size_t>(i - begin)];
    lasso.start(products.row(i - begin), options.without.empty() ? -1 : options.without[static_cast<size_t>(i)]);
    result.lambda = options.lambda;
    if (options.lambda > 0) {
      lasso.solve(options.lambda);
    } else {
      result.lambda = lasso.solve_active(options.active);
    }
    result.code = lasso.code();
    judge(result, vectors, i, rows.row(i - begin), dictionary, options.centre);
  }
}

void check_input(const Features& vectors, const Dictionary& dictionary, const std::string& name,
                 const DecomposeOptions& options) {
  check(vectors.cols() == dictionary.atoms.cols(), "[", name, "] expected vectors of ", dictionary.atoms.cols(),
        " numbers, as the dictionary has, got ", vectors.cols());
  check(options.centre.empty() || std::ssize(options.centre) == vectors.cols(), "[", name, "] expected a centre of ",
        vectors.cols(), " numbers, got ", options.centre.size());
  check(options.without.empty() || std::ssize(options.without) == vectors.rows(), "[", name, "] expected ",
        vectors.rows(), " words to do without, got ", options.without.size());
  for (const int32_t word : options.without) {
    check(word >= -1 && word < dictionary.words(), "[", name, "] expected words below ", dictionary.words(), ", got ",
          word);
  }
  check(options.lambda >= 0 && std::isfinite(options.lambda), "[decompose] expected lambda of 0 or above, got ",
        options.lambda);
  check(options.lambda > 0 || options.active >= 1, "[decompose] expected at least one word for a row, got ",
        options.active);
}

}  // namespace

Decomposition decompose(const Features& vectors, const Dictionary& dictionary, const std::string& name,
                        const DecomposeOptions& options) {
  check_input(vectors, dictionary, name, options);
  mean_direction(vectors, name, options.threads);  // every row has a direction
  const int64_t rows = vectors.rows();
  shards::RowStore store;
  Decomposition found;
  std::vector<char> used(static_cast<size_t>(dictionary.words()));
  std::vector<RowResult> results;
  for (int64_t first = 0; first < rows; first += kChunk) {
    const int64_t count = std::min(kChunk, rows - first);
    if (options.progress) options.progress(first, rows);
    results.assign(static_cast<size_t>(count), {});
    parallel_for(count, kTile, options.threads, [&](int64_t begin, int64_t end) {
      NonNegativeLasso lasso(dictionary.gram);
      solve_tile(vectors, dictionary, options, first + begin, first + end,
                 std::span(results).subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin)), lasso);
    });
    for (const RowResult& result : results) {
      store.append(SparseMatrix::Row{result.code.words, result.code.weights});
      for (const int32_t word : result.code.words) used[static_cast<size_t>(word)] = 1;
      found.active += static_cast<double>(result.code.words.size());
      found.empty_rows += result.code.words.empty();
      found.lambda += result.lambda;
      found.cosine_centred += result.cosine_centred;
      found.cosine += result.cosine;
      found.cosine_centre += result.cosine_centre;
    }
  }
  if (options.progress) options.progress(rows, rows);
  for (double* sum : {&found.active, &found.lambda, &found.cosine_centred, &found.cosine, &found.cosine_centre}) {
    *sum /= static_cast<double>(rows);
  }
  found.words_used = std::ranges::count(used, 1);
  found.code = store.finish(dictionary.words());
  return found;
}

}  // namespace orthant::decompose
