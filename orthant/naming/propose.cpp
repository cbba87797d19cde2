#include "orthant/naming/propose.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <span>

#include "orthant/core/error.h"
#include "orthant/core/matrix.h"
#include "orthant/core/rng.h"
#include "orthant/core/threads.h"
#include "orthant/search/strongest.h"

namespace orthant::naming {
namespace {

constexpr double kFirstWeight = 0.998;
constexpr double kLastWeight = 0.97;
constexpr double kSmallest = 1e-7;
constexpr int64_t kDraws = 100;
constexpr size_t kExceeding = 5;  // of the draws
constexpr double kOn = 1e-5;
// Chance is told for so many items; a feature with more takes that of the next lower number, which is no smaller.
constexpr std::array<int64_t, 9> kSizes = {1, 2, 3, 5, 8, 15, 30, 60, 100};

double weight_of(size_t rank, size_t count) {
  if (count < 2) return kFirstWeight;
  const double step = static_cast<double>(rank) / static_cast<double>(count - 1);
  return kFirstWeight + (kLastWeight - kFirstWeight) * step;
}

double evidence(double weight, double probability) { return std::log(1 + weight * (probability - 1) + kSmallest); }

// The softmax of each item over concepts, without its numerators: P_it = exp(s_it - largest) / sum.
struct Softmax {
  double largest = 0;
  double sum = 0;
};

class Rule {
 public:
  Rule(const Concepts& concepts, double sharpness, int threads)
      : scores_(std::visit([](const auto& held) { return Features(held); }, concepts.scores)),
        sharpness_(sharpness),
        softmax_(static_cast<size_t>(scores_.rows())) {
    parallel_for(scores_.rows(), 256, threads, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) softmax_[static_cast<size_t>(i)] = softmax_of(i);
    });
  }

  int64_t concepts() const { return scores_.cols(); }

  // l(., t) of a feature with these strongest items, into out [V].
  void likelihoods(std::span<const int32_t> items, std::span<float> out) const {
    std::vector<double> sums(out.size());
    double absent = 0;  // what a concept of score 0 gets throughout
    for (size_t r = 0; r < items.size(); ++r) {
      const double weight = weight_of(r, items.size());
      const Softmax& softmax = softmax_[static_cast<size_t>(items[r])];
      const double base = evidence(weight, std::exp(-softmax.largest) / softmax.sum);
      absent += base;
      scores_.visit_row(items[r], [&](int64_t t, float score) {
        const double probability = std::exp(sharpness_ * score - softmax.largest) / softmax.sum;
        sums[static_cast<size_t>(t)] += evidence(weight, probability) - base;
      });
    }
    const auto count = static_cast<double>(items.size());
    std::ranges::transform(sums, out.begin(), [&](double sum) { return static_cast<float>((absent + sum) / count); });
  }

 private:
  Softmax softmax_of(int64_t item) const {
    Softmax softmax;
    int64_t stored = 0;
    scores_.visit_row(item, [&](int64_t, float score) {
      softmax.largest = std::max(softmax.largest, sharpness_ * score);
      ++stored;
    });
    softmax.sum = static_cast<double>(scores_.cols() - stored) * std::exp(-softmax.largest);
    scores_.visit_row(item, [&](int64_t, float s) { softmax.sum += std::exp(sharpness_ * s - softmax.largest); });
    return softmax;
  }

  Features scores_;
  double sharpness_;
  std::vector<Softmax> softmax_;
};

// log mean over the features that are on of exp l(., t), [V].
std::vector<double> log_means(const Matrix& likelihoods, const search::StrongestItems& strongest) {
  std::vector<double> means(static_cast<size_t>(likelihoods.cols()));
  int64_t features = 0;
  for (int64_t k = 0; k < likelihoods.rows(); ++k) {
    if (strongest.of(k).empty()) continue;
    ++features;
    const auto row = likelihoods.row(k);
    for (size_t t = 0; t < means.size(); ++t) means[t] += std::exp(static_cast<double>(row[t]));
  }
  for (double& mean : means) mean = features > 0 ? std::log(mean / static_cast<double>(features)) : 0;
  return means;
}

