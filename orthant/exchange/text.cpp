#include "orthant/exchange/text.h"

#include <array>
#include <charconv>

namespace orthant::exchange {
namespace {

template <class Number>
void append_digits(std::string& line, Number value) {
  std::array<char, 32> digits;
  line.append(digits.data(), std::to_chars(digits.begin(), digits.end(), value).ptr);
}

}  // namespace

void append_number(std::string& line, float value) { append_digits(line, value); }
void append_number(std::string& line, int64_t value) { append_digits(line, value); }

void append_json(std::string& line, std::string_view text) {
  line += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      line += '\\';
      line += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      line += "\\u00";
      line += "0123456789abcdef"[byte >> 4];
      line += "0123456789abcdef"[byte & 15];
    } else {
      line += c;
    }
  }
  line += '"';
}

void append_cell(std::string& line, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) line.append(c == '"' ? 2 : 1, c);
  line += '"';
}

void append_copy(std::string& line, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '\\':
        line += "\\\\";
        break;
      case '\t':
        line += "\\t";
        break;
      case '\n':
        line += "\\n";
        break;
      case '\r':
        line += "\\r";
        break;
      default:
        line += c;
    }
  }
}

int64_t code_points(std::string_view text) {
  int64_t count = 0;
  for (size_t i = 0; i < text.size(); ++count) {
    const auto first = static_cast<unsigned char>(text[i]);
    const size_t length = first < 0x80   ? 1
                          : first < 0xc2 ? 0
                          : first < 0xe0 ? 2
                          : first < 0xf0 ? 3
                          : first < 0xf5 ? 4
                                         : 0;
    if (length == 0 || length > text.size() - i) return -1;
    uint32_t value = length == 1 ? first : first & (0x7fU >> length);
    for (size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xc0) != 0x80) return -1;
      value = value << 6 | (next & 0x3fU);
    }
    const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
    if (overlong || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return -1;
    i += length;
  }
  return count;
}

}  // namespace orthant::exchange
