#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>

#include "orthant/catalogue/run_record.h"
#include "orthant/core/error.h"
#include "orthant/io/settings_file.h"
#include "orthant/run/recipe.h"
#include "tests/fuzz/scratch_folder.h"

// Any run.toml is refused, or a recipe that its own text gives back; and what can be read at all can be looked at.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const orthant::fuzz::ScratchFolder folder;
  folder.write("run.toml", data, size);
  try {
    orthant::catalogue::read_run_record(folder.path());
    const auto settings = orthant::io::parse_settings({reinterpret_cast<const char*>(data), size}, "run.toml");
    const orthant::Recipe recipe = orthant::make_recipe({{"run.toml", settings}});
    const auto again = orthant::io::parse_settings(orthant::recipe_text(recipe), "again.toml");
    if (orthant::make_recipe({{"again.toml", again}}) != recipe) std::abort();
  } catch (const orthant::IoError&) {
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
