#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "orthant/core/embeddings.h"

namespace orthant::exchange {

struct JsonLinesOptions {
  int64_t dims = 0;  // columns; 0: as many as the largest index asks for
  std::function<void(int64_t done, int64_t total)> progress = nullptr;  // in bytes; may throw
};

// Sparse vectors as JSON, an object in each line (empty lines are passed over):
//   {"indices": [0, 5], "values": [0.5, 1]}      also inside "vector", "sparse_values", "sparse_vector" or "features"
//   {"vector": {"token": 0.5}}                   a weight per feature, as Seismic has it, under the same names
// and, for all items or none, "id" (a text or whole number) and "label" (the same, or null for none); anything else is
// passed over. Features named by texts become columns: by number if all are 0, 1, ... or f0, f1, ..., otherwise in
// alphabetical order, with their names. Zeros are left out; indices may come in any order.
//
// IoError naming `name` and the line for what is not such an object, differs in kind from the first line, gives an
// index twice or out of range (2^31-2 at most, below `dims` if that is given), or a value that is not finite.
Embeddings parse_json_lines(std::string_view text, const std::string& name, const JsonLinesOptions& options = {});

}  // namespace orthant::exchange
