#include "orthant/pairs/with_ids.h"

#include <utility>

#include "orthant/core/error.h"

namespace orthant {
namespace {

class WithIds final : public Dataset {
 public:
  WithIds(DatasetPtr items, DatasetPtr names) : items_(std::move(items)), names_(std::move(names)) {}

  const DatasetInfo& info() const override { return items_->info(); }
  int64_t size() const override { return items_->size(); }
  Image image(int64_t i) const override { return items_->image(i); }
  Image image_for(int64_t i, int64_t side) const override { return items_->image_for(i, side); }
  std::span<const float> vector(int64_t i) const override { return items_->vector(i); }
  std::vector<std::string> texts(int64_t i) const override { return items_->texts(i); }
  Sound sound(int64_t i) const override { return items_->sound(i); }
  int64_t label(int64_t i) const override { return items_->label(i); }
  void factors(int64_t i, std::span<int32_t> classes) const override { items_->factors(i, classes); }
  std::string id(int64_t i) const override { return names_->id(i); }

 private:
  DatasetPtr items_;
  DatasetPtr names_;
};

}  // namespace

DatasetPtr with_ids_of(DatasetPtr dataset, const DatasetPtr& other) {
  check(dataset->size() == other->size(), "[", dataset->info().name, "] expected ids of ", dataset->size(),
        " items, got those of ", other->size());
  for (int64_t i = 0; i < dataset->size(); ++i) {
    if (dataset->id(i) != other->id(i)) return std::make_shared<WithIds>(std::move(dataset), other);
  }
  return dataset;
}

}  // namespace orthant
