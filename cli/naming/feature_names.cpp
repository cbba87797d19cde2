#include "cli/naming/feature_names.h"

#include <algorithm>

#include "orthant/catalogue/names.h"
#include "orthant/run/run_paths.h"

namespace orthant::cli {

std::string names_file(const std::string& input) {
  return is_run(input) ? RunPaths(input).names_file() : input + ".names.json";
}

bool FeatureNames::any() const {
  return std::ranges::any_of(shown, [](const std::string& name) { return !name.empty(); });
}

FeatureNames feature_names(const std::string& input, const Embeddings& embeddings) {
  const catalogue::Names names(names_file(input), embeddings.cols(), embeddings.feature_names);
  FeatureNames found;
  for (int64_t f = 0; f < embeddings.cols(); ++f) found.given.push_back(names.get(f).name);
  found.shown = found.given;
  for (const auto& [feature, proposed] : names.proposed()) {
    std::string& name = found.shown[static_cast<size_t>(feature)];
    if (name.empty() && proposed.score > proposed.chance) name = proposed.name + "?";
  }
  return found;
}

}  // namespace orthant::cli
