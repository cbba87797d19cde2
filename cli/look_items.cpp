#include "cli/look_items.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "orthant/core/error.h"
#include "orthant/report/text.h"

namespace orthant::cli {
namespace {

constexpr int64_t kMostClasses = 10'000;

void check_same(const NamedEmbeddings& first, const NamedEmbeddings& other) {
  const Embeddings& a = *first.embeddings;
  const Embeddings& b = *other.embeddings;
  check(a.rows() == b.rows(), "[", other.name, "] expected the same items as ", first.name, ", got ", b.rows(),
        " rows instead of ", a.rows());
  for (size_t i = 0; i < std::min(a.ids.size(), b.ids.size()); ++i) {
    check(a.ids[i] == b.ids[i], "[", other.name, "] expected the same items as ", first.name, ", got the id '",
          report::mended_utf8(b.ids[i]), "' instead of '", report::mended_utf8(a.ids[i]), "' in row ", i);
  }
  for (size_t i = 0; i < std::min(a.labels.size(), b.labels.size()); ++i) {
    check(a.labels[i] == b.labels[i], "[", other.name, "] expected the same labels as ", first.name, ", got ",
          b.labels[i], " instead of ", a.labels[i], " in row ", i);
  }
}

// The item of the data set for each row. Most often the two agree row by row.
std::vector<int64_t> rows_in(const Dataset& data, const std::vector<std::string>& ids, int64_t rows,
                             const std::string& name) {
  const DatasetInfo& info = data.info();
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
          report::mended_utf8(ids[i]), "' in row ", i, ", which is not there");
    found.push_back(place->second);
  }
  return found;
}

// Names that the labels need, as numbers, if nobody gave any.
std::vector<std::string> class_names(std::vector<std::string> given, const std::vector<int64_t>& labels) {
  const int64_t most = labels.empty() ? -1 : std::ranges::max(labels);
  check(most < kMostClasses, "[labels] expected classes below ", kMostClasses, ", got ", most);
  for (std::string& name : given) name = report::mended_utf8(name);
  while (static_cast<int64_t>(given.size()) <= most) given.push_back(std::to_string(given.size()));
  return given;
}

}  // namespace

void check_same_items(std::span<const NamedEmbeddings> all) {
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = 0; j < i; ++j) check_same(all[j], all[i]);
  }
}

report::Items make_items(std::span<const NamedEmbeddings> all, const DatasetPtr& data, std::vector<int64_t> labels) {
  report::Items items;
  const int64_t rows = all.front().embeddings->rows();
  std::vector<std::string> ids;
  std::vector<std::string> classes;
  const bool own_labels = !labels.empty();
  for (const NamedEmbeddings& one : all) {
    if (ids.empty()) ids = one.embeddings->ids;
    if (labels.empty()) labels = one.embeddings->labels;
    if (classes.empty() && !own_labels) classes = one.embeddings->class_names;
  }
  if (data) {
    const std::vector<int64_t> places = rows_in(*data, ids, rows, all.front().name);
    if (!own_labels && classes.empty()) classes = data->info().class_names;
    if (labels.empty() && !data->info().class_names.empty()) {
      for (const int64_t place : places) labels.push_back(data->label(place));
    }
    if (ids.empty()) {
      for (const int64_t place : places) ids.push_back(data->id(place));
    }
    if (data->info().dims == 0) {
      items.pictures = data;
      items.rows = places;
    }
  }
  for (int64_t i = 0; i < rows; ++i) {
    items.ids.push_back(ids.empty() ? std::to_string(i) : report::mended_utf8(ids[static_cast<size_t>(i)]));
  }
  items.classes = labels.empty() ? std::vector<std::string>() : class_names(std::move(classes), labels);
  items.labels = std::move(labels);
  return items;
}

}  // namespace orthant::cli
