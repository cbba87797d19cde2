#pragma once

#include <string>
#include <string_view>

namespace orthant::report {

// JSON that may stand inside a <script> element: the same document with every '<' written \u003c, so that no text in it
// can end the element or open a comment, and the line separators U+2028 and U+2029 written as escapes. `json` is a
// valid document, in which these characters occur inside strings only; this is not checked.
std::string script_json(std::string_view json);

}  // namespace orthant::report
