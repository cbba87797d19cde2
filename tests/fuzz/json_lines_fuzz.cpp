#include <cstddef>
#include <cstdint>
#include <string_view>

#include "orthant/core/error.h"
#include "orthant/core/features.h"
#include "orthant/exchange/json_lines.h"

// Any text is refused with IoError or gives valid embeddings of finite values, with and without a number of columns.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  for (const int64_t dims : {0, 8}) {
    try {
      const orthant::Embeddings read = orthant::exchange::parse_json_lines({reinterpret_cast<const char*>(data), size},
                                                                           "fuzz.jsonl", {.dims = dims});
      read.validate();
      orthant::check_finite(read, "fuzz.jsonl");
    } catch (const orthant::IoError&) {
    }
  }
  return 0;
}
