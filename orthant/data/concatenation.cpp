#include "orthant/data/concatenation.h"

#include <utility>

#include "orthant/core/error.h"

namespace orthant {
namespace {

class Concatenation final : public Dataset {
 public:
  explicit Concatenation(std::vector<DatasetPtr> parts) : parts_(std::move(parts)) {
    check(!parts_.empty(), "[concatenate] expected at least one data set, got none");
    info_ = parts_.front()->info();
    info_.split = "all";
    info_.unreadable.clear();
    info_.asked_for = 0;
    info_.splits.clear();
    info_.split_made_here = false;
    for (const DatasetPtr& part : parts_) {
      const DatasetInfo& info = part->info();
      check(info.class_names == info_.class_names && info.factors.size() == info_.factors.size() &&
                info.dims == info_.dims && info.text == info_.text && info.sound == info_.sound,
            "[concatenate] expected parts with the same classes, factors and kind, got ", info_.name, " and ",
            info.name);
      if (info.height != info_.height || info.width != info_.width) info_.height = info_.width = 0;
      if (info.channels != info_.channels) info_.channels = 0;
      info_.unreadable.insert(info_.unreadable.end(), info.unreadable.begin(), info.unreadable.end());
      size_ += part->size();
    }
  }

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return size_; }
  Image image(int64_t i) const override {
    const auto [part, at] = find(i);
    return part.image(at);
  }
  Image image_for(int64_t i, int64_t side) const override {
    const auto [part, at] = find(i);
    return part.image_for(at, side);
  }
  std::span<const float> vector(int64_t i) const override {
    const auto [part, at] = find(i);
    return part.vector(at);
  }
  std::vector<std::string> texts(int64_t i) const override {
    const auto [part, at] = find(i);
    return part.texts(at);
  }
  Sound sound(int64_t i) const override {
    const auto [part, at] = find(i);
    return part.sound(at);
  }
  int64_t label(int64_t i) const override {
    const auto [part, at] = find(i);
    return part.label(at);
  }
  void factors(int64_t i, std::span<int32_t> classes) const override {
    const auto [part, at] = find(i);
    part.factors(at, classes);
  }
  std::string id(int64_t i) const override {
    const auto [part, at] = find(i);
    return part.info().split + "/" + part.id(at);
  }

 private:
  struct Place {
    const Dataset& part;
    int64_t index;
  };
  Place find(int64_t i) const {
    check_index(i);
    size_t k = 0;
    while (i >= parts_[k]->size()) i -= parts_[k++]->size();
    return {*parts_[k], i};
  }

  std::vector<DatasetPtr> parts_;
  DatasetInfo info_;
  int64_t size_ = 0;
};

}  // namespace

DatasetPtr concatenate(std::vector<DatasetPtr> parts) { return std::make_shared<Concatenation>(std::move(parts)); }

}  // namespace orthant
