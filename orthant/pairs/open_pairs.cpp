#include "orthant/pairs/open_pairs.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/corrupt/corrupt.h"
#include "orthant/data/corrupted.h"
#include "orthant/data/relabelled.h"
#include "orthant/data/selection.h"
#include "orthant/data/split.h"
#include "orthant/data/subset.h"
#include "orthant/pairs/alignment.h"
#include "orthant/pairs/with_ids.h"

namespace orthant {
namespace {

bool is_generated(const std::string& spec) { return spec == "sprites" || spec == "captions"; }

DatasetPtr chosen(const DatasetPtr& whole, std::vector<int64_t> items, const DatasetInfo& split) {
  DatasetInfo info = whole->info();
  info.split = split.split;
  info.splits = split.splits;
  info.split_made_here = split.split_made_here;
  return std::make_shared<Selection>(whole, std::move(items), std::move(info));
}

// Where the items of a published split are in all of the data. The items of several files are called SPLIT/ID there.
std::vector<int64_t> places_in(const Dataset& all, const Dataset& part) {
  std::unordered_map<std::string, int64_t> places;
  for (int64_t i = 0; i < all.size(); ++i) places.emplace(all.id(i), i);
  std::vector<int64_t> items;
  for (int64_t i = 0; i < part.size(); ++i) {
    auto found = places.find(part.info().split + "/" + part.id(i));
    if (found == places.end()) found = places.find(part.id(i));
    check(found != places.end(), "[", all.info().name, "] expected the items of ", part.info().split,
          " among all of them, got ", part.id(i));
    items.push_back(found->second);
  }
  return items;
}

// Pairs all items of two data sets of which at most one came with a split, and takes those of options.split.
PairedData pair_whole(const std::string& a, const std::string& b, const DataOptions& options, const PairedData& parts) {
  DataOptions everything = options;
  everything.split = "all";
  const DatasetPtr whole_a = open_dataset(a, everything);
  const DatasetPtr whole_b = open_dataset(b, everything);
  const DatasetPtr partner = subset(whole_b, alignment(*whole_a, *whole_b));
  const bool a_knows = !parts.a->info().split_made_here;
  const bool b_knows = !parts.b->info().split_made_here;
  if (a_knows || b_knows) {
    const DatasetPtr& part = a_knows ? parts.a : parts.b;
    const std::vector<int64_t> items = options.split == "all" ? standard_split_items(*whole_a, "all")
                                                              : places_in(a_knows ? *whole_a : *partner, *part);
    return {.a = chosen(whole_a, items, part->info()), .b = chosen(partner, items, part->info())};
  }
  const DatasetPtr& judge = whole_a->info().class_names.empty() ? partner : whole_a;
  const DatasetInfo info = standard_split(judge, options.split)->info();
  const std::vector<int64_t> items = standard_split_items(*judge, options.split);
  return {.a = chosen(whole_a, items, info), .b = chosen(partner, items, info)};
}

DatasetPtr with_classes_of(const DatasetPtr& dataset, const Dataset& other) {
  if (!dataset->info().class_names.empty() || other.info().class_names.empty()) return dataset;
  DatasetInfo info = dataset->info();
  info.class_names = other.info().class_names;
  std::vector<int64_t> labels(static_cast<size_t>(other.size()));
  for (size_t i = 0; i < labels.size(); ++i) labels[i] = other.label(static_cast<int64_t>(i));
  return std::make_shared<Relabelled>(dataset, std::move(labels), std::move(info));
}

bool has_pictures(const Dataset& dataset) {
  return dataset.info().dims == 0 && !dataset.info().text && !dataset.info().sound;
}

void corrupt_pictures(PairedData& pairs, const DataOptions& options) {
  if (options.corrupt.empty()) return;
  check(has_pictures(*pairs.a) || has_pictures(*pairs.b), "[pairs] expected pictures to corrupt, got none in either");
  for (DatasetPtr* side : {&pairs.a, &pairs.b}) {
    if (has_pictures(**side)) *side = corrupted(*side, corrupt::parse(options.corrupt), options.seed);
  }
}

// The same items of either, since what is chosen depends on their number and the seed alone.
DatasetPtr of_size(const DatasetPtr& dataset, const DataOptions& options) {
  if (options.size == 0 || options.size == dataset->size()) return dataset;
  if (options.size < dataset->size()) return subset(dataset, options.size, options.seed);
  std::vector<int64_t> items(static_cast<size_t>(dataset->size()));
  std::iota(items.begin(), items.end(), int64_t{0});
  DatasetInfo info = dataset->info();
  info.asked_for = options.size;
  return std::make_shared<Selection>(dataset, std::move(items), std::move(info));
}

}  // namespace

PairedData open_pairs(const std::string& a, const std::string& b, const DataOptions& options) {
  check(options.size >= 0, "[pairs] expected a size of 0 (all) or more, got ", options.size);
  DataOptions plain = options;
  plain.corrupt.clear();
  if (!is_generated(a) || !is_generated(b)) plain.size = 0;
  PairedData pairs{.a = open_dataset(a, plain), .b = open_dataset(b, plain)};
  if (!pairs.a->info().split_made_here && !pairs.b->info().split_made_here) {
    pairs.b = subset(pairs.b, alignment(*pairs.a, *pairs.b));
  } else {
    pairs = pair_whole(a, b, plain, pairs);
  }
  pairs.b = with_ids_of(pairs.b, pairs.a);
  pairs = {.a = with_classes_of(pairs.a, *pairs.b), .b = with_classes_of(pairs.b, *pairs.a)};
  corrupt_pictures(pairs, options);
  return {.a = of_size(pairs.a, options), .b = of_size(pairs.b, options)};
}

}  // namespace orthant
