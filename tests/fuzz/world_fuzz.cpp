#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "orthant/launch/world.h"

// Any environment, lines NAME=VALUE, is refused with std::invalid_argument or gives a place within its world.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::map<std::string, std::string> variables;
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const size_t equals = std::min(line.find('='), line.size());
    variables[line.substr(0, equals)] = line.substr(std::min(equals + 1, line.size()));
    begin = end + 1;
  }
  try {
    const orthant::World world = orthant::read_world([&](const std::string& name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional<std::string>(found->second);
    });
    if (world.rank < 0 || world.rank >= world.size || world.local_rank >= world.local_size) std::abort();
    if (world.size > 1 && world.file.empty() && (world.address.empty() || world.port < 1)) std::abort();
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
