#include "orthant/catalogue/make_items.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "orthant/catalogue/text.h"
#include "orthant/core/error.h"

namespace orthant::catalogue {
namespace {

constexpr int64_t kMostClasses = 10'000;

void check_same(const NamedEmbeddings& first, const NamedEmbeddings& other) {
  const Embeddings& a = *first.embeddings;
  const Embeddings& b = *other.embeddings;
  check(a.rows() == b.rows(), "[", other.name, "] expected the same items as ", first.name, ", got ", b.rows(),
        " rows instead of ", a.rows());
  for (const char* key : {"data", "split"}) {
    const auto left = a.how.find(key);
    const auto right = b.how.find(key);
    if (left == a.how.end() || right == b.how.end()) continue;
    check(left->second == right->second, "[", other.name, "] expected the same ", key, " as ", first.name, ", got ",
          mended_utf8(right->second), " instead of ", mended_utf8(left->second));
  }
  for (size_t i = 0; i < std::min(a.ids.size(), b.ids.size()); ++i) {
    check(a.ids[i] == b.ids[i], "[", other.name, "] expected the same items as ", first.name, ", got the id '",
          mended_utf8(b.ids[i]), "' instead of '", mended_utf8(a.ids[i]), "' in row ", i);
  }
  for (size_t i = 0; i < std::min(a.labels.size(), b.labels.size()); ++i) {
    check(a.labels[i] == b.labels[i], "[", other.name, "] expected the same labels as ", first.name, ", got ",
          b.labels[i], " instead of ", a.labels[i], " in row ", i);
  }
}

// Whether items are only called by their number.
bool numbered(const Dataset& data) {
  for (int64_t i = 0; i < data.size(); ++i) {
    if (data.id(i) != std::to_string(i)) return false;
  }
  return true;
}

// The item of the data set for each row. Most often the two agree row by row.
std::vector<int64_t> rows_in(const Dataset& data, std::vector<std::string> ids, int64_t rows, const std::string& name) {
  const DatasetInfo& info = data.info();
  if (info.text && numbered(data)) ids.clear();
  check(!ids.empty() || rows == data.size(), "[", name, "] expected a row for each of the ", data.size(), " items of ",
        info.name, " ", info.split, ", got ", rows);
  std::vector<int64_t> found;
  bool in_order = true;
  for (int64_t i = 0; i < rows && in_order; ++i) {
    in_order = ids.empty() || (i < data.size() && data.id(i) == ids[static_cast<size_t>(i)]);
    if (in_order) found.push_back(i);
  }
  if (in_order) return found;
  std::unordered_map<std::string, int64_t> places;
  for (int64_t i = 0; i < data.size(); ++i) places.emplace(data.id(i), i);
  found.clear();
  for (size_t i = 0; i < ids.size(); ++i) {
    const auto place = places.find(ids[i]);
    check(place != places.end(), "[", name, "] expected items of ", info.name, " ", info.split, ", got the id '",
          mended_utf8(ids[i]), "' in row ", i, ", which is not there");
    found.push_back(place->second);
  }
  return found;
}

// Names that the labels need, as numbers, if nobody gave any.
std::vector<std::string> class_names(std::vector<std::string> given, const std::vector<int64_t>& labels) {
  for (const int64_t label : labels) {
    check(label >= -1 && label < kMostClasses, "[labels] expected classes from 0 to ", kMostClasses - 1,
          ", or -1 where it is not known, got ", label);
    while (static_cast<int64_t>(given.size()) <= label) given.push_back(std::to_string(given.size()));
  }
  for (std::string& name : given) name = mended_utf8(name);
  return given;
}

// Links between the items at `places`, by their rows.
void add_links(Items& items, const Dataset& graph, const std::vector<int64_t>& places) {
  std::unordered_map<int64_t, int64_t> row_of;
  for (size_t i = 0; i < places.size(); ++i) row_of.emplace(places[i], static_cast<int64_t>(i));
  items.links.resize(places.size());
  for (size_t i = 0; i < places.size(); ++i) {
    for (const Linked& other : graph.links(places[i])) {
      const auto row = row_of.find(other.item);
      if (row != row_of.end()) items.links[i].push_back({row->second, other.weight});
    }
  }
}

// What a data set has to show of the items at `places`.
void add_content(Items& items, const DatasetPtr& set, const std::vector<int64_t>& places) {
  if (set->info().graph) add_links(items, *set, places);
  if (set->info().text) {
    items.texts.resize(places.size());
    for (size_t i = 0; i < places.size(); ++i) {
      std::ranges::move(set->texts(places[i]), std::back_inserter(items.texts[i]));
    }
  } else if (set->info().dims == 0 && !items.pictures) {
    items.pictures = set;
    items.rows = places;
  }
}

}  // namespace

void check_same_items(std::span<const NamedEmbeddings> all) {
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = 0; j < i; ++j) check_same(all[j], all[i]);
  }
}

Items make_items(std::span<const NamedEmbeddings> all, const ItemData& data, io::NamedLabels given) {
  Items items;
  const int64_t rows = all.front().embeddings->rows();
  std::vector<std::string> ids;
  const bool wanted = given.labels.empty();  // from the embeddings or the data
  auto& [labels, names] = given;
  for (const NamedEmbeddings& one : all) {
    if (ids.empty()) ids = one.embeddings->ids;
    if (labels.empty()) labels = one.embeddings->labels;
    if (names.empty()) names = one.embeddings->class_names;
  }
  std::vector<int64_t> places;
  for (const DatasetPtr& set : {data.data, data.with}) {
    if (!set) continue;
    if (places.empty()) places = rows_in(*set, ids, rows, all.front().name);
    const bool labelled = !set->info().class_names.empty();
    if (names.empty()) names = set->info().class_names;
    for (const int64_t place : places) {
      if (wanted && labelled && std::ssize(labels) < rows) labels.push_back(set->label(place));
      if (std::ssize(ids) < rows) ids.push_back(set->id(place));
    }
    add_content(items, set, places);
  }
  // Classes given by number may not be those of the data.
  if (!wanted && std::ranges::max(labels) >= std::ssize(names)) names.clear();
  for (int64_t i = 0; i < rows; ++i) {
    items.ids.push_back(ids.empty() ? std::to_string(i) : mended_utf8(ids[static_cast<size_t>(i)]));
  }
  items.classes = labels.empty() ? std::vector<std::string>() : class_names(std::move(names), labels);
  items.labels = std::move(labels);
  return items;
}

}  // namespace orthant::catalogue
