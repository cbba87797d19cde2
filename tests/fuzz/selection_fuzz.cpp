#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "orthant/catalogue/run_record.h"
#include "orthant/core/error.h"
#include "tests/fuzz/scratch_folder.h"

// Any selection.json is refused with IoError or read, any result.json of an adapted run is passed over or read, and
// what was read is JSON in UTF-8.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const orthant::fuzz::ScratchFolder folder;
  static const std::string recipe = folder.write("run.toml", nullptr, 0);
  folder.write("result.json", data, size);
  folder.write("selection.json", data, size);
  try {
    const auto record = orthant::catalogue::read_run_record(folder.path());
    if (!nlohmann::json::accept(record.selection) || !nlohmann::json::accept(record.adapter)) std::abort();
  } catch (const orthant::IoError&) {
  }
  return 0;
}
