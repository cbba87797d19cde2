#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "orthant/core/error.h"
#include "orthant/io/csv.h"

// Any bytes are either refused with IoError or rows, in the order of their lines, that hold no more than was there.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    size_t held = 0;
    int64_t line = 0;
    for (const auto& row : orthant::io::parse_csv(std::as_bytes(std::span(data, size)), "fuzz")) {
      if (row.line <= line || row.cells.empty()) std::abort();
      line = row.line;
      for (const std::string& cell : row.cells) held += cell.size();
    }
    if (held > size) std::abort();
  } catch (const orthant::IoError&) {
  }
  return 0;
}
