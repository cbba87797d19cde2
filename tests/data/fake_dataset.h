#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/data/dataset.h"

namespace orthant::test {

// A data set of grey 1x1 pictures with the given labels; the picture of item i has the value i mod 256.
class FakeDataset final : public Dataset {
 public:
  FakeDataset(std::vector<int64_t> labels, int64_t classes) : labels_(std::move(labels)) {
    info_.name = "fake";
    info_.split = "all";
    for (int64_t c = 0; c < classes; ++c) info_.class_names.push_back("class " + std::to_string(c));
    info_.factors = {{"parity", {0, 1}}};
    info_.height = info_.width = info_.channels = 1;
  }

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return static_cast<int64_t>(labels_.size()); }
  Image image(int64_t i) const override {
    check_index(i);
    return {1, 1, 1, static_cast<uint8_t>(i % 256)};
  }
  int64_t label(int64_t i) const override {
    check_index(i);
    return labels_[static_cast<size_t>(i)];
  }
  void factors(int64_t i, std::span<int32_t> classes) const override {
    check_index(i);
    check_factors(classes);
    classes[0] = static_cast<int32_t>(i % 2);
  }

 private:
  std::vector<int64_t> labels_;
  DatasetInfo info_;
};

// `size` items whose labels go round the classes.
inline DatasetPtr fake_dataset(int64_t size, int64_t classes) {
  std::vector<int64_t> labels;
  for (int64_t i = 0; i < size; ++i) labels.push_back(classes == 0 ? -1 : i % classes);
  return std::make_shared<FakeDataset>(std::move(labels), classes);
}

// The message of the E that `action` throws, or a text that says it did not.
template <class E>
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const E& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace orthant::test
