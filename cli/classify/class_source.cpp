#include "cli/classify/class_source.h"

#include <algorithm>
#include <filesystem>

#include "cli/embed_process.h"
#include "cli/frame/run_model.h"
#include "orthant/catalogue/run_embeddings.h"
#include "orthant/classify/class_names.h"
#include "orthant/core/error.h"
#include "orthant/core/temporary_folder.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/safetensors.h"
#include "orthant/run/run_paths.h"
#include "orthant/sources/open.h"

namespace orthant::cli {
namespace {

// What a model's file says of itself under a key; empty if it says nothing.
std::string said_of(const std::string& model_file, const std::string& key) {
  const auto metadata = io::SafeTensors::open(model_file).metadata();
  const auto found = metadata.find(key);
  return found == metadata.end() ? "" : found->second;
}

bool reads_text(const std::string& model_file) { return said_of(model_file, "backbone.name").starts_with("text-"); }

// "a" or "b": the tower that class names go through.
std::string text_tower(const std::string& run) {
  const RunPaths paths(run);
  check(std::filesystem::exists(paths.second_model_file()), "[", run,
        "] expected a run with two towers for --names, one of them of texts, got one with a single tower");
  if (reads_text(paths.second_model_file())) return "b";
  check(reads_text(run_model_file(run)), "[", run, "] expected a tower of texts for --names, got none");
  return "a";
}

Embeddings phrase_vectors(const std::string& run, const std::string& tower, const classify::ClassNames& classes,
                          const catalogue::EmbedMissing& embed) {
  std::string text;
  for (const std::string& phrase : classes.phrases) text += phrase + "\n";
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/phrases.txt";
  io::write_file(file, text);
  EmbeddingsKey key{.data = "text:" + file, .split = "all"};
  key.tower = tower;
  return catalogue::run_embeddings(run, key, embed).embeddings;
}

Embeddings items_of(const ClassifyInputs& inputs, const std::string& tower, const std::string& layer,
                    const catalogue::EmbedMissing& embed) {
  EmbeddingsKey key{.data = inputs.data, .split = inputs.split, .layer = layer};
  key.tower = tower;
  return catalogue::run_embeddings(inputs.run, key, embed).embeddings;
}

// What judges: the class of each item as a number, and the names of those numbers.
struct Truth {
  std::vector<int64_t> labels;
  std::vector<std::string> names;
};

std::string data_of(const ClassifyInputs& inputs, const std::string& tower) {
  if (!inputs.data.empty()) return inputs.data;
  const RunPaths run(inputs.run);
  return tower == "b" ? trained_with(run) : trained_on(run);
}

Truth truth_of(const ClassifyInputs& inputs, const Embeddings& items, const std::string& tower) {
  if (inputs.factor.empty()) return {items.labels, items.class_names};
  const auto known = std::ranges::find(items.factors, inputs.factor, &Factor::name);
  std::string names;
  for (const Factor& factor : items.factors) names += (names.empty() ? "" : ", ") + factor.name;
  check(known != items.factors.end(), "[--factor] expected one of the factors of the data (",
        names.empty() ? "none" : names, "), got ", inputs.factor);
  Truth truth{{known->classes.begin(), known->classes.end()}, {}};
  const DatasetPtr data = open_dataset(data_of(inputs, tower), {.split = inputs.split});
  const auto& factors = data->info().factors;
  const auto described = std::ranges::find(factors, inputs.factor, &FactorInfo::name);
  if (described != factors.end()) truth.names = described->names;
  if (truth.names.empty()) {
    for (const float value : known->values) truth.names.push_back(join(value));
  }
  return truth;
}

// Labels by name, and a word on what that leaves out.
void judge_by_name(const Truth& truth, ClassSource& source) {
  if (truth.labels.empty() || truth.names.empty()) {
    source.notes.emplace_back("no accuracy: the items have no classes with names");
    return;
  }
  source.labels = classify::labels_by_name(truth.labels, truth.names, source.classifier.names);
  const auto matched = std::ranges::count_if(source.labels, [](int64_t label) { return label >= 0; });
  const auto labelled = std::ranges::count_if(truth.labels, [](int64_t label) { return label >= 0; });
  if (matched == 0) {
    source.labels.clear();
    source.notes.push_back(join("no accuracy: no name is a class of the items, such as ", truth.names.front()));
  } else if (matched < labelled) {
    source.notes.push_back(join(labelled - matched, " items of classes that are not among the names are not judged"));
  }
}

ClassSource by_names(const ClassifyInputs& inputs, const Common& common) {
  Common silent = common;  // the phrases are a few, in a file that is gone at once
  silent.quiet = true;
  const classify::ClassNames classes = classify::read_class_names(inputs.names, inputs.templates);
  const std::string texts = text_tower(inputs.run);
  const std::string others = texts == "b" ? "a" : "b";
  const Embeddings vectors = phrase_vectors(inputs.run, texts, classes, embed_process(silent));
  ClassSource source{classify::from_class_vectors(vectors, classes.class_of, classes.names),
                     items_of(inputs, others, "projector", embed_process(common))};
  source.phrases = static_cast<int64_t>(classes.phrases.size());
  judge_by_name(truth_of(inputs, source.items, others), source);
  return source;
}

// The classes of what a run was trained on.
std::vector<std::string> learned_names(const std::string& run) {
  return open_dataset(trained_on(RunPaths(run)))->info().class_names;
}

ClassSource by_learned(const ClassifyInputs& inputs, const Common& common) {
  const std::string model = run_model_file(inputs.run);
  check(classify::has_classifier(model), "[", inputs.run,
        "] expected --names FILE, or a run that has learned classes, got neither");
  check(inputs.templates.empty(), "[--template] expected --names with it, got none");
  check(inputs.factor.empty(), "[--factor] expected --names with it, got none: the run has learned its own classes");
  const std::string layer = said_of(model, "notes.layer");
  ClassSource source{classify::read_classifier(model),
                     items_of(inputs, "a", layer.empty() ? "projector" : layer, embed_process(common))};
  const Truth truth = truth_of(inputs, source.items, "a");
  const bool as_many = static_cast<int64_t>(truth.names.size()) == source.classifier.classes();
  const std::vector<std::string> learned = inputs.data.empty() ? truth.names : learned_names(inputs.run);
  if (as_many && truth.names == learned) {
    source.classifier.names = truth.names;
    source.labels = truth.labels;
  } else if (as_many) {
    source.classifier.names = learned;
    source.notes.push_back(join("no accuracy: the items have other classes than the run has learned, the first ",
                                truth.names.front(), " instead of ", learned.front()));
  } else {
    source.notes.push_back(join("no accuracy: the run has learned ", source.classifier.classes(),
                                " classes, and the items have ", truth.names.size()));
  }
  return source;
}

}  // namespace

ClassSource open_class_source(const ClassifyInputs& inputs, const Common& common) {
  check(is_run(inputs.run), "[", inputs.run, "] expected a run, got ",
        std::filesystem::exists(inputs.run) ? "something else" : "no such folder");
  return inputs.names.empty() ? by_learned(inputs, common) : by_names(inputs, common);
}

}  // namespace orthant::cli
