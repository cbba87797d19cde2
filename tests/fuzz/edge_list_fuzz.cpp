#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "orthant/core/error.h"
#include "orthant/io/edge_list.h"

// Any text is refused with IoError or gives edges between nodes that are there, with weights of 0 or more.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto list = orthant::io::parse_edge_list({reinterpret_cast<const char*>(data), size}, "fuzz.txt");
    const auto nodes = static_cast<int64_t>(list.nodes.size());
    if (list.from.size() != list.to.size() || list.from.size() != list.weights.size()) std::abort();
    for (size_t e = 0; e < list.from.size(); ++e) {
      if (list.from[e] < 0 || list.from[e] >= nodes || list.to[e] < 0 || list.to[e] >= nodes) std::abort();
      if (!(list.weights[e] >= 0)) std::abort();
    }
  } catch (const orthant::IoError&) {
  }
  return 0;
}