struct Best {
  size_t first = 0;
  double score = 0;
  size_t second = 0;
  double second_score = 0;
};

Best best_of(std::span<const float> likelihoods, const std::vector<double>& means) {
  Best best{.score = -INFINITY, .second_score = -INFINITY};
  for (size_t t = 0; t < means.size(); ++t) {
    const double score = likelihoods[t] - means[t];
    if (score > best.score) {
      best = {t, score, best.first, best.score};
    } else if (score > best.second_score) {
      best.second = t;
      best.second_score = score;
    }
  }
  return best;
}

// The score that kExceeding of kDraws sets of `size` random items reach.
double chance_of(const Rule& rule, const std::vector<double>& means, int64_t size, int64_t items,
                 const ProposeOptions& options) {
  std::vector<double> scores(static_cast<size_t>(kDraws));
  parallel_for(kDraws, 1, options.threads, [&](int64_t draw, int64_t) {
    Rng rng(
        StreamKey{.seed = options.seed, .epoch = static_cast<uint32_t>(size), .sample = static_cast<uint64_t>(draw)});
    std::vector<int32_t> drawn;
    while (std::ssize(drawn) < size) {
      const auto item = static_cast<int32_t>(rng.below(static_cast<uint64_t>(items)));
      if (std::ranges::find(drawn, item) == drawn.end()) drawn.push_back(item);
    }
    std::vector<float> likelihoods(means.size());
    rule.likelihoods(drawn, likelihoods);
    scores[static_cast<size_t>(draw)] = best_of(likelihoods, means).score;
  });
  std::ranges::sort(scores, std::greater<>());
  return scores[kExceeding - 1];
}

}  // namespace

std::vector<Proposal> propose_names(const Features& features, const Concepts& concepts, const ProposeOptions& options) {
  const Rule rule(concepts, options.sharpness, options.threads);
  const int64_t items = std::visit([](const auto& held) { return held.rows(); }, concepts.scores);
  check(items == features.rows(), "[name] expected concepts of the ", features.rows(), " items, got ", items);
  check(std::ssize(concepts.names) == rule.concepts() && rule.concepts() > 0, "[name] expected a name for each of the ",
        rule.concepts(), " concepts, got ", concepts.names.size());
  check(options.most >= 1 && options.sharpness > 0, "[name] expected items and a sharpness above 0, got ", options.most,
        " and ", options.sharpness);
  const search::StrongestItems strongest =
      search::strongest_items(features, {}, {.most = options.most, .threshold = kOn, .threads = options.threads});
  Matrix likelihoods(features.cols(), rule.concepts());
  float* const rows = likelihoods.mutable_data();
  parallel_for(features.cols(), 4, options.threads, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      if (strongest.of(k).empty()) continue;
      rule.likelihoods(strongest.of(k), {rows + k * rule.concepts(), static_cast<size_t>(rule.concepts())});
    }
  });
  const std::vector<double> means = log_means(likelihoods, strongest);
  std::map<int64_t, double> chances;
  std::vector<Proposal> proposals(static_cast<size_t>(features.cols()));
  for (int64_t k = 0; k < features.cols(); ++k) {
    const int64_t count = std::ssize(strongest.of(k));
    if (count == 0) continue;
    const int64_t size = *(std::ranges::upper_bound(kSizes, count) - 1);
    if (!chances.contains(size)) chances[size] = chance_of(rule, means, size, items, options);
    const Best best = best_of(likelihoods.row(k), means);
    proposals[static_cast<size_t>(k)] = {.name = concepts.names[best.first],
                                         .score = best.score,
                                         .chance = chances[size],
                                         .second = means.size() > 1 ? concepts.names[best.second] : "",
                                         .second_score = means.size() > 1 ? best.second_score : 0,
                                         .items = count};
  }
  return proposals;
}

}  // namespace orthant::naming
