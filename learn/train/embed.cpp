#include "learn/train/embed.h"

#include <ATen/Parallel.h>

#include "learn/task/encode.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

// Sparse rows cost eight bytes per entry and eight per row, dense ones four per entry.
std::variant<Matrix, SparseMatrix> smaller_of(Matrix dense) {
  int64_t filled = 0;
  for (const float x : dense.values()) filled += x != 0;
  if (8 * (filled + dense.rows()) >= 4 * dense.size() || dense.cols() > INT32_MAX) return dense;
  return SparseMatrix::from_dense(dense);
}

std::vector<Factor> factors_of(const Dataset& data, int64_t views) {
  const auto& infos = data.info().factors;
  std::vector<Factor> factors;
  for (const FactorInfo& info : infos) factors.push_back({info.name, info.values, {}});
  std::vector<int32_t> classes(infos.size());
  for (int64_t row = 0; !infos.empty() && row < views * data.size(); ++row) {
    data.factors(row % data.size(), classes);
    for (size_t f = 0; f < infos.size(); ++f) factors[f].classes.push_back(classes[f]);
  }
  return factors;
}

void describe_items(const Dataset& data, int64_t views, Embeddings& embeddings) {
  const bool labelled = !data.info().class_names.empty();
  for (int64_t v = 0; v < views; ++v) {
    for (int64_t i = 0; i < data.size(); ++i) {
      if (labelled) embeddings.labels.push_back(data.label(i));
      embeddings.ids.push_back(views > 1 ? join(data.id(i), "#", v) : data.id(i));
    }
  }
  embeddings.class_names = data.info().class_names;
  embeddings.factors = factors_of(data, views);
}

}  // namespace

void check_data(const Model& model, const Dataset& data, const std::string& where) {
  const BackboneOptions& backbone = model.options().backbone;
  const int64_t dims = data.info().dims;
  if (backbone.name == "mlp") {
    check(dims == backbone.dims, "[", where, "] expected vectors of ", backbone.dims, " for this model, got ",
          dims > 0 ? "vectors of " + std::to_string(dims) : "pictures");
  } else {
    check(dims == 0, "[", where, "] expected pictures for ", backbone.name, ", got vectors");
  }
}

Embeddings embed(Model& model, const DatasetPtr& data, const EmbedOptions& options) {
  check(options.layer == "projector" || options.layer == "backbone",
        "[embed] expected layer projector or backbone, got '", options.layer, "'");
  check_data(model, *data, "embed");
  if (options.threads > 0) at::set_num_threads(options.threads);
  check(!options.augmentation || data->info().dims == 0, "[embed] expected pictures to make views of, got vectors");
  const int64_t views = options.augmentation ? options.views : 1;
  LoaderOptions loading = plain_loader(data->size(), options.batch, options.threads);
  loading.views = views;
  loading.seed = static_cast<int64_t>(options.seed);
  Loader loader(data, options.augmentation.value_or(plain_views(model.options().preprocessing)), loading);
  const bool projector = options.layer == "projector";
  Encoded encoded =
      encode(model, loader, data->size(), {.features = !projector, .z = projector, .progress = options.progress});

  Embeddings embeddings;
  embeddings.features = smaller_of(std::move(projector ? encoded.z : encoded.features));
  describe_items(*data, views, embeddings);
  embeddings.how = {
      {"layer", options.layer},           {"activation", projector ? model.options().activation.name : "none"},
      {"method", model.options().method}, {"backbone", model.options().backbone.name},
      {"data", data->info().name},        {"split", data->info().split},
      {"views", std::to_string(views)},   {"temperature", join(model.options().temperature)}};
  return embeddings;
}

}  // namespace orthant
