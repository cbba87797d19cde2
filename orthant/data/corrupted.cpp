#include "orthant/data/corrupted.h"

#include <utility>

#include "orthant/core/error.h"

namespace orthant {
namespace {

class Corrupted final : public Dataset {
 public:
  Corrupted(DatasetPtr clean, corrupt::Corruption corruption, uint64_t seed)
      : clean_(std::move(clean)), corruption_(std::move(corruption)), seed_(seed), info_(clean_->info()) {
    info_.name.append("+").append(corrupt::to_string(corruption_));
  }

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return clean_->size(); }
  Image image(int64_t i) const override {
    return corrupt::apply(clean_->image(i), corruption_, corrupt::stream(corruption_, seed_, i));
  }
  std::span<const float> vector(int64_t i) const override { return clean_->vector(i); }
  int64_t label(int64_t i) const override { return clean_->label(i); }
  void factors(int64_t i, std::span<int32_t> classes) const override { clean_->factors(i, classes); }
  std::string id(int64_t i) const override { return clean_->id(i); }

 private:
  DatasetPtr clean_;
  corrupt::Corruption corruption_;
  uint64_t seed_;
  DatasetInfo info_;
};

}  // namespace

DatasetPtr corrupted(DatasetPtr dataset, const corrupt::Corruption& corruption, uint64_t seed) {
  const DatasetInfo& info = dataset->info();
  check(info.dims == 0 && !info.text && !info.sound, "[", info.name, "] expected pictures to corrupt, got ",
        info.text    ? "texts"
        : info.sound ? "sounds"
                     : "vectors");
  return std::make_shared<Corrupted>(std::move(dataset), corrupt::parse(corrupt::to_string(corruption)), seed);
}

}  // namespace orthant
