#include "learn/train/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>

#include "orthant/core/error.h"
#include "orthant/core/version.h"
#include "orthant/io/settings_file.h"

namespace orthant {
namespace {

constexpr int64_t kItems = 1000;
constexpr char kEnd = '\x1e';  // behind each part of what a rank tells

// FNV-1a.
class Checksum {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) value_ = (value_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325;
};

std::string describe(const Dataset& data) {
  const int64_t count = std::min(kItems, data.size());
  Checksum items;
  for (int64_t k = 0; k < count; ++k) {
    const int64_t item = k * data.size() / count;
    items.add(join(data.id(item), ":", data.label(item), ";"));
    if (data.info().text) {
      for (const std::string& text : data.texts(item)) items.add(text);
    }
    if (data.info().dims == 0) continue;
    for (const float value : data.vector(item)) items.add(std::to_string(std::bit_cast<uint32_t>(value)));
  }
  return fmt::format("{} items of {} classes, checksum {:016x}", data.size(), data.info().class_names.size(),
                     items.value());
}

struct Told {
  std::string version;
  std::string data;
  std::string recipe;
};

Told parse(const std::string& text) {
  const size_t first = text.find(kEnd);
  const size_t second = text.find(kEnd, first + 1);
  return {text.substr(0, first), text.substr(first + 1, second - first - 1), text.substr(second + 1)};
}

Recipe without_paths(const std::string& text) {
  Recipe recipe = make_recipe({{"rank", io::parse_settings(text, "rank")}});
  recipe.data.source = "";
  if (recipe.data.positives.ends_with(".npy")) recipe.data.positives = ".npy";
  recipe.train.init_from = "";
  return recipe;
}

}  // namespace

void check_agreement(const Group& group, const Recipe& recipe, const Dataset& data) {
  if (group.alone()) return;
  const std::string own = std::string(version()) + kEnd + describe(data) + kEnd + recipe_text(recipe);
  const std::vector<std::string> texts = group.texts("comparing recipes and data", own);
  const Told first = parse(texts[0]);
  for (size_t r = 1; r < texts.size(); ++r) {
    const Told other = parse(texts[r]);
    const auto compare = [&](const char* what, const std::string& expected, const std::string& got) {
      check(expected == got, "[rank ", r, "] expected the ", what, " of rank 0, ", expected, ", got ", got);
    };
    compare("version", first.version, other.version);
    compare("data", first.data, other.data);
    const auto changes = differences(without_paths(first.recipe), without_paths(other.recipe));
    check(changes.empty(), "[rank ", r, "] expected the recipe of rank 0, got ", changes.empty() ? "" : changes[0]);
  }
}

}  // namespace orthant
