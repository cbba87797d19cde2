#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "orthant/adapt/adapter.h"
#include "orthant/core/error.h"
#include "tests/fuzz/scratch_folder.h"

// Any model file is refused with IoError, or an adapter that prepares vectors and is written so that reading
// gives it back.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orthant;
  static const fuzz::ScratchFolder folder;
  try {
    const adapt::Adapter adapter = adapt::read_adapter(folder.write("model.safetensors", data, size));
    for (const bool second : {false, true}) {
      if (second && adapter.mean_b.empty()) break;
      const std::vector<float> vector(static_cast<size_t>(adapter.width(second)), 1.0F);
      adapt::Floats x(static_cast<size_t>(adapter.stride));
      adapter.prepare(vector, x.data(), second);
    }
    adapt::write_adapter(folder.path() + "/again.safetensors", adapter);
    const adapt::Adapter again = adapt::read_adapter(folder.path() + "/again.safetensors");
    if (again.encoder != adapter.encoder || again.mean_b != adapter.mean_b || again.map_b != adapter.map_b ||
        again.notes != adapter.notes)
      std::abort();
  } catch (const IoError&) {
  }
  return 0;
}
