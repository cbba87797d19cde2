#include "orthant/serve/target.h"

#include <algorithm>
#include <charconv>

#include "orthant/serve/message.h"

namespace orthant::serve {
namespace {

void read_parameter(std::string_view text, std::multimap<std::string, std::string>& query) {
  if (text.empty()) return;
  const size_t equals = std::min(text.find('='), text.size());
  const std::string_view value = text.substr(std::min(equals + 1, text.size()));
  query.emplace(decode_parameter(text.substr(0, equals)), decode_parameter(value));
}

}  // namespace

std::string decode_parameter(std::string_view text) {
  std::string bytes;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      bytes += text[at] == '+' ? ' ' : text[at];
      continue;
    }
    const std::string_view digits = text.substr(at + 1, 2);
    unsigned char byte = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (digits.size() != 2 || read.ec != std::errc() || read.ptr != digits.data() + 2) {
      throw StatusError(400, "expected two hexadecimal digits behind every % of the query");
    }
    bytes += static_cast<char>(byte);
    at += 2;
  }
  return bytes;
}

Target read_target(std::string_view text) {
  const size_t mark = std::min(text.find('?'), text.size());
  Target target{std::string(text.substr(0, mark)), {}};
  for (size_t at = mark + 1; at < text.size();) {
    const size_t end = std::min(text.find('&', at), text.size());
    read_parameter(text.substr(at, end - at), target.query);
    at = end + 1;
  }
  return target;
}

}  // namespace orthant::serve
