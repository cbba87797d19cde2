#include "orthant/data/label_noise.h"

#include <cmath>
#include <utility>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/data/subset.h"

namespace orthant {
namespace {

class LabelNoise final : public Dataset {
 public:
  LabelNoise(DatasetPtr clean, std::vector<int64_t> labels) : clean_(std::move(clean)), labels_(std::move(labels)) {}

  const DatasetInfo& info() const override { return clean_->info(); }
  int64_t size() const override { return clean_->size(); }
  Image image(int64_t i) const override { return clean_->image(i); }
  Image image_for(int64_t i, int64_t side) const override { return clean_->image_for(i, side); }
  std::span<const float> vector(int64_t i) const override { return clean_->vector(i); }
  int64_t label(int64_t i) const override {
    check_index(i);
    return labels_[static_cast<size_t>(i)];
  }
  void factors(int64_t i, std::span<int32_t> classes) const override { clean_->factors(i, classes); }
  std::string id(int64_t i) const override { return clean_->id(i); }

 private:
  DatasetPtr clean_;
  std::vector<int64_t> labels_;
};

}  // namespace

DatasetPtr label_noise(DatasetPtr dataset, double fraction, uint64_t seed) {
  const auto classes = static_cast<uint64_t>(dataset->info().class_names.size());
  check(fraction >= 0 && fraction <= 1, "[label noise] expected a fraction from 0 to 1, got ", fraction);
  check(classes >= 2, "[label noise] expected at least two classes, got ", classes);

  std::vector<int64_t> labels(static_cast<size_t>(dataset->size()));
  std::vector<size_t> labelled;
  for (size_t i = 0; i < labels.size(); ++i) {
    labels[i] = dataset->label(static_cast<int64_t>(i));
    if (labels[i] >= 0) labelled.push_back(i);
  }
  Rng rng({.seed = seed, .view = 0xff15});
  const auto total = static_cast<int64_t>(labelled.size());
  for (const int64_t k : choose(total, std::llround(fraction * static_cast<double>(total)), rng)) {
    int64_t& label = labels[labelled[static_cast<size_t>(k)]];
    label = static_cast<int64_t>((static_cast<uint64_t>(label) + 1 + rng.below(classes - 1)) % classes);
  }
  return std::make_shared<LabelNoise>(std::move(dataset), std::move(labels));
}

}  // namespace orthant
