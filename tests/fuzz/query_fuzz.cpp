#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "orthant/query/filter.h"
#include "orthant/query/weights.h"

// Any text is refused with std::invalid_argument, or a filter that can be asked and weights of features there are.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orthant::query;
  static const Vocabulary words{6, {"wheel", "red car", "not", "", "f1", "a-b"}, {"cat", "air plane"}};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const Filter filter = Filter::parse(text, words);
    static_cast<void>(filter.matches([](const Condition& condition) {
      if (condition.feature >= words.features || condition.label >= 2) std::abort();
      return condition.on_feature() ? condition.holds(0.5F) : condition.holds(std::string_view("img/Cat 1"));
    }));
  } catch (const std::invalid_argument&) {
  }
  try {
    for (const Weight& weight : parse_weights(text, words)) {
      if (weight.feature < 0 || weight.feature >= words.features) std::abort();
    }
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
