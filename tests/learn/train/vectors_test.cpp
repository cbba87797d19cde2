#include <gtest/gtest.h>

#include <cmath>

#include "orthant/core/rng.h"
#include "tests/learn/train/support.h"

namespace orthant {
namespace {

// Ten Gaussian classes whose elements are on scales of their own, far from zero: 100 +- 10^-2 to 100 +- 10^2.
class ForeignVectors final : public Dataset {
 public:
  static constexpr int64_t kDims = 32;
  ForeignVectors(int64_t items, uint64_t seed) : items_(items) {
    info_.name = "foreign";
    info_.dims = kDims;
    for (int64_t c = 0; c < 10; ++c) info_.class_names.push_back("class " + std::to_string(c));
    Rng centres(7);
    std::vector<double> centre;
    for (int64_t k = 0; k < 10 * kDims; ++k) centre.push_back(centres.normal());
    Rng rng(seed);
    for (int64_t i = 0; i < items * kDims; ++i) {
      const int64_t j = i % kDims;
      const double scale = std::pow(10.0, 4.0 * static_cast<double>(j) / (kDims - 1) - 2);
      const double value = centre[static_cast<size_t>(i / kDims % 10 * kDims + j)] + rng.normal();
      values_.push_back(static_cast<float>(100 + scale * value));
    }
  }
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return items_; }
  std::span<const float> vector(int64_t i) const override {
    check_index(i);
    return std::span(values_).subspan(static_cast<size_t>(i * kDims), kDims);
  }
  int64_t label(int64_t i) const override { return i % 10; }

 private:
  DatasetInfo info_;
  int64_t items_;
  std::vector<float> values_;
};

TEST(Vectors, OfAnyScaleTrainWithNothingSet) {
  const TrainingData data = {std::make_shared<ForeignVectors>(2560, 1), std::make_shared<ForeignVectors>(500, 2)};
  Recipe recipe = make_recipe({});
  recipe.train.epochs = 8;
  recipe.train.threads = 1;
  fit_to_data(recipe, {}, *data.train);
  ContrastiveTask task(recipe, data);
  Trainer trainer(task, recipe.optimiser, recipe.train.threads);
  for (; !trainer.finished(); trainer.end_epoch()) {
    trainer.begin_epoch();
    while (trainer.backward()) trainer.step();
  }
  const Scalars measures = task.evaluate({}).measures;
  EXPECT_GT(value_of(measures, "knn_projector"), 0.9);
  EXPECT_LT(value_of(measures, "dead_features"), 0.5 * static_cast<double>(recipe.projector.out));
}

}  // namespace
}  // namespace orthant
