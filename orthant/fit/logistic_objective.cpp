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
constexpr double kConstant = 1e-7;          // deviation of rounding, as a share of a constant feature's value
constexpr double kSmallest = 1e-30;         // scale whose inverse is safely a float

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

// Logits of `rows` dense rows x.
void map_dense(std::span<const float> x, int64_t rows, const LinearMap& map, float* out) {
  const auto classes = static_cast<int64_t>(map.offset.size());
  for (int64_t i = 0; i < rows; ++i) {
    std::ranges::transform(map.offset, out + i * classes, [](double c) { return static_cast<float>(c); });
  }
  if (x.empty()) return;
  const int64_t cols = static_cast<int64_t>(x.size()) / rows;
  const OneThread one;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, blas_size(rows), blas_size(classes), blas_size(cols), 1.0F,
              x.data(), blas_size(cols), map.weights.data(), blas_size(classes), 1.0F, out, blas_size(classes));
}

}  // namespace

void map_rows(const Features& features, const LinearMap& map, int64_t begin, int64_t end, float* out) {
  const auto classes = static_cast<int64_t>(map.offset.size());
  if (const Matrix* x = features.dense()) {
    map_dense({x->data() + begin * x->cols(), static_cast<size_t>((end - begin) * x->cols())}, end - begin, map, out);
    return;
  }
  std::vector<double> z(map.offset.size());
  for (int64_t i = begin; i < end; ++i) {
    std::ranges::copy(map.offset, z.begin());
    features.visit_row(i, [&](int64_t j, float x) {
      const float* const u = map.weights.data() + j * classes;
      for (size_t c = 0; c < z.size(); ++c) z[c] += double{x} * double{u[c]};
    });
    std::ranges::transform(z, out + (i - begin) * classes, [](double value) { return static_cast<float>(value); });
  }
}

struct LogisticObjective::Chunk {
  double loss = 0;
  std::vector<double> weights;  // gradients of U and c
  std::vector<double> offset;
};

LogisticObjective::LogisticObjective(const Features& features, const Targets& targets, int64_t classes,
                                     const Penalty& penalty, int threads)
    : features_(features), targets_(targets), classes_(classes), threads_(threads) {
  for (const float w : targets.weights) total_weight_ += w;
  measure_features(penalty);
}

void LogisticObjective::measure_features(const Penalty& penalty) {
  const auto cols = static_cast<size_t>(features_.cols());
  std::vector<double> mean(cols, 0.0);
  std::vector<double> touched(cols, 0.0);  // weight of the rows where a feature is stored
  std::vector<double> squares(cols, 0.0);
  const auto each = [&](const auto& visit) {
    for (int64_t i = 0; i < features_.rows(); ++i) {
      const double w = targets_.weights[static_cast<size_t>(i)];
      if (w > 0) features_.visit_row(i, [&](int64_t j, float x) { visit(static_cast<size_t>(j), double{x}, w); });
    }
  };
  each([&](size_t j, double x, double w) { mean[j] += w * x / total_weight_; });
  each([&](size_t j, double x, double w) {
    squares[j] += w * (x - mean[j]) * (x - mean[j]);
    touched[j] += w;
  });
  for (size_t j = 0; j < cols; ++j) {
    const double elsewhere = std::max(0.0, total_weight_ - touched[j]) * mean[j] * mean[j];
    double scale = std::sqrt((squares[j] + elsewhere) / total_weight_);
    if (scale <= kConstant * std::abs(mean[j])) scale = 0;
    if (!penalty.standardise) scale = std::hypot(scale, 2 * std::sqrt(penalty.l2));
    factor_.push_back(scale > kSmallest ? static_cast<float>(1 / scale) : 1.0F);
    mean_.push_back(static_cast<float>(mean[j]));
    penalty_.push_back(penalty.l2 * (penalty.standardise ? 1.0 : std::pow(double{factor_[j]}, 2)));
  }
}

LinearMap LogisticObjective::map_of(std::span<const double> p) const {
  const auto classes = static_cast<size_t>(classes_);
  LinearMap map{std::vector<float>(p.size() - classes), {p.end() - classes_, p.end()}};
  for (size_t k = 0; k < map.weights.size(); ++k) {
    const size_t j = k / classes;
    map.weights[k] = static_cast<float>(p[k] * double{factor_[j]});
    map.offset[k % classes] -= double{map.weights[k]} * double{mean_[j]};
  }
  return map;
}

// The map of rows as add_rows() sees them.
LinearMap LogisticObjective::inner_map(std::span<const double> p) const {
  if (features_.dense() == nullptr) return map_of(p);
  LinearMap map{{}, {p.end() - classes_, p.end()}};
  for (const double v : p.first(p.size() - map.offset.size())) map.weights.push_back(static_cast<float>(v));
  return map;
}

void LogisticObjective::centre(const Matrix& x, int64_t begin, int64_t end, float* out) const {
  for (int64_t i = begin; i < end; ++i) {
    const auto row = x.row(i);
    for (size_t j = 0; j < row.size(); ++j) *out++ = (row[j] - mean_[j]) * factor_[j];
  }
}

void LogisticObjective::add_rows(const LinearMap& map, int64_t begin, int64_t end, Chunk& chunk) const {
  const auto classes = static_cast<size_t>(classes_);
  const Matrix* const x = features_.dense();
  std::vector<float> z(static_cast<size_t>(kBlock) * classes);
  std::vector<float> product(x ? map.weights.size() : 0);
  std::vector<float> centred(x ? static_cast<size_t>(kBlock * x->cols()) : 0);
  for (int64_t from = begin; from < end; from += kBlock) {
    const int64_t to = std::min(end, from + kBlock);
    if (x) {
      centre(*x, from, to, centred.data());
      map_dense(std::span(centred).first(static_cast<size_t>((to - from) * x->cols())), to - from, map, z.data());
    } else {
      map_rows(features_, map, from, to, z.data());
    }
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
        for (size_t c = 0; c < classes; ++c) g[c] += double{value} * double{row[c]};
      });
    }
    if (!x || product.empty()) continue;
    const OneThread one;
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, blas_size(x->cols()), blas_size(classes_),
                blas_size(to - from), 1.0F, centred.data(), blas_size(x->cols()), z.data(), blas_size(classes_), 0.0F,
                product.data(), blas_size(classes_));
    for (size_t k = 0; k < product.size(); ++k) chunk.weights[k] += product[k];
  }
}

double LogisticObjective::operator()(std::span<const double> p, std::span<double> gradient) const {
  const LinearMap map = inner_map(p);
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
  const bool centred = features_.dense() != nullptr;
  for (size_t k = 0; k < weights; ++k) {
    const size_t j = k / classes;
    if (!centred) gradient[k] = (gradient[k] - gradient[weights + k % classes] * double{mean_[j]}) * double{factor_[j]};
    gradient[k] += penalty_[j] * p[k];
    value += 0.5 * penalty_[j] * p[k] * p[k];
  }
  return value;
}

}  // namespace orthant::fit
