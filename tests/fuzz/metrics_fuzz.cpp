#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "orthant/catalogue/run_record.h"
#include "tests/fuzz/scratch_folder.h"

// Any metrics.jsonl is read, lines that are none passed over, and its curves are JSON in UTF-8.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const orthant::fuzz::ScratchFolder folder;
  static const std::string recipe = folder.write("run.toml", nullptr, 0);
  folder.write("metrics.jsonl", data, size);
  const auto record = orthant::catalogue::read_run_record(folder.path());
  if (!nlohmann::json::accept(record.curves)) std::abort();
  return 0;
}
