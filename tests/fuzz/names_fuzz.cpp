#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "orthant/catalogue/names.h"
#include "orthant/core/error.h"
#include "tests/fuzz/scratch_folder.h"

// Any names.json is refused with IoError or read, and what was read is written so that reading gives it back.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const orthant::fuzz::ScratchFolder folder;
  constexpr int64_t kFeatures = 64;
  try {
    const orthant::catalogue::Names names(folder.write("names.json", data, size), kFeatures);
    const std::string document = names_document(names);
    const auto* bytes = reinterpret_cast<const uint8_t*>(document.data());
    const orthant::catalogue::Names again(folder.write("again.json", bytes, document.size()), kFeatures);
    if (again.all() != names.all() || again.proposed() != names.proposed()) std::abort();
  } catch (const orthant::IoError&) {
  }
  return 0;
}
