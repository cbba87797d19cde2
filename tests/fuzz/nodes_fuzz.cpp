#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "orthant/core/error.h"
#include "orthant/graph/graph_source.h"
#include "orthant/graph/node_files.h"
#include "tests/fuzz/scratch_folder.h"

namespace {

void read_graph(const orthant::GraphSource& source) {
  try {
    const auto data = orthant::open_graph(source, "all");
    for (int64_t i = 0; i < data->size(); ++i) {
      if (static_cast<int64_t>(data->vector(i).size()) != data->info().dims) std::abort();
      if (data->label(i) >= static_cast<int64_t>(data->info().class_names.size())) std::abort();
      for (const orthant::Linked& other : data->links(i)) {
        if (other.item < 0 || other.item >= data->size() || other.item == i) std::abort();
      }
    }
  } catch (const orthant::IoError&) {
  } catch (const std::invalid_argument&) {  // weights that are all zero
  }
}

}  // namespace

// Any bytes as features and labels of nodes, and as every part of a graph at once.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  int64_t dims = 0;
  try {
    dims = orthant::parse_node_features(text, "fuzz").dims;
  } catch (const orthant::IoError&) {
  }
  try {
    if (orthant::parse_node_labels(text, "fuzz").rows.empty()) std::abort();
  } catch (const orthant::IoError&) {
  }
  if (dims > 1 << 12 || size > 1 << 12) return 0;  // a dense table of it is not what is tried here
  static const orthant::fuzz::ScratchFolder folder;
  const std::string file = folder.write("nodes", data, size);
  read_graph({file, {}, file});
  const std::string edges = folder.write("edges", reinterpret_cast<const uint8_t*>("a b\nb 0 2\n"), 10);
  read_graph({edges, file, {}});
  read_graph({edges, {}, file});
  return 0;
}
