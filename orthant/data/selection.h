#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/data/dataset.h"

namespace orthant {

// Some items of another data set, in the order given; everything is asked of the other. What the wrappers are made of:
// see subset.h, balanced_subset.h and split.h for ways to choose.
class Selection final : public Dataset {
 public:
  // Keeps `whole` alive. std::invalid_argument if an index is not in it or occurs twice. info() is that of `whole`, or
  // the one given.
  Selection(DatasetPtr whole, std::vector<int64_t> indices);
  Selection(DatasetPtr whole, std::vector<int64_t> indices, DatasetInfo info);

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return static_cast<int64_t>(indices_.size()); }
  Image image(int64_t i) const override { return whole_->image(at(i)); }
  Image image_for(int64_t i, int64_t side) const override { return whole_->image_for(at(i), side); }
  std::span<const float> vector(int64_t i) const override { return whole_->vector(at(i)); }
  std::vector<std::string> texts(int64_t i) const override { return whole_->texts(at(i)); }
  Sound sound(int64_t i) const override { return whole_->sound(at(i)); }
  int64_t label(int64_t i) const override { return whole_->label(at(i)); }
  void factors(int64_t i, std::span<int32_t> classes) const override { whole_->factors(at(i), classes); }
  std::vector<Linked> links(int64_t i) const override;
  // Those of the other data set, if all of it was selected in its order.
  PositivesPtr positives() const override;
  std::string id(int64_t i) const override { return whole_->id(at(i)); }

 private:
  int64_t at(int64_t i) const;

  DatasetPtr whole_;
  std::vector<int64_t> indices_;
  DatasetInfo info_;
  std::vector<int64_t> place_;  // of a graph: where each item of the whole stands here, -1: nowhere
};

}  // namespace orthant
