#include "orthant/fit/boosting.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"

namespace orthant::fit {
namespace {

constexpr int64_t kRowsPerPiece = 1024;

std::vector<double> prior(std::span<const int32_t> classes, int64_t count) {
  std::vector<double> share(static_cast<size_t>(count));
  for (const int32_t c : classes) share[static_cast<size_t>(c)] += 1 / static_cast<double>(classes.size());
  if (count == 2) return {std::log(share[1] / share[0])};
  for (double& s : share) s = std::log(s);
  return share;
}

// Growers hold scratch memory worth keeping; which thread gets which does not matter.
class Growers {
 public:
  explicit Growers(const BinnedCodes& codes) : codes_(codes) {}

  std::unique_ptr<TreeGrower> take() {
    const std::scoped_lock lock(mutex_);
    if (free_.empty()) return std::make_unique<TreeGrower>(codes_);
    auto grower = std::move(free_.back());
    free_.pop_back();
    return grower;
  }

  void give_back(std::unique_ptr<TreeGrower> grower) {
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(grower));
  }

 private:
  const BinnedCodes& codes_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<TreeGrower>> free_;
};

class Booster {
 public:
  Booster(const BinnedCodes& codes, std::span<const int32_t> classes, int64_t count, const BoostingOptions& options)
      : codes_(codes),
        classes_(classes),
        options_(options),
        items_(static_cast<int64_t>(classes.size())),
        growers_(codes) {
    model_.classes = count;
    model_.learning_rate = options.learning_rate;
    model_.start = prior(classes, count);
    outputs_ = static_cast<int64_t>(model_.start.size());
    for (const double s : model_.start) raw_.insert(raw_.end(), classes.size(), s);
    const int64_t blocks = (outputs_ - 1) / kLanes + 1;
    residuals_.resize(static_cast<size_t>(blocks * items_ * kLanes));
    curvatures_.resize(raw_.size());
    importance_.resize(static_cast<size_t>(codes.cols()));
  }

  BoostedTrees fit() {
    for (int64_t round = 0; round < options_.trees; ++round) {
      parallel_for(items_, kRowsPerPiece, options_.threads, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) differentiate(i);
      });
      for (int64_t first = 0; first < outputs_; first += kLanes) grow_block(first);
    }
    const double all = std::accumulate(importance_.begin(), importance_.end(), 0.0);
    for (double& x : importance_) x = all > 0 ? x / all : 0;
    model_.importance = std::move(importance_);
    for (int64_t i = 0; i < items_; ++i) model_.fitted.push_back(likeliest(i));
    return std::move(model_);
  }

 private:
  double& raw(int64_t output, int64_t i) { return raw_[static_cast<size_t>(output * items_ + i)]; }

  // Residuals y - p and curvatures p (1 - p) of item i for every output.
  void differentiate(int64_t i) {
    const int32_t label = classes_[static_cast<size_t>(i)];
    double largest = raw(0, i);
    for (int64_t k = 1; k < outputs_; ++k) largest = std::max(largest, raw(k, i));
    double sum = 0;
    for (int64_t k = 0; k < outputs_; ++k) sum += std::exp(raw(k, i) - largest);
    for (int64_t k = 0; k < outputs_; ++k) {
      const double p = outputs_ == 1 ? 1 / (1 + std::exp(-raw(0, i))) : std::exp(raw(k, i) - largest) / sum;
      const bool hit = outputs_ == 1 ? label == 1 : label == k;
      const int64_t block = k / kLanes;
      residuals_[static_cast<size_t>((block * items_ + i) * kLanes + k % kLanes)] =
          static_cast<float>((hit ? 1.0 : 0.0) - p);
      curvatures_[static_cast<size_t>(k * items_ + i)] = static_cast<float>(p * (1 - p));
    }
  }

  void grow_block(int64_t first) {
    const auto n = static_cast<size_t>(items_);
    const auto residuals = std::span(residuals_).subspan(static_cast<size_t>(first) * n, n * kLanes);
    fill_root(codes_, residuals, options_.threads, root_);
    const int64_t lanes = std::min(kLanes, outputs_ - first);
    std::vector<Tree> grown(static_cast<size_t>(lanes));
    parallel_for(lanes, 1, options_.threads, [&](int64_t lane, int64_t) {
      std::vector<float> residual(n);
      for (size_t i = 0; i < n; ++i) residual[i] = residuals[i * kLanes + static_cast<size_t>(lane)];
      std::vector<double> values(n);
      const auto curvature = std::span(curvatures_).subspan(static_cast<size_t>(first + lane) * n, n);
      const double scale =
          outputs_ == 1 ? 1 : static_cast<double>(model_.classes - 1) / static_cast<double>(model_.classes);
      auto grower = growers_.take();
      grown[static_cast<size_t>(lane)] = grower->grow(root_, lane, residual, curvature, scale, values);
      growers_.give_back(std::move(grower));
      for (size_t i = 0; i < n; ++i) raw(first + lane, static_cast<int64_t>(i)) += options_.learning_rate * values[i];
    });
    for (const Tree& tree : grown) {
      for (const Tree::Node& node : tree.nodes) {
        if (node.column >= 0) importance_[static_cast<size_t>(node.column)] += node.gain;
      }
      model_.trees.push_back(tree);
    }
  }

  int32_t likeliest(int64_t i) {
    if (outputs_ == 1) return raw(0, i) > 0 ? 1 : 0;
    int32_t best = 0;
    for (int32_t k = 1; k < outputs_; ++k) best = raw(k, i) > raw(best, i) ? k : best;
    return best;
  }

  const BinnedCodes& codes_;
  std::span<const int32_t> classes_;
  const BoostingOptions& options_;
  int64_t items_;
  int64_t outputs_ = 0;
  std::vector<double> raw_;        // [outputs, N]
  std::vector<float> residuals_;   // [blocks, N, kLanes]
  std::vector<float> curvatures_;  // [outputs, N]
  std::vector<double> importance_;
  RootHistogram root_;
  Growers growers_;
  BoostedTrees model_;
};

}  // namespace

