#pragma once

#include <string>
#include <string_view>

namespace orthant::cli {

// Text from files and names as a terminal may show it: control characters, which could move the cursor, change colours
// or hide what was said, are written as \x1b; also those beyond ASCII (U+0080 to U+009F). Other text is unchanged.
std::string terminal_text(std::string_view text);

}  // namespace orthant::cli
