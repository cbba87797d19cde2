#include <cstddef>
#include <cstdint>
#include <string_view>

#include "orthant/core/error.h"
#include "orthant/io/settings_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    orthant::io::parse_settings({reinterpret_cast<const char*>(data), size}, "fuzz.toml");
  } catch (const orthant::IoError&) {
  }
  return 0;
}
