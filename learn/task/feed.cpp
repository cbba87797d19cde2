#include "learn/task/feed.h"

#include <ATen/ATen.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "learn/task/encode.h"
#include "learn/task/model_task.h"
#include "learn/text/text_input.h"
#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/data/order.h"

namespace orthant {
namespace {

class ViewFeed : public Feed {
 public:
  ViewFeed(const Recipe& recipe, const DatasetPtr& data, const LoaderOptions& options)
      : loader_(data, recipe.views, options) {}

  int64_t batches() const override { return loader_.batches(); }
  void start_epoch(int64_t epoch, int64_t first_batch) override { loader_.start_epoch(epoch, first_batch); }
  at::Tensor next() override {
    const Batch* batch = loader_.next();
    return batch == nullptr ? at::Tensor() : batch_tensor(*batch);
  }
  double wait_share() const override { return loader_.wait_share(); }

 private:
  Loader loader_;
};

class TextFeed : public Feed {
 public:
  TextFeed(const LoaderOptions& options, ModelOptions model, DatasetPtr data)
      : options_(options), model_(std::move(model)), data_(std::move(data)) {
    check(batches() > 0, "[feed] expected at least one batch of ", options_.batch, " items, got ", data_->size(),
          " items in all");
  }

  int64_t batches() const override { return data_->size() / options_.batch; }

  void start_epoch(int64_t epoch, int64_t first_batch) override {
    epoch_ = epoch;
    next_ = first_batch;
    order_ = epoch_order(data_->size(), options_.seed, epoch);
  }

  at::Tensor next() override {
    if (next_ >= batches()) return {};
    std::vector<std::string> texts;
    const std::span<const int64_t> order(order_);
    for (const int64_t item :
         order.subspan(static_cast<size_t>(next_ * options_.batch), static_cast<size_t>(options_.batch))) {
      texts.push_back(drawn(item));
    }
    ++next_;
    return text_tensor(texts, model_);
  }

  double wait_share() const override { return 0; }

 private:
  std::string drawn(int64_t item) const {
    constexpr uint16_t kTextStream = 0xfe00;
    std::vector<std::string> texts = data_->texts(item);
    Rng rng({.seed = static_cast<uint64_t>(options_.seed),
             .epoch = static_cast<uint32_t>(epoch_),
             .sample = static_cast<uint64_t>(item),
             .view = static_cast<uint16_t>(kTextStream + options_.first_view)});
    return std::move(texts[rng.below(static_cast<uint32_t>(texts.size()))]);
  }

  LoaderOptions options_;
  ModelOptions model_;
  DatasetPtr data_;
  int64_t epoch_ = 0;
  int64_t next_ = 0;  // batch
  std::vector<int64_t> order_;
};

}  // namespace

std::unique_ptr<Feed> make_feed(const Recipe& recipe, const ModelOptions& model, const DatasetPtr& data, int64_t view) {
  LoaderOptions options = loader_options(recipe);
  options.views = 1;
  options.first_view = view;
  if (data->info().text) return std::make_unique<TextFeed>(options, model, data);
  return std::make_unique<ViewFeed>(recipe, data, options);
}

}  // namespace orthant
