#include "learn/train/embed.h"

#include <ATen/Parallel.h>

#include <algorithm>

#include "learn/task/encode.h"
#include "orthant/core/error.h"
#include "orthant/core/importance.h"
#include "orthant/shards/row_store.h"
#include "orthant/shards/share.h"

namespace orthant {
namespace {

// What was made so far: rows in the order in which they came, and which item each will be of when they are in order.
struct Made {
  shards::RowStore store;
  int64_t cols = 0;
  std::vector<int64_t> items = {};
  std::function<int64_t(int64_t)> order = {};

  RowSink sink() {
    return [this](std::span<const float> values, int64_t rows) {
      cols = std::ssize(values) / rows;
      for (int64_t i = 0; i < rows; ++i) {
        store.append(values.subspan(static_cast<size_t>(i * cols), static_cast<size_t>(cols)));
      }
    };
  }
};

// Batches come with all views of their items, and the rows are wanted view after view.
std::function<int64_t(int64_t)> by_view(int64_t items, int64_t batch, int64_t views) {
  return [=](int64_t row) {
    const int64_t view = row / items;
    const int64_t item = row % items;
    const int64_t first = item - item % batch;  // of its batch
    return views * first + view * std::min(batch, items - first) + item - first;
  };
}

void make_views(Model& model, const DatasetPtr& data, const EmbedOptions& options, int64_t views, Made& made) {
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
  const shards::Range share = shards::share_of(data->size(), loading.batch, options.rank, options.ranks);
  for (int64_t row = 0; row < views * share.size(); ++row) made.items.push_back(share.begin + row % share.size());
  if (share.size() == 0) return;
  if (views > 1) made.order = by_view(share.size(), loading.batch, views);
  Loader loader(data, pictures, loading);
  encode_batches(model, loader, share.begin / loading.batch, (share.size() - 1) / loading.batch + 1,
                 options.layer == "projector", made.sink(), options.progress);
}

void make_texts(Model& model, const Dataset& data, const EmbedOptions& options, Made& made) {
  const ItemTexts found = item_texts(data, options.all_texts);
  const shards::Range share = shards::share_of(std::ssize(found.texts), options.batch, options.rank, options.ranks);
  const auto texts =
      std::span(found.texts).subspan(static_cast<size_t>(share.begin), static_cast<size_t>(share.size()));
  made.items.assign(found.items.begin() + share.begin, found.items.begin() + share.end);
  if (share.size() == 0) return;
  std::function<void(int64_t)> progress;
  if (options.progress) {
    progress = [&](int64_t done) {
      options.progress(made.items[static_cast<size_t>(done - 1)] + 1 - made.items.front());
    };
  }
  encode_text_batches(model, texts, options.batch, options.layer == "projector", made.sink(), progress);
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
    embeddings.ids.push_back(views > 1 ? join(id, "#", row / (items.size() / static_cast<size_t>(views))) : id);
  }
  embeddings.class_names = data.info().class_names;
  embeddings.factors = factors_of(data, items);
}

std::string kind_of(const DatasetInfo& info) {
  if (info.text) return "texts";
  if (info.sound) return "sounds";
  return info.dims > 0 ? "vectors" : "pictures";
}

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
  const bool sounds = model.options().preprocessing.sound.seconds > 0;
  const std::string wanted = vectors                              ? "vectors"
                             : backbone.name.starts_with("text-") ? "texts"
                             : sounds                             ? "sounds"
                                                                  : "pictures";
  if (vectors) {
    check(data.info().dims == backbone.dims, "[", where, "] expected vectors of ", backbone.dims,
          " for this model, got ", kind, kind == wanted ? " of " + std::to_string(data.info().dims) : "");
  }
  check(kind == wanted, "[", where, "] expected ", wanted, " for ", sounds ? "this model" : backbone.name, ", got ",
        kind);
}

Embeddings embed(Model& model, const DatasetPtr& data, const EmbedOptions& options) {
  check(options.layer == "projector" || options.layer == "backbone",
        "[embed] expected layer projector or backbone, got '", options.layer, "'");
  check_data(model, *data, "embed");
  if (options.threads > 0) at::set_num_threads(options.threads);
  const std::string kind = kind_of(data->info());
  const int64_t views = options.augmentation ? options.views : 1;
  const bool projector = options.layer == "projector";
  Made made{shards::RowStore(options.spool)};
  if (kind == "texts" && !options.augmentation) {
    make_texts(model, *data, options, made);
  } else {
    make_views(model, data, options, views, made);
  }

  Embeddings embeddings;
  embeddings.features = made.store.finish(made.cols, {.keep_zeros = options.ranks > 1, .order = made.order});
  describe_items(*data, made.items, views, embeddings);
  embeddings.how = {
      {"layer", options.layer},           {"activation", projector ? model.options().activation.name : "none"},
      {"method", model.options().method}, {"backbone", model.options().backbone.name},
      {"data", data->info().name},        {"split", data->info().split},
      {"views", std::to_string(views)},   {"temperature", join(model.options().temperature)}};
  if (projector) put_importance(embeddings, model.stated_importance());
  const auto tower = model.options().notes.find("tower");
  if (tower != model.options().notes.end()) embeddings.how["tower"] = tower->second;
  return embeddings;
}

}  // namespace orthant
