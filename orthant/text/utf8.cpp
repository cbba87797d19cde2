#include "orthant/text/utf8.h"

#include <utf8proc.h>

#include "orthant/core/error.h"

namespace orthant {
namespace {

// The code point at `at`, which moves on behind it; -1, and it stays, if there is none.
int32_t next_code_point(std::string_view text, size_t& at) {
  int32_t point = -1;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const utf8proc_ssize_t length = utf8proc_iterate(bytes + at, static_cast<utf8proc_ssize_t>(text.size() - at), &point);
  if (length <= 0) return -1;
  at += static_cast<size_t>(length);
  return point;
}

}  // namespace

size_t first_invalid_utf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
    } else if (next_code_point(text, at) < 0) {
      return at;
    }
  }
  return std::string_view::npos;
}

std::vector<int32_t> code_points(std::string_view text) {
  std::vector<int32_t> points;
  points.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const int32_t point = next_code_point(text, at);
    if (point < 0) {
      const auto byte = static_cast<unsigned char>(text[at]);
      fail("[text] expected UTF-8, got the byte ", static_cast<int>(byte), " at place ", at);
    }
    points.push_back(point);
  }
  return points;
}

bool is_blank(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const utf8proc_category_t category = utf8proc_category(next_code_point(text, at));
    const bool blank = category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
                       category == UTF8PROC_CATEGORY_ZP || category == UTF8PROC_CATEGORY_CC ||
                       category == UTF8PROC_CATEGORY_CF;
    if (!blank) return false;
  }
  return true;
}

}  // namespace orthant
