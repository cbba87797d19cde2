#pragma once

#include <map>
#include <string>

#include "orthant/run/model_options.h"

namespace orthant {

// What a model file says of its model, as the strings of a safetensors header: "format", "backbone.name",
// "preprocessing.mean_r", "temperature", "notes.data", ... Numbers are written so that they read back exactly. A text
// network's says how texts become ids ("text.hash", ...), and by which version of Unicode ("text.unicode").
std::map<std::string, std::string> model_metadata(const ModelOptions& options);

// The way back. IoError naming `path` if the metadata is no model's, of a newer format, or if a value is missing or not
// allowed.
ModelOptions parse_model_metadata(const std::map<std::string, std::string>& metadata, const std::string& path);

}  // namespace orthant
