#include "orthant/sources/npy_labels.h"

#include <algorithm>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/io/labels_file.h"

namespace orthant {
namespace {

constexpr int64_t kMaxClasses = 1'000'000;

void check_count(size_t got, int64_t count, const std::string& name) {
  check_io(static_cast<int64_t>(got) == count, "[", name, "] expected ", count, " labels, one for each item, got ",
           got);
}

ItemLabels by_number(std::vector<int64_t> labels, const std::string& name) {
  for (const int64_t label : labels) {
    check_io(label >= -1 && label < kMaxClasses, "[", name, "] expected labels from 0 to ", kMaxClasses - 1,
             ", or -1 for none, got ", label);
  }
  ItemLabels result{std::move(labels), {}};
  const int64_t largest = result.labels.empty() ? -1 : std::ranges::max(result.labels);
  for (int64_t label = 0; label <= largest; ++label) result.names.push_back(std::to_string(label));
  return result;
}

}  // namespace

ItemLabels labels_from_array(const io::Array& array, int64_t count, const std::string& name) {
  std::vector<int64_t> labels = io::to_integers(array, name);
  check_count(labels.size(), count, name);
  return by_number(std::move(labels), name);
}

ItemLabels read_item_labels(const std::string& path, int64_t count) {
  io::NamedLabels read = io::read_labels(path);
  check_count(read.labels.size(), count, path);
  if (read.names.empty()) return by_number(std::move(read.labels), path);
  return {std::move(read.labels), std::move(read.names)};
}

}  // namespace orthant
