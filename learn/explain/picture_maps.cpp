#include "learn/explain/picture_maps.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "learn/explain/picture_input.h"
#include "learn/explain/where.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

// Those of the picture that are not zero, the strongest first.
std::vector<int64_t> strongest_features(const at::Tensor& row, int64_t most) {
  const auto [values, order] = row.abs().sort(/*stable=*/true, /*dim=*/0, /*descending=*/true);
  std::vector<int64_t> features;
  for (int64_t k = 0; k < std::min(most, row.size(0)) && values[k].item<float>() > 0; ++k) {
    features.push_back(order[k].item<int64_t>());
  }
  return features;
}

}  // namespace

PictureMaps picture_maps(Model& model, const Image& picture, const PictureQuestion& question,
                         const WhereOptions& options) {
  check(!question.features.empty() || !question.other.empty() || question.strongest > 0,
        "[where] expected a feature or another item, got neither");
  if (options.threads > 0) at::set_num_threads(options.threads);
  const PictureInput input = picture_input(picture, model.options().preprocessing);
  const Where where(model, input.tensor, options);
  PictureMaps found;
  found.features.assign(question.features.begin(), question.features.end());
  if (question.strongest > 0) found.features = strongest_features(where.features()[0], question.strongest);
  if (found.features.empty() && question.other.empty()) return found;  // none fires
  std::vector<at::Tensor> weights = {where.of_features(found.features)};
  if (!question.other.empty()) {
    const at::Tensor other = at::tensor(std::vector<float>(question.other.begin(), question.other.end()));
    weights.push_back(where.of_matches(other.unsqueeze(0)));
  }
  found.maps = where.maps(at::cat(weights, 1)).front();
  found.maps.box = input.box;
  return found;
}

std::vector<float> picture_features(Model& model, const Image& picture) {
  const EvalScope eval(model);
  const at::Tensor row = model.forward(picture_input(picture, model.options().preprocessing).tensor).contiguous();
  return {row.data_ptr<float>(), row.data_ptr<float>() + row.numel()};
}

}  // namespace orthant
