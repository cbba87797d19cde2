#include "orthant/measure/sepin.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/core/threads.h"
#include "orthant/measure/sepin_sums.h"

namespace orthant::measure {
namespace {

// A difference this small beside its terms has lost half of the digits of a double.
constexpr double kCancelled = 1e-8;

// The loss of a row: log((p + n) / p) or log(n / p) for its positive p = e^(cos / temperature) and its negatives' sum
// n.
double row_loss(double positive_cosine, double negatives, const SepinOptions& options) {
  const double gap = std::log(negatives) - positive_cosine / options.temperature;
  if (!options.positive_in_denominator) return gap;
  return gap > 0 ? gap + std::log1p(std::exp(-gap)) : std::log1p(std::exp(gap));
}

class BatchLoss {
 public:
  BatchLoss(const SepinRows& rows, const SepinSums& sums, const SepinOptions& options)
      : rows_(rows), sums_(sums), options_(options), losses_(static_cast<size_t>(rows.rows())) {
    for (int64_t row = 0; row < rows.rows(); ++row) {
      const auto at = static_cast<size_t>(row);
      losses_[at] = row_loss(rows.positive(row % rows.pairs()), sums.all[at], options);
    }
  }

  double sum() const { return std::accumulate(losses_.begin(), losses_.end(), 0.0); }

  // By how much the sum grows without a feature.
  double growth_without(int64_t feature) const {
    const auto entries = rows_.entries(feature);
    const auto split = std::ranges::lower_bound(entries, rows_.pairs(), {}, &SepinEntry::row);
    auto first = entries.begin();
    auto second = split;
    double growth = 0;
    for (int64_t pair = 0; pair < rows_.pairs(); ++pair) {
      const SepinEntry* a = first != split && first->row == pair ? &*first++ : nullptr;
      const SepinEntry* b = second != entries.end() && second->row == rows_.partner(pair) ? &*second++ : nullptr;
      const double positive = a || b ? rows_.positive_without(feature, pair, a, b) : rows_.positive(pair);
      growth +=
          row_growth(feature, pair, positive, a || b) + row_growth(feature, rows_.partner(pair), positive, a || b);
    }
    return growth;
  }

 private:
  double row_growth(int64_t feature, int64_t row, double positive, bool positive_changed) const {
    const auto at = static_cast<size_t>(row);
    const double change = sums_.change(feature, row);
    if (change == 0 && !positive_changed) return 0;
    // A feature that made rows alike can leave so little of a sum, at a low temperature, that its digits cancel.
    double negatives = sums_.all[at] + change;
    if (negatives < kCancelled * sums_.all[at]) {
      negatives = rows_.negatives_without(feature, row, options_.temperature);
    }
    return row_loss(positive, negatives, options_) - losses_[at];
  }

  const SepinRows& rows_;
  const SepinSums& sums_;
  const SepinOptions& options_;
  std::vector<double> losses_;
};

void check_input(const Features& first, const Features& second, const SepinOptions& options) {
  check(first.rows() == second.rows() && first.cols() == second.cols(),
        "[sepin] expected two views of the same shape, got ", first.rows(), " x ", first.cols(), " and ", second.rows(),
        " x ", second.cols());
  check(first.rows() > 0 && first.cols() > 0, "[sepin] expected at least one pair and one feature, got ", first.rows(),
        " x ", first.cols());
  check(first.rows() <= INT32_MAX / 2 && first.cols() < INT32_MAX, "[sepin] expected fewer than 2^30 pairs, got ",
        first.rows());
  check(options.temperature >= kMinSepinTemperature && std::isfinite(options.temperature),
        "[sepin] expected a temperature of at least ", kMinSepinTemperature, ", got ", options.temperature);
  check(options.batch >= 0, "[sepin] expected a batch of 1 pair or more, or 0 for all, got ", options.batch);
  check_finite(first, "sepin, first view");
  check_finite(second, "sepin, second view");
}

std::vector<int64_t> pair_order(int64_t pairs, int64_t batch, uint64_t seed) {
  std::vector<int64_t> order(static_cast<size_t>(pairs));
  std::iota(order.begin(), order.end(), int64_t{0});
  if (batch < pairs) Rng(seed).shuffle(std::span(order));
  return order;
}

}  // namespace

SepinMean mean_of_largest(std::span<const double> values, int64_t k) {
  check(k > 0, "[mean_of_largest] expected k of 1 or more, got ", k);
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted, std::greater());
  SepinMean result{.k = k, .features = std::min(k, static_cast<int64_t>(sorted.size()))};
  const double sum = std::accumulate(sorted.begin(), sorted.begin() + result.features, 0.0);
  if (result.features > 0) result.mean = sum / static_cast<double>(result.features);
  return result;
}

Sepin sepin(const Features& first, const Features& second, const SepinOptions& options) {
  check_input(first, second, options);
  const int64_t batch = options.batch == 0 ? first.rows() : std::min(options.batch, first.rows());
  check(batch > 1 || options.positive_in_denominator,
        "[sepin] expected two pairs or more where the positive is not in the denominator, got ", batch);
  const int64_t batches = first.rows() / batch;
  const auto order = pair_order(first.rows(), batch, options.seed);
  Sepin result;
  result.batch = batch;
  result.pairs = batches * batch;
  result.values.resize(static_cast<size_t>(first.cols()), 0.0);
  std::vector<char> live(result.values.size(), 0);
  for (int64_t b = 0; b < batches; ++b) {
    const auto pairs = std::span(order).subspan(static_cast<size_t>(b * batch), static_cast<size_t>(batch));
    const SepinRows rows(first, second, pairs, options.renormalise);
    SepinSumsOptions summing{.temperature = options.temperature, .threads = options.threads};
    if (options.progress) {
      summing.progress = [&](int64_t done, int64_t total) { options.progress(b * total + done, batches * total); };
    }
    const SepinSums sums = negative_sums(rows, options.renormalise, summing);
    const BatchLoss loss(rows, sums, options);
    result.loss += loss.sum();
    result.zero_rows += rows.zero_rows();
    parallel_for(first.cols(), 1, options.threads, [&](int64_t feature, int64_t) {
      const auto at = static_cast<size_t>(feature);
      result.values[at] += loss.growth_without(feature);
      if (!rows.entries(feature).empty()) live[at] = 1;
    });
  }
  const auto count = static_cast<double>(2 * result.pairs);
  result.loss /= count;
  for (double& value : result.values) value /= count;
  result.live = std::accumulate(live.begin(), live.end(), int64_t{0});
  result.at_1 = mean_of_largest(result.values, 1);
  result.at_10 = mean_of_largest(result.values, 10);
  result.at_100 = mean_of_largest(result.values, 100);
  result.all = mean_of_largest(result.values, first.cols());
  return result;
}

std::optional<double> stated_temperature(const Embeddings& embeddings) {
  const auto stated = embeddings.how.find("temperature");
  if (stated == embeddings.how.end()) return std::nullopt;
  const std::string& text = stated->second;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value <= 0) {
    return std::nullopt;
  }
  return value;
}

}  // namespace orthant::measure
