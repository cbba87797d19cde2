#include "orthant/select/shortened_run.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>

#include "orthant/adapt/recipe.h"
#include "orthant/core/error.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/safetensors.h"
#include "orthant/io/settings_file.h"
#include "orthant/run/recipe.h"
#include "orthant/run/run_folder.h"
#include "orthant/run/supervised_recipe.h"
#include "orthant/select/shortened_adapter.h"

namespace orthant::select {
namespace {

namespace fs = std::filesystem;

constexpr const char* kClassifier = "fc.weight";   // [C, K], of a model that was trained from labels
constexpr const char* kImportance = "importance";  // [K], where it was learned

std::string fact(const io::SafeTensors& model, const std::string& key) {
  const auto found = model.metadata().find(key);
  check_io(found != model.metadata().end(), "[", model.path(), "] expected a model that says its ", key,
           ", got a file that does not");
  return found->second;
}

// "projector.4." of the layer whose rows are the features.
std::string last_layer(const io::SafeTensors& model) {
  int64_t last = -1;
  for (const std::string& name : model.names()) {
    int64_t position = 0;
    if (!name.starts_with("projector.") || !name.ends_with(".weight")) continue;
    const char* const digits = name.data() + std::strlen("projector.");
    if (std::from_chars(digits, name.data() + name.size(), position).ec == std::errc()) last = std::max(last, position);
  }
  check(last >= 0, "[", model.path(), "] expected a projector, whose last layer can be shortened, got a model without");
  return "projector." + std::to_string(last) + ".";
}

// The rows of these features, in this order; `bytes` keeps them.
io::Tensor rows_of(const io::Tensor& tensor, const std::vector<int64_t>& features, std::vector<std::byte>& bytes) {
  const size_t row = tensor.bytes.size() / static_cast<size_t>(tensor.shape.front());
  for (const int64_t feature : features) {
    const auto from = tensor.bytes.subspan(static_cast<size_t>(feature) * row, row);
    bytes.insert(bytes.end(), from.begin(), from.end());
  }
  io::Tensor kept{tensor.dtype, tensor.shape, bytes, nullptr};
  kept.shape.front() = static_cast<int64_t>(features.size());
  return kept;
}

// The columns of these features of a classifier's weights [C, K]; `bytes` keeps them.
io::Tensor columns_of(const io::Tensor& tensor, const std::vector<int64_t>& features, std::vector<std::byte>& bytes) {
  const size_t row = tensor.bytes.size() / static_cast<size_t>(tensor.shape[0]);
  const size_t entry = row / static_cast<size_t>(tensor.shape[1]);
  for (size_t begin = 0; begin < tensor.bytes.size(); begin += row) {
    for (const int64_t feature : features) {
      const auto from = tensor.bytes.subspan(begin + static_cast<size_t>(feature) * entry, entry);
      bytes.insert(bytes.end(), from.begin(), from.end());
    }
  }
  return {tensor.dtype, {tensor.shape[0], static_cast<int64_t>(features.size())}, bytes, nullptr};
}

std::string list_of(const std::vector<int64_t>& features) {
  std::string list;
  for (const int64_t feature : features) {
    if (!list.empty()) list += ',';
    list += std::to_string(feature);
  }
  return list;
}

// A model that is yet to be written; `bytes` keeps the tensors that were cut, `source` the others.
struct ShortenedModel {
  io::SafeTensors source;
  std::map<std::string, std::vector<std::byte>> bytes = {};
  std::map<std::string, io::Tensor> tensors = {};
  std::map<std::string, std::string> metadata = {};
};

void check_rows(const io::Tensor& tensor, const std::string& name, const std::string& path, const KeptFeatures& kept) {
  check_io(!tensor.shape.empty(), "[", path, "] expected ", name, " with a row for each feature, got a number");
  const int64_t rows = tensor.shape.front();
  check(kept.of == 0 || kept.of == rows, "[", path, "] expected a model of ", kept.of,
        " features, as the embeddings have, got one of ", rows);
  for (const int64_t feature : kept.numbers) {
    check(feature < rows, "[", path, "] expected a model with feature ", feature,
          ", as the embeddings have, got one of ", rows, " features");
  }
}

// A classifier that was learned on these features goes on reading those that are kept.
void check_columns(const io::Tensor& tensor, const io::Tensor& last, const std::string& path) {
  check_io(tensor.shape.size() == 2 && tensor.shape[0] > 0 && tensor.shape[1] == last.shape.front(), "[", path,
           "] expected ", kClassifier, " with a column for each of the ", last.shape.front(), " features, got shape ",
           io::shape_text(tensor.shape));
}

ShortenedModel shortened_model(const std::string& from, const KeptFeatures& kept) {
  ShortenedModel model{.source = io::SafeTensors::open(from)};
  check(fact(model.source, "activation.name") != "topk", "[", from,
        "] expected an activation that looks at each feature alone, got topk, which depends on those left out");
  const std::string layer = last_layer(model.source);
  const io::Tensor& last = model.source.tensor(layer + "weight");
  check_rows(last, layer + "weight", from, kept);
  for (const std::string& name : model.source.names()) {
    const io::Tensor& tensor = model.source.tensor(name);
    if (name.starts_with(layer) || name == kImportance) {
      check_rows(tensor, name, from, kept);
      model.tensors[name] = rows_of(tensor, kept.numbers, model.bytes[name]);
    } else if (name == kClassifier) {
      check_columns(tensor, last, from);
      model.tensors[name] = columns_of(tensor, kept.numbers, model.bytes[name]);
    } else {
      model.tensors[name] = tensor;
    }
  }
  model.metadata = model.source.metadata();
  model.metadata["projector.out"] = std::to_string(kept.numbers.size());
  model.metadata["notes.shortened_from"] = from;
  model.metadata["notes.features"] = list_of(kept.numbers);
  return model;
}

// What run.toml begins with.
std::string heading(const std::vector<int64_t>& features) {
  return "# Shortened to features " + list_of(features) +
         "\n# of the run below: a model to embed with, not one to resume.\n";
}

// The recipe with the new number of features, and where it comes from.
std::string shortened_recipe(const std::string& path, const Settings& settings, const std::vector<int64_t>& features) {
  if (is_supervised(settings)) {
    fail("[", path, "] expected the recipe of a pretraining, got that of a ", to_string(settings.at("train.task")));
  }
  check(!settings.contains("data.with"), "[", path,
        "] expected a run of one network, got one of two towers, whose features have to stay those of both");
  Recipe recipe = make_recipe({{path, settings}});
  recipe.projector.out = static_cast<int64_t>(features.size());
  return heading(features) + recipe_text(recipe);
}

void shorten_network(const RunPaths& source, const RunPaths& target, const Settings& settings, const KeptFeatures& kept,
                     bool overwrite) {
  const std::string recipe = shortened_recipe(source.recipe_file(), settings, kept.numbers);
  const ShortenedModel model = shortened_model(source.model_file(), kept);
  const RunFolder folder = RunFolder::create(target.path(), overwrite);
  io::write_safetensors(folder.model_file(), model.tensors, model.metadata);
  io::write_file(folder.recipe_file(), recipe);
}

void shorten_adapter(const RunPaths& source, const RunPaths& target, const Settings& settings, const KeptFeatures& kept,
                     bool overwrite) {
  const adapt::Adapter whole = adapt::read_adapter(source.model_file());
  check(kept.of == 0 || kept.of == whole.features, "[", source.model_file(), "] expected a model of ", kept.of,
        " features, as the embeddings have, got one of ", whole.features);
  adapt::Adapter adapter = shortened_adapter(whole, kept.numbers, source.model_file());
  adapter.notes["shortened_from"] = source.model_file();
  adapter.notes["features"] = list_of(kept.numbers);
  adapt::AdaptRecipe recipe = adapt::make_adapt_recipe({{source.recipe_file(), settings}});
  recipe.adapter.features = adapter.features;
  recipe.adapter.active = adapter.active;
  const RunFolder folder = RunFolder::create(target.path(), overwrite);
  adapt::write_adapter(folder.model_file(), adapter);
  io::write_file(folder.recipe_file(), heading(kept.numbers) + adapt::adapt_text(recipe));
}

}  // namespace

void write_shortened_run(const std::string& from, const std::string& to, const KeptFeatures& kept, bool overwrite) {
  const RunPaths source(from);
  const RunPaths target(to);
  check(is_run(from), "[", from, "] expected a run folder with run.toml, got ",
        fs::exists(from) ? "something else" : "nothing there");
  check(!fs::exists(to) || !fs::equivalent(from, to), "[", to, "] expected another folder than the run itself");
  const bool trained = fs::exists(target.checkpoint_folder()) && !fs::is_empty(target.checkpoint_folder());
  check(!trained, "[", to,
        "] expected a new folder or a shortened run, got a run that was trained; it is not replaced");
  const Settings settings = io::read_settings(source.recipe_file());
  const auto shorten = adapt::is_adapted(settings) ? shorten_adapter : shorten_network;
  shorten(source, target, settings, kept, overwrite);
}

}  // namespace orthant::select
