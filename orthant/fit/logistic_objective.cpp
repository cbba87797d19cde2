#include "orthant/fit/logistic_objective.h"

#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "orthant/core/one_thread.h"
#include "orthant/core/threads.h"

namespace orthant::fit {
namespace {

constexpr int64_t kBlock = 256;             // rows of one matrix product: they stay in the cache between its two uses
constexpr int64_t kMostChunks = 64;         // partial sums, each with a gradient of its own
constexpr int64_t kChunkEntries = 1 << 22;  // of all partial gradients together, if that leaves eight

int blas_size(int64_t n) {
  check(n <= INT32_MAX, "[logistic] expected dimensions below 2^31, got ", n);
  return static_cast<int>(n);
}

// Cross-entropy of one row; its logits become weight * (softmax - one_hot).
double row_loss(std::span<float> logits, size_t target, double weight) {
  const double most = *std::ranges::max_element(logits);
  const double at_target = logits[target];
  double sum = 0;
  for (const float z : logits) sum += std::exp(z - most);
  for (float& z : logits) z = static_cast<float>(weight * std::exp(z - most) / sum);
  logits[target] -= static_cast<float>(weight);
  return weight * (std::log(sum) + most - at_target);
}

}  // namespace

void map_rows(const Features& features, const LinearMap& map, int64_t begin, int64_t end, float* out) {
  const auto classes = static_cast<int64_t>(map.offset.size());
  for (int64_t i = begin; i < end; ++i) std::ranges::copy(map.offset, out + (i - begin) * classes);
  if (features.cols() == 0) return;
  if (const Matrix* x = features.dense()) {
    const OneThread one;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, blas_size(end - begin), blas_size(classes),
                blas_size(x->cols()), 1.0F, x->data() + begin * x->cols(), blas_size(x->cols()), map.weights.data(),
                blas_size(classes), 1.0F, out, blas_size(classes));
    return;
  }
  for (int64_t i = begin; i < end; ++i) {
    float* const z = out + (i - begin) * classes;
    features.visit_row(i, [&](int64_t j, float x) {
      const float* const u = map.weights.data() + j * classes;
      for (int64_t c = 0; c < classes; ++c) z[c] += x * u[c];
    });
  }
}

struct LogisticObjective::Chunk {
  double loss = 0;
  std::vector<double> weights;  // gradients of U and c
  std::vector<double> offset;
};

LogisticObjective::LogisticObjective(const Features& features, const Targets& targets, int64_t classes,
                                     bool standardise, int threads)
    : features_(features), targets_(targets), classes_(classes), threads_(threads) {
  const auto cols = static_cast<size_t>(features.cols());
  mean_.assign(cols, 0.0);
  scale_.assign(cols, 1.0);
  std::vector<double> touched(cols, 0.0);  // weight of the rows where a feature is stored
  std::vector<double> squares(cols, 0.0);
  const auto each = [&](const auto& visit) {
    for (int64_t i = 0; i < features.rows(); ++i) {
      const double w = targets.weights[static_cast<size_t>(i)];
      if (w > 0) features.visit_row(i, [&](int64_t j, float x) { visit(static_cast<size_t>(j), double{x}, w); });
    }
  };
  for (const float w : targets.weights) total_weight_ += w;
  each([&](size_t j, double x, double w) { mean_[j] += w * x / total_weight_; });
  if (!standardise) return;
  each([&](size_t j, double x, double w) {
    squares[j] += w * (x - mean_[j]) * (x - mean_[j]);
    touched[j] += w;
  });
  for (size_t j = 0; j < cols; ++j) {
    const double elsewhere = std::max(0.0, total_weight_ - touched[j]) * mean_[j] * mean_[j];
    const double deviation = std::sqrt((squares[j] + elsewhere) / total_weight_);
    // A constant feature keeps a deviation of rounding only.
    if (deviation > 1e-7 * std::abs(mean_[j])) scale_[j] = deviation;
  }
}

std::vector<double> LogisticObjective::unscaled_weights(std::span<const double> p) const {
  std::vector<double> u(p.begin(), p.end() - classes_);
  for (size_t k = 0; k < u.size(); ++k) u[k] /= scale_[k / static_cast<size_t>(classes_)];
  return u;
}

