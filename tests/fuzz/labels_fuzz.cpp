#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "orthant/core/error.h"
#include "orthant/io/labels_file.h"

// Any text is refused with IoError or gives labels; where there are names, every label is the number of one.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto found = orthant::io::parse_labels({reinterpret_cast<const char*>(data), size}, "fuzz.txt");
    if (found.labels.empty()) std::abort();
    for (const int64_t label : found.labels) {
      if (!found.names.empty() && (label < 0 || label >= static_cast<int64_t>(found.names.size()))) std::abort();
    }
  } catch (const orthant::IoError&) {
  }
  return 0;
}
