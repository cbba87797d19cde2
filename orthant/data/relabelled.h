#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/data/dataset.h"

namespace orthant {

// The items of another data set with labels of their own, -1: none, that `info` describes. Factors keep what they were.
class Relabelled final : public Dataset {
 public:
  // One label for each item.
  Relabelled(DatasetPtr data, std::vector<int64_t> labels, DatasetInfo info);

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return data_->size(); }
  Image image(int64_t i) const override { return data_->image(i); }
  Image image_for(int64_t i, int64_t side) const override { return data_->image_for(i, side); }
  std::span<const float> vector(int64_t i) const override { return data_->vector(i); }
  std::vector<std::string> texts(int64_t i) const override { return data_->texts(i); }
  Sound sound(int64_t i) const override { return data_->sound(i); }
  int64_t label(int64_t i) const override;
  void factors(int64_t i, std::span<int32_t> classes) const override { data_->factors(i, classes); }
  std::string id(int64_t i) const override { return data_->id(i); }

 private:
  DatasetPtr data_;
  std::vector<int64_t> labels_;
  DatasetInfo info_;
};

}  // namespace orthant
