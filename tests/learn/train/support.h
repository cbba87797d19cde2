#pragma once

#include <ATen/ATen.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "learn/task/contrastive_task.h"
#include "learn/train/loop.h"
#include "orthant/data/dataset.h"
#include "orthant/run/recipe.h"
#include "orthant/run/run_folder.h"

namespace orthant::test {

// Weights by formula, the same as in tests/golden/learn/train_golden.py.
inline at::Tensor formula(const std::vector<int64_t>& shape, int64_t phase) {
  at::Tensor tensor = at::empty(shape);
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    const double angle = 1 + 0.7 * static_cast<double>(i) + 1.3 * static_cast<double>(phase);
    tensor.data_ptr<float>()[i] = static_cast<float>(0.5 * std::sin(angle));
  }
  return tensor;
}

inline nlohmann::json train_golden() {
  std::ifstream in(ORTHANT_GOLDEN_DIR "/learn/train.json");
  return nlohmann::json::parse(in);
}

// Vectors around as many centres as there are classes.
class Clusters : public Dataset {
 public:
  Clusters(int64_t items, int64_t dims, int64_t classes) : classes_(classes) {
    info_.name = "clusters";
    info_.split = "train";
    info_.dims = dims;
    for (int64_t c = 0; c < classes; ++c) info_.class_names.push_back("class " + std::to_string(c));
    for (int64_t i = 0; i < items * dims; ++i) {
      const auto centre = static_cast<double>((i / dims % classes) * dims + i % dims);
      values_.push_back(static_cast<float>(std::sin(1.7 * centre) + 0.2 * std::sin(0.9 * static_cast<double>(i))));
    }
  }
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return static_cast<int64_t>(values_.size()) / info_.dims; }
  std::span<const float> vector(int64_t i) const override {
    check_index(i);
    return std::span(values_).subspan(static_cast<size_t>(i * info_.dims), static_cast<size_t>(info_.dims));
  }
  int64_t label(int64_t i) const override { return i % classes_; }

 private:
  DatasetInfo info_;
  int64_t classes_;
  std::vector<float> values_;
};

// A recipe for vectors that trains in milliseconds.
inline Recipe tiny_recipe() {
  Recipe recipe = make_recipe({});
  recipe.data.source = "clusters";
  recipe.train.epochs = 3;
  recipe.train.batch = 8;
  recipe.train.threads = 1;
  recipe.train.pacing.checkpoint_seconds = 0;
  recipe.backbone = {.name = "mlp", .dims = 6, .hidden = 16, .depth = 1};
  recipe.projector = {.hidden = 16, .out = 12, .depth = 2, .batch_norm = true};
  recipe.optimiser.warmup_epochs = 1;
  recipe.eval.size = 16;
  recipe.eval.bank = 32;
  recipe.eval.k = 3;
  return recipe;
}

// A network in training. The data that is held out may be missing.
struct Pretraining {
  Pretraining(const Recipe& recipe, TrainingData data)
      : task(recipe, std::move(data)), trainer(task, recipe.optimiser, recipe.train.threads) {}
  Pretraining(const Recipe& recipe, DatasetPtr data) : Pretraining(recipe, TrainingData{std::move(data), nullptr}) {}

  ContrastiveTask task;
  Trainer trainer;
};

inline LoopOptions loop_options(const Recipe& recipe, const RunFolder& folder) {
  return {folder.path(), recipe.train.pacing, recipe.eval.every};
}

}  // namespace orthant::test
