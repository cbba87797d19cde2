#include "orthant/run/model_metadata.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "orthant/core/error.h"
#include "orthant/core/settings.h"

namespace orthant {
namespace {

constexpr const char* kFormat = "orthant-model-1";
constexpr const char* kNotes = "notes.";
// Came later than the format: a file that does not say one means the default.
constexpr std::array<std::string_view, 8> kLater = {
    "backbone.standardise", "backbone.layers",     "backbone.heads",  "activation.standardise",
    "activation.active",    "activation.sparsity", "activation.each", "activation.floor"};

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, Preprocessing>
void for_each_field(Options& o, Visitor&& visit) {
  static constexpr std::array kChannels = {"r", "g", "b"};
  visit(Field{"size", "Height and width of the input", {.min = 1, .max = 4096}}, o.size);
  visit(Field{"channels", "Channels of the input", {.min = 1, .max = 64}}, o.channels);
  visit(Field{"crop", "Part of the picture that is used", {.choices = {"random", "centre", "stretch"}}}, o.crop);
  visit(Field{"centre_fraction", "Share of the side that a centre crop keeps", {.min = 0, .max = 1}},
        o.centre_fraction);
  for (size_t i = 0; i < 3; ++i) visit(Field{std::string("mean_") + kChannels[i], "Mean"}, o.mean[i]);
  for (size_t i = 0; i < 3; ++i) {
    visit(Field{std::string("std_") + kChannels[i], "Deviation", {.min = 0, .exclusive_min = true}}, o.std[i]);
  }
}

// Calls visit(key, field, value) for everything that is a setting.
template <class Options, class Visitor>
void for_each_key(Options& o, const Visitor& visit) {
  const auto section = [&](const std::string& name, auto& options) {
    for_each_field(options, [&](const Field& field, auto& value) { visit(name + "." + field.name, field, value); });
  };
  section("backbone", o.backbone);
  section("projector", o.projector);
  section("activation", o.activation);
  section("preprocessing", o.preprocessing);
  if (o.preprocessing.sound.seconds > 0) section("sound", o.preprocessing.sound);
  if (o.backbone.name.starts_with("text-")) section("text", o.text);
  visit("temperature", Field{"temperature", "Temperature", {.min = 0, .exclusive_min = true}}, o.temperature);
  visit("method", Field{"method", "Method"}, o.method);
}

std::string text_of(double value) {
  std::array<char, 32> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), end};
}
std::string text_of(int64_t value) { return std::to_string(value); }
std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(const std::string& value) { return value; }

}  // namespace

std::map<std::string, std::string> model_metadata(const ModelOptions& options) {
  std::map<std::string, std::string> metadata = {{"format", kFormat}};
  for_each_key(options,
               [&](const std::string& key, const Field&, const auto& value) { metadata[key] = text_of(value); });
  if (options.backbone.name.starts_with("text-")) metadata["text.unicode"] = unicode_version();
  for (const auto& [key, value] : options.notes) {
    check(key.find('.') == std::string::npos, "[model] expected notes whose keys have no '.', got '", key, "'");
    metadata[kNotes + key] = value;
  }
  return metadata;
}

ModelOptions parse_model_metadata(const std::map<std::string, std::string>& metadata, const std::string& path) {
  const auto format = metadata.find("format");
  check_io(format != metadata.end() && format->second == kFormat, "[", path, "] expected a model of the format ",
           kFormat, ", got ", format == metadata.end() ? "a file that does not say what it is" : format->second);
  ModelOptions options;
  if (metadata.contains("sound.seconds")) options.preprocessing.sound.seconds = 1;  // whatever it is, it is read below
  try {
    for_each_key(options, [&](const std::string& key, const Field& field, auto& value) {
      const auto found = metadata.find(key);
      if (found == metadata.end() && std::ranges::find(kLater, key) != kLater.end()) return;
      check(found != metadata.end(), "[", path, "] expected ", key, " in the metadata, got none");
      constexpr bool kIsText = std::same_as<std::decay_t<decltype(value)>, std::string>;
      Field named = field;
      named.name = key;
      assign_setting(named, value, kIsText ? Setting(found->second) : parse_setting(found->second), path);
    });
  } catch (const std::invalid_argument& error) {
    throw IoError(error.what());
  }
  const std::string notes = kNotes;
  for (const auto& [key, value] : metadata) {
    if (key.starts_with(notes)) options.notes[key.substr(notes.size())] = value;
  }
  return options;
}

}  // namespace orthant
