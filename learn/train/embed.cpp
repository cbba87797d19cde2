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

// Rows, and which item each is of.
struct Rows {
  Encoded encoded;
  std::vector<int64_t> items;
};

Rows encode_views(Model& model, const DatasetPtr& data, const EmbedOptions& options, int64_t views,
                  const EncodeOptions& encoding) {
  LoaderOptions loading = plain_loader(data->size(), options.batch, options.threads);
  loading.views = views;
  loading.seed = static_cast<int64_t>(options.seed);
  ViewOptions pictures = plain_views(model.options().preprocessing);
  if (const auto& augmentation = options.augmentation) {
    pictures = augmentation->pictures;
    loading.vector_noise = augmentation->vector_noise;
    loading.vector_dropout = augmentation->vector_dropout;
    loading.texts = augmentation->texts;
  }
  Loader loader(data, pictures, loading);
  Rows rows{encode(model, loader, data->size(), encoding), {}};
  for (int64_t row = 0; row < views * data->size(); ++row) rows.items.push_back(row % data->size());
  return rows;
}

Rows encode_all_texts(Model& model, const Dataset& data, const EmbedOptions& options, EncodeOptions encoding) {
  ItemTexts found = item_texts(data, options.all_texts);
  if (options.progress) {
    encoding.progress = [&](int64_t texts) { options.progress(found.items[static_cast<size_t>(texts - 1)] + 1); };
  }
  return {encode_texts(model, found.texts, options.batch, encoding), std::move(found.items)};
}

std::vector<Factor> factors_of(const Dataset& data, std::span<const int64_t> items) {
  const auto& infos = data.info().factors;
  std::vector<Factor> factors;
  for (const FactorInfo& info : infos) factors.push_back({info.name, info.values, {}, info.period});
  if (infos.empty()) return factors;
  std::vector<int32_t> classes(infos.size());
  for (const int64_t item : items) {
    data.factors(item, classes);
    for (size_t f = 0; f < infos.size(); ++f) factors[f].classes.push_back(classes[f]);
  }
  return factors;
}

void describe_items(const Dataset& data, std::span<const int64_t> items, int64_t views, Embeddings& embeddings) {
  const bool labelled = !data.info().class_names.empty();
  for (size_t row = 0; row < items.size(); ++row) {
    if (labelled) embeddings.labels.push_back(data.label(items[row]));
    const std::string id = data.id(items[row]);
    embeddings.ids.push_back(views > 1 ? join(id, "#", static_cast<int64_t>(row) / data.size()) : id);
  }
  embeddings.class_names = data.info().class_names;
  embeddings.factors = factors_of(data, items);
}

std::string kind_of(const DatasetInfo& info) { return info.text ? "texts" : info.dims > 0 ? "vectors" : "pictures"; }

}  // namespace

void check_data(const Model& model, const Dataset& data, const std::string& where) {
  const BackboneOptions& backbone = model.options().backbone;
  const std::string kind = kind_of(data.info());
  const int64_t nodes = data.info().nodes;
  check((backbone.name == "table") == (nodes > 0) && (nodes == 0 || nodes == backbone.dims), "[", where, "] expected ",
        backbone.name == "table" ? join("the graph of ", backbone.dims, " nodes that this model was trained on")
                                 : "nodes with features for " + backbone.name,
        ", got ", nodes > 0 ? join("a graph of ", nodes, " nodes without features") : "others");
  if (nodes > 0) return;
  const bool vectors = backbone.name == "mlp";
  const std::string wanted = vectors ? "vectors" : backbone.name.starts_with("text-") ? "texts" : "pictures";
  if (vectors) {
    check(data.info().dims == backbone.dims, "[", where, "] expected vectors of ", backbone.dims,
          " for this model, got ", kind, kind == wanted ? " of " + std::to_string(data.info().dims) : "");
  }
  check(kind == wanted, "[", where, "] expected ", wanted, " for ", backbone.name, ", got ", kind);
}

Embeddings embed(Model& model, const DatasetPtr& data, const EmbedOptions& options) {
  check(options.layer == "projector" || options.layer == "backbone",
        "[embed] expected layer projector or backbone, got '", options.layer, "'");
  check_data(model, *data, "embed");
  if (options.threads > 0) at::set_num_threads(options.threads);
  const std::string kind = kind_of(data->info());
  const int64_t views = options.augmentation ? options.views : 1;
  const bool projector = options.layer == "projector";
  const EncodeOptions encoding{.features = !projector, .z = projector, .progress = options.progress};
  Rows rows = kind == "texts" && !options.augmentation ? encode_all_texts(model, *data, options, encoding)
                                                       : encode_views(model, data, options, views, encoding);

  Embeddings embeddings;
  embeddings.features = smaller_of(std::move(projector ? rows.encoded.z : rows.encoded.features));
  describe_items(*data, rows.items, views, embeddings);
  embeddings.how = {
      {"layer", options.layer},           {"activation", projector ? model.options().activation.name : "none"},
      {"method", model.options().method}, {"backbone", model.options().backbone.name},
      {"data", data->info().name},        {"split", data->info().split},
      {"views", std::to_string(views)},   {"temperature", join(model.options().temperature)}};
  const auto tower = model.options().notes.find("tower");
  if (tower != model.options().notes.end()) embeddings.how["tower"] = tower->second;
  return embeddings;
}

}  // namespace orthant
