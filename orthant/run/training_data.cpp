#include "orthant/run/training_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <unordered_map>

#include "orthant/core/error.h"
#include "orthant/core/features.h"
#include "orthant/io/npy.h"
#include "orthant/labels/class_weights.h"
#include "orthant/labels/labelled_items.h"
#include "orthant/search/neighbours.h"
#include "orthant/sources/open.h"

namespace orthant {
namespace {

void take_labels(const Recipe& recipe, TrainingData& data) {
  const std::string& source = recipe.data.source;
  const LabelOptions& labels = recipe.labels;
  check_learnable(*data.train, source);
  check_labelled(*data.held_out, source);
  const std::vector<std::string>& classes = data.train->info().class_names;
  check(classes == data.held_out->info().class_names, "[", source, "] expected the same classes in the splits ",
        recipe.data.split, " and ", recipe.data.eval_split, ", got others");
  data.train = labelled_share(data.train, labels.fraction, labels.noise, static_cast<uint64_t>(recipe.train.seed));
  data.class_weights = class_weights(labels.class_weights, labels_of(*data.train), std::ssize(classes));
}

std::vector<int64_t> labels_in(const Dataset& data) {
  std::vector<int64_t> labels;
  for (int64_t i = 0; i < data.size(); ++i) labels.push_back(data.label(i));
  return labels;
}

// One number that is none would spoil every weight, long after it was read.
void check_finite(const Dataset& data, const std::string& source) {
  if (data.info().dims == 0) return;
  int64_t spoiled = 0;
  int64_t first = 0;
  for (int64_t i = 0; i < data.size(); ++i) {
    if (std::ranges::all_of(data.vector(i), [](float x) { return std::isfinite(x); })) continue;
    if (spoiled++ == 0) first = i;
  }
  check_io(spoiled == 0, "[", source, "] expected finite vectors, got NaN or infinity in ", spoiled, " of ",
           data.size(), ", the first of them ", spoiled == 0 ? "" : data.id(first));
}

// Pairs of a file name items by their numbers in the whole data set; those of which one is held out are left out.
PositivesPtr pairs_of_file(const std::string& path, const Dataset& data) {
  io::Array array = io::read_npy(path);
  check_io(array.shape.size() == 2 && array.shape[1] == 2, "[", path, "] expected pairs [P, 2] of items' numbers, got ",
           io::shape_text(array.shape));
  array.shape = {array.size()};
  const std::vector<int64_t> numbers = io::to_integers(array, path);
  std::unordered_map<std::string, int64_t> place;
  for (int64_t i = 0; i < data.size(); ++i) place.emplace(data.id(i), i);
  const auto all = std::ranges::find(data.info().splits, "all", &NamedCount::name);
  const int64_t items = all == data.info().splits.end() ? data.size() : all->count;
  std::vector<Link> links;
  for (size_t p = 0; p + 1 < numbers.size(); p += 2) {
    std::array<int64_t, 2> ends{};
    bool here = true;
    for (size_t k = 0; k < 2; ++k) {
      check_io(numbers[p + k] >= 0 && numbers[p + k] < items, "[", path, "] expected items from 0 to ", items - 1,
               ", got ", numbers[p + k], " in pair ", p / 2);
      const auto found = place.find(std::to_string(numbers[p + k]));
      here = here && found != place.end();
      if (found != place.end()) ends[k] = found->second;
    }
    if (here) links.push_back({ends[0], ends[1], 1});
  }
  check_io(!links.empty(), "[", path,
           "] expected pairs of items that are learned from and are called by their numbers, ",
           "as vectors and lines of text are, got none");
  return link_positives(std::move(links), data.size());
}

// Each vector and those nearest to it, by the angle between them.
PositivesPtr nearest_vectors(const Dataset& data, int64_t neighbours, int threads) {
  check(data.info().dims > 0 && data.info().nodes == 0, "[", data.info().name,
        "] expected vectors, of which some are nearest (data.positives), got others");
  Matrix rows(data.size(), data.info().dims);
  for (int64_t i = 0; i < data.size(); ++i) std::ranges::copy(data.vector(i), rows.mutable_row(i).begin());
  const search::Neighbours found =
      search::neighbours(Features(rows), Features(rows), {.k = neighbours, .exclude_self = true, .threads = threads});
  std::vector<Link> links;
  for (int64_t i = 0; i < data.size(); ++i) {
    for (int64_t k = 0; k < found.k(); ++k) links.push_back({i, found.indices(i, k), 1});
  }
  return link_positives(std::move(links), data.size());
}

PositivesPtr positives_of(const Recipe& recipe, const Dataset& data) {
  const std::string& said = recipe.data.positives;
  if (said.empty()) {
    check(!data.info().graph || data.positives(), "[", recipe.data.source,
          "] expected all of a graph to learn from its edges (data.split=all, data.train_size=0), got a part");
    return data.positives();
  }
  if (said == "views") return nullptr;
  check(said != "labels" || !data.info().graph, "[", recipe.data.source,
        "] expected edges, nearest or views as positives of a graph, got labels, which its test nodes have too");
  if (said == "labels") return class_positives(labels_in(data));
  if (said == "nearest") {
    return nearest_vectors(data, recipe.data.neighbours, static_cast<int>(recipe.train.threads));
  }
  check(said.ends_with(".npy"), "[data.positives] expected views, labels, nearest or a .npy of pairs, got ", said);
  return pairs_of_file(said, data);
}

}  // namespace

TrainingData open_training_data(const Recipe& recipe) {
  DataOptions options;
  options.split = recipe.data.split;
  options.size = recipe.data.train_size;
  options.strict = recipe.data.strict;
  options.threads = static_cast<int>(recipe.train.threads);
  TrainingData data;
  data.train = open_dataset(recipe.data.source, options);
  options.split = recipe.data.eval_split;
  options.size = 0;
  data.held_out = open_dataset(recipe.data.source, options);
  check_finite(*data.train, recipe.data.source);
  if (learns_from_labels(recipe.train.method)) {
    take_labels(recipe, data);
  } else {
    data.positives = positives_of(recipe, *data.train);
  }
  return data;
}

}  // namespace orthant
