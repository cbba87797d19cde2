#include "orthant/run/run_paths.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>

#include "orthant/core/error.h"
#include "orthant/corrupt/corrupt.h"
#include "orthant/io/settings_file.h"
#include "orthant/run/crc32c.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;

// "npy-vectors-npy-1a2b3c4d": letters to recognise it by, and a checksum for the rest.
std::string name_of_data(const std::string& spec) {
  constexpr size_t kLongest = 40;
  std::string letters;
  for (const char c : spec) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain) letters += c;
    if (!plain && !letters.empty() && letters.back() != '-') letters += '-';
  }
  if (letters.size() > kLongest) letters.erase(0, letters.size() - kLongest);
  return fmt::format("{}-{:08x}", letters, crc32c(std::string_view(spec)));
}

}  // namespace

std::string name_of(const EmbeddingsKey& key) {
  std::string name = fmt::format("{}-{}", key.split, key.layer);
  if (key.tower != "a") name += "-tower-" + key.tower;
  if (key.size > 0) name += fmt::format("-{}", key.size);
  if (!key.corrupt.empty()) {
    const corrupt::Corruption corruption = corrupt::parse(key.corrupt);
    name += fmt::format("-{}-{}", corruption.name, corruption.severity);
  }
  if (key.views > 0) name += fmt::format("-views-{}", key.views);
  if (key.views > 0 && key.seed > 0) name += fmt::format("-seed-{}", key.seed);
  if (key.active > 0) name += fmt::format("-active-{}", key.active);
  if (!key.data.empty()) name += "-of-" + name_of_data(key.data);
  return name;
}

RunPaths::RunPaths(std::string path) : path_(std::move(path)) {
  while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
}

std::string RunPaths::embeddings_file(const EmbeddingsKey& key) const {
  return fmt::format("{}/{}.safetensors", embeddings_folder(), name_of(key));
}

RunPaths RunPaths::of_seed(int64_t seed) const { return RunPaths(fmt::format("{}/seed-{}", path_, seed)); }

bool is_run(const std::string& path) { return fs::exists(RunPaths(path).recipe_file()); }

std::string weights_file(const std::string& path) {
  return fs::is_directory(path) ? RunPaths(path).model_file() : path;
}

namespace {

std::string in_recipe(const RunPaths& run, const std::string& key) {
  const Settings recipe = io::read_settings(run.recipe_file());
  const auto found = recipe.find(key);
  return found == recipe.end() ? "" : to_string(found->second);
}

}  // namespace

std::string trained_on(const RunPaths& run) { return in_recipe(run, "data.source"); }

std::string trained_with(const RunPaths& run) { return in_recipe(run, "data.with"); }

}  // namespace orthant