BoostedTrees fit_boosting(const BinnedCodes& codes, std::span<const int32_t> classes, int64_t count,
                          const BoostingOptions& options) {
  check(static_cast<int64_t>(classes.size()) == codes.rows(), "[boosting] expected ", codes.rows(), " classes, got ",
        classes.size());
  check(options.trees >= 1, "[boosting] expected at least 1 tree, got ", options.trees);
  std::vector<bool> seen(static_cast<size_t>(std::max<int64_t>(count, 0)));
  for (const int32_t c : classes) {
    check(c >= 0 && c < count, "[boosting] expected classes from 0 to ", count, " - 1, got ", c);
    seen[static_cast<size_t>(c)] = true;
  }
  check(count >= 2 && std::ranges::count(seen, true) == count,
        "[boosting] expected 2 or more classes that all occur, got ", std::ranges::count(seen, true), " of ", count);
  return Booster(codes, classes, count, options).fit();
}

std::vector<int32_t> predict(const BoostedTrees& model, std::span<const uint8_t> binned, int64_t items, int threads) {
  const size_t outputs = model.start.size();
  std::vector<int32_t> predicted(static_cast<size_t>(items));
  parallel_for(items, 256, threads, [&](int64_t begin, int64_t end) {
    const auto n = static_cast<size_t>(end - begin);
    std::vector<double> raw;
    for (const double s : model.start) raw.insert(raw.end(), n, s);
    for (size_t t = 0; t < model.trees.size(); ++t) {
      double* output = raw.data() + (t % outputs) * n;
      for (size_t i = 0; i < n; ++i) {
        output[i] += model.learning_rate * tree_value(model.trees[t], binned, items, begin + static_cast<int64_t>(i));
      }
    }
    for (size_t i = 0; i < n; ++i) {
      size_t best = 0;
      for (size_t k = 1; k < outputs; ++k) best = raw[k * n + i] > raw[best * n + i] ? k : best;
      predicted[static_cast<size_t>(begin) + i] =
          outputs == 1 ? static_cast<int32_t>(raw[i] > 0) : static_cast<int32_t>(best);
    }
  });
  return predicted;
}

}  // namespace orthant::fit
