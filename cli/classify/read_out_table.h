#pragma once

#include <string>

#include "orthant/classify/read_out_json.h"

namespace orthant::cli {

// A read-out for a person: accuracy beside chance, the worst class, the worst mistakes, and for each class the features
// that carry it; or the items that are explained, with what adds up to their scores. Ends with a line feed.
std::string read_out_table(const classify::ReadOutDocument& document);

}  // namespace orthant::cli
