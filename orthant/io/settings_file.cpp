#include "orthant/io/settings_file.h"

// toml++ asserts that a key follows '[', before it says as an error that none does: a debug build would end there.
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

#include "orthant/core/error.h"
#include "orthant/io/mapped_file.h"

namespace orthant::io {
namespace {

constexpr size_t kMaxBytes = 1 << 20;

std::string position(const toml::source_region& region) {
  return join("line ", region.begin.line, ", column ", region.begin.column);
}

void flatten(const toml::table& table, const std::string& prefix, const std::string& name, Settings& settings) {
  for (const auto& [key, node] : table) {
    const std::string path = prefix.empty() ? std::string(key.str()) : join(prefix, ".", key.str());
    if (const auto* inner = node.as_table()) {
      flatten(*inner, path, name, settings);
    } else if (const auto* flag = node.as_boolean()) {
      settings[path] = flag->get();
    } else if (const auto* whole = node.as_integer()) {
      settings[path] = whole->get();
    } else if (const auto* number = node.as_floating_point()) {
      settings[path] = number->get();
    } else if (const auto* text = node.as_string()) {
      settings[path] = text->get();
    } else {
      fail_io("[", name, "] expected a boolean, number or text for ", path, " at ", position(node.source()),
              ", got an array or a date");
    }
  }
}

}  // namespace

Settings parse_settings(std::string_view text, const std::string& name) {
  check_io(text.size() <= kMaxBytes, "[", name, "] expected a recipe of at most 1 MiB, got ", text.size(), " bytes");
  try {
    Settings settings;
    flatten(toml::parse(text), "", name, settings);
    return settings;
  } catch (const toml::parse_error& error) {
    fail_io("[", name, "] expected TOML, got an error at ", position(error.source()), ": ", error.description());
  }
}

Settings read_settings(const std::string& path) {
  const auto file = MappedFile::open(path);
  const auto bytes = file->bytes();
  return parse_settings({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
}

}  // namespace orthant::io