std::vector<double> LogisticObjective::unscaled_offset(std::span<const double> p) const {
  std::vector<double> offset(p.end() - classes_, p.end());
  for (size_t j = 0; j < mean_.size(); ++j) {
    for (size_t c = 0; c < offset.size(); ++c) offset[c] -= p[j * offset.size() + c] * mean_[j] / scale_[j];
  }
  return offset;
}

LinearMap LogisticObjective::map_of(std::span<const double> p) const {
  const std::vector<double> u = unscaled_weights(p);
  const std::vector<double> c = unscaled_offset(p);
  LinearMap map{std::vector<float>(u.size()), std::vector<float>(c.size())};
  std::ranges::transform(u, map.weights.begin(), [](double x) { return static_cast<float>(x); });
  std::ranges::transform(c, map.offset.begin(), [](double x) { return static_cast<float>(x); });
  return map;
}

void LogisticObjective::add_rows(const LinearMap& map, int64_t begin, int64_t end, Chunk& chunk) const {
  const auto classes = static_cast<size_t>(classes_);
  const Matrix* const x = features_.dense();
  std::vector<float> z(static_cast<size_t>(kBlock) * classes);
  std::vector<float> product(x ? map.weights.size() : 0);
  for (int64_t from = begin; from < end; from += kBlock) {
    const int64_t to = std::min(end, from + kBlock);
    map_rows(features_, map, from, to, z.data());
    for (int64_t i = from; i < to; ++i) {
      const std::span<float> row(z.data() + static_cast<size_t>(i - from) * classes, classes);
      const double weight = targets_.weights[static_cast<size_t>(i)] / total_weight_;
      if (weight == 0) {
        std::ranges::fill(row, 0.0F);
        continue;
      }
      chunk.loss += row_loss(row, static_cast<size_t>(targets_.classes[static_cast<size_t>(i)]), weight);
      for (size_t c = 0; c < classes; ++c) chunk.offset[c] += row[c];
      if (x) continue;
      features_.visit_row(i, [&](int64_t j, float value) {
        double* const g = chunk.weights.data() + static_cast<size_t>(j) * classes;
        for (size_t c = 0; c < classes; ++c) g[c] += static_cast<double>(value * row[c]);
      });
    }
    if (!x || product.empty()) continue;
    const OneThread one;
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, blas_size(x->cols()), blas_size(classes_),
                blas_size(to - from), 1.0F, x->data() + from * x->cols(), blas_size(x->cols()), z.data(),
                blas_size(classes_), 0.0F, product.data(), blas_size(classes_));
    for (size_t k = 0; k < product.size(); ++k) chunk.weights[k] += product[k];
  }
}

double LogisticObjective::operator()(std::span<const double> p, std::span<double> gradient, double l2) const {
  const LinearMap map = map_of(p);
  const int64_t rows = features_.rows();
  const int64_t wanted = std::clamp<int64_t>(kChunkEntries / std::max<int64_t>(parameters(), 1), 8, kMostChunks);
  const int64_t length = std::max(kBlock, (rows / wanted / kBlock + 1) * kBlock);
  std::vector<Chunk> chunks(static_cast<size_t>((rows - 1) / length + 1));
  parallel_for(rows, length, threads_, [&](int64_t begin, int64_t end) {
    Chunk& chunk = chunks[static_cast<size_t>(begin / length)];
    chunk.weights.assign(map.weights.size(), 0.0);
    chunk.offset.assign(map.offset.size(), 0.0);
    add_rows(map, begin, end, chunk);
  });

  const auto classes = static_cast<size_t>(classes_);
  const size_t weights = map.weights.size();
  std::ranges::fill(gradient, 0.0);
  double value = 0;
  for (const Chunk& chunk : chunks) {
    value += chunk.loss;
    for (size_t k = 0; k < weights; ++k) gradient[k] += chunk.weights[k];
    for (size_t c = 0; c < classes; ++c) gradient[weights + c] += chunk.offset[c];
  }
  double squares = 0;
  for (size_t k = 0; k < weights; ++k) {
    const size_t j = k / classes;
    gradient[k] = (gradient[k] - gradient[weights + k % classes] * mean_[j]) / scale_[j] + l2 * p[k];
    squares += p[k] * p[k];
  }
  return value + 0.5 * l2 * squares;
}

}  // namespace orthant::fit
