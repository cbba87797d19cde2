#include "learn/task/feed.h"

#include <ATen/ATen.h>

#include <utility>

#include "learn/task/encode.h"
#include "learn/task/model_task.h"

namespace orthant {
namespace {

class ViewFeed : public Feed {
 public:
  ViewFeed(const Recipe& recipe, ModelOptions model, const DatasetPtr& data, const LoaderOptions& options)
      : model_(std::move(model)), loader_(data, recipe.views, options) {}

  int64_t batches() const override { return loader_.batches(); }
  void start_epoch(int64_t epoch, int64_t first_batch) override { loader_.start_epoch(epoch, first_batch); }
  at::Tensor next() override {
    const Batch* batch = loader_.next();
    return batch == nullptr ? at::Tensor() : batch_tensor(*batch, model_);
  }
  double wait_share() const override { return loader_.wait_share(); }

 private:
  ModelOptions model_;
  Loader loader_;
};

}  // namespace

std::unique_ptr<Feed> make_feed(const Recipe& recipe, const ModelOptions& model, const DatasetPtr& data, int64_t view) {
  LoaderOptions options = loader_options(recipe);
  options.views = 1;
  options.first_view = view;
  options.texts = {.kind = "none", .draw = true};
  return std::make_unique<ViewFeed>(recipe, model, data, options);
}

}  // namespace orthant
