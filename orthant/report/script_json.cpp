#include "orthant/report/script_json.h"

namespace orthant::report {

std::string script_json(std::string_view json) {
  std::string safe;
  safe.reserve(json.size() + json.size() / 64);
  for (size_t at = 0; at < json.size(); ++at) {
    const std::string_view three = json.substr(at, 3);
    if (json[at] == '<') {
      safe += "\\u003c";
    } else if (three == "\xe2\x80\xa8" || three == "\xe2\x80\xa9") {
      safe += three[2] == '\xa8' ? "\\u2028" : "\\u2029";
      at += 2;
    } else {
      safe += json[at];
    }
  }
  return safe;
}

}  // namespace orthant::report
