#pragma once

#include <string>
#include <string_view>

#include "orthant/core/settings.h"

namespace orthant::io {

// Reads a recipe: a TOML file of tables with booleans, numbers and text, as dotted keys ("views.crop_min").
// IoError with file, line and column if it is not TOML, holds anything else (arrays, dates), or exceeds 1 MiB.
Settings read_settings(const std::string& path);

// The same from memory; `name` stands for the file in messages.
Settings parse_settings(std::string_view text, const std::string& name);

}  // namespace orthant::io
