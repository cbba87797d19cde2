#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "orthant/index/index.h"

namespace orthant::cli {

// "cosine" or "dot"; "f32", "u16" or "u8": the words of the flags, and of reports.
extern const std::vector<std::string> kMetrics;
extern const std::vector<std::string> kValues;

// What an index is, without reading more than its directory.
nlohmann::ordered_json index_report(const index::Index& index);

}  // namespace orthant::cli
