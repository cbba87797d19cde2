#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/heat/heat_maps.h"
#include "orthant/heat/question.h"

// What two processes say to each other about maps: any bytes are refused with IoError, or come back as they were.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orthant::heat;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const Question question = from_bytes(bytes);
    if (to_bytes(question) != bytes) std::abort();
  } catch (const orthant::IoError&) {
  }
  std::vector<float> floats(size / sizeof(float));
  if (!floats.empty()) std::memcpy(floats.data(), data, floats.size() * sizeof(float));
  try {
    const HeatMaps maps = from_floats(floats);
    if (to_floats(maps) != floats) std::abort();
    const HeatMaps fewer = coarser(maps, 2);
    if (fewer.count() != maps.count() || fewer.rows * fewer.cols != fewer.maps.cols()) std::abort();
  } catch (const orthant::IoError&) {
  }
  return 0;
}
