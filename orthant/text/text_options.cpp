#include "orthant/text/text_options.h"

#include <utf8proc.h>

#include "orthant/core/error.h"
#include "orthant/core/settings.h"

namespace orthant {

void check_text_options(const TextOptions& options) {
  for_each_field(options, [](const Field& field, const auto& value) {
    auto checked = value;
    assign_setting(field, checked, Setting(value), "text");
  });
  check(options.char_max == 0 || options.char_max >= options.char_min, "[text.char_max] expected ", options.char_min,
        " (text.char_min) or more, or 0 for none, got ", options.char_max);
}

std::string unicode_version() { return utf8proc_unicode_version(); }

}  // namespace orthant
