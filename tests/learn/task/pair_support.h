#pragma once

#include <cmath>
#include <memory>
#include <utility>

#include "learn/task/pair_task.h"
#include "learn/train/loop.h"
#include "tests/learn/train/support.h"

namespace orthant::test {

// Vectors that belong together: item i of both is made of the same two numbers, each in a way of its own.
class Waves : public Dataset {
 public:
  Waves(int64_t items, int64_t dims, double phase, int64_t first = 0) {
    info_.name = "waves";
    info_.split = "train";
    info_.dims = dims;
    info_.class_names = {"low", "high"};
    for (int64_t i = 0; i < items * dims; ++i) {
      const auto item = static_cast<double>(first + i / dims);
      const auto j = static_cast<double>(i % dims + 1);
      const double x = std::sin(2.4 * item);
      const double y = std::cos(1.1 * item);
      values_.push_back(static_cast<float>(x * std::sin(phase * j) + y * std::cos(phase * j + 1) + 0.5 * x * y));
    }
  }
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return static_cast<int64_t>(values_.size()) / info_.dims; }
  std::span<const float> vector(int64_t i) const override {
    check_index(i);
    return std::span(values_).subspan(static_cast<size_t>(i * info_.dims), static_cast<size_t>(info_.dims));
  }
  int64_t label(int64_t i) const override { return vector(i)[0] > 0 ? 1 : 0; }

 private:
  DatasetInfo info_;
  std::vector<float> values_;
};

inline PairedData waves(int64_t items, int64_t first = 0) {
  return {std::make_shared<Waves>(items, 6, 0.7, first), std::make_shared<Waves>(items, 4, 1.9, first)};
}

// A recipe for vectors that trains in milliseconds.
inline PairRecipe tiny_pairs(const Settings& settings = {}) {
  Settings all = {{"data.source", "waves"},          {"data.with", "waves"},
                  {"data.vector_noise_a", 0.05},     {"data.vector_noise_b", 0.05},
                  {"data.vector_dropout_a", 0.0},    {"data.vector_dropout_b", 0.0},
                  {"train.epochs", int64_t{3}},      {"train.batch", int64_t{8}},
                  {"train.threads", int64_t{1}},     {"train.checkpoint_seconds", int64_t{0}},
                  {"backbone.hidden", int64_t{16}},  {"backbone.depth", int64_t{1}},
                  {"projector.hidden", int64_t{16}}, {"projector.out", int64_t{12}},
                  {"eval.size", int64_t{16}}};
  for (const auto& [key, value] : settings) all[key] = value;
  const std::vector<SettingsLayer> layers = {{"test", all}};
  PairRecipe recipe = make_pair_recipe(layers);
  fit_pairs(recipe, layers, waves(40));
  return recipe;
}

// Two towers in training.
struct Pairing {
  Pairing(const PairRecipe& recipe, PairedParts data)
      : task(recipe, std::move(data)), trainer(task, recipe.optimiser, recipe.train.threads) {}
  explicit Pairing(const PairRecipe& recipe) : Pairing(recipe, {waves(40), waves(20, 40)}) {}

  PairTask task;
  Trainer trainer;
};

inline LoopOptions loop_options(const PairRecipe& recipe, const RunFolder& folder) {
  return {folder.path(), recipe.train.pacing, recipe.eval.every};
}

}  // namespace orthant::test
