#include "orthant/data/class_match.h"

#include <algorithm>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/data/relabelled.h"

namespace orthant {
namespace {

std::string listed(const std::vector<std::string>& names) {
  constexpr size_t kShown = 10;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kShown); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kShown ? text + ", ..." : text;
}

}  // namespace

std::vector<int64_t> match_classes(const NamedClasses& own, const NamedClasses& known) {
  for (const NamedClasses* classes : {&own, &known}) {
    check(!classes->names.empty(), "[", classes->of, "] expected items with classes, got none");
  }
  std::vector<int64_t> numbers;
  for (const std::string& name : own.names) {
    const auto found = std::ranges::find(known.names, name);
    check(found != known.names.end(), "[", own.of, "] expected no classes but those of ", known.of, " (",
          listed(known.names), "), got '", name, "' (of ", listed(own.names), ")");
    numbers.push_back(found - known.names.begin());
  }
  return numbers;
}

DatasetPtr with_classes(DatasetPtr data, const NamedClasses& known) {
  DatasetInfo info = data->info();
  const std::vector<int64_t> numbers = match_classes({info.name, info.class_names}, known);
  info.class_names = known.names;
  std::vector<int64_t> labels;
  for (int64_t i = 0; i < data->size(); ++i) {
    const int64_t own = data->label(i);
    labels.push_back(own < 0 ? own : numbers[static_cast<size_t>(own)]);
  }
  return std::make_shared<Relabelled>(std::move(data), std::move(labels), std::move(info));
}

}  // namespace orthant
