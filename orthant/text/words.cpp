#include "orthant/text/words.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <span>

#include "orthant/core/error.h"
#include "orthant/text/utf8.h"

namespace orthant {
namespace {

constexpr int32_t kApostrophe = '\'';
constexpr int32_t kCurlyApostrophe = 0x2019;

bool is_ideograph(int32_t c) {
  return (c >= 0x3400 && c <= 0x9fff && !(c >= 0x4dc0 && c <= 0x4dff)) || (c >= 0xf900 && c <= 0xfaff) ||
         (c >= 0x20000 && c <= 0x3ffff);
}

// Letters, marks and digits: the categories from LU to NO stand side by side.
bool is_word_character(int32_t c) {
  if (c < 0x80) return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  const utf8proc_category_t category = utf8proc_category(c);
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;
}

std::string nfkc_casefold(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    std::string lower(text);
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return lower;
  }
  utf8proc_uint8_t* mapped = nullptr;
  const utf8proc_ssize_t length = utf8proc_map(
      reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()), &mapped,
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD |
                                     UTF8PROC_IGNORE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  check(length >= 0, "[text] expected UTF-8, got bytes that are not");
  return {reinterpret_cast<const char*>(mapped), static_cast<size_t>(length)};
}

std::string encoded(std::span<const int32_t> points) {
  std::string text;
  utf8proc_uint8_t bytes[4];
  for (const int32_t point : points) {
    const utf8proc_ssize_t length = utf8proc_encode_char(point, bytes);
    text.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(length));
  }
  return text;
}

bool is_inner_apostrophe(std::span<const int32_t> points, size_t at) {
  return points[at] == kApostrophe && at > 0 && at + 1 < points.size() && is_word_character(points[at - 1]) &&
         !is_ideograph(points[at - 1]) && is_word_character(points[at + 1]) && !is_ideograph(points[at + 1]);
}

}  // namespace

std::vector<std::string> words_of(std::string_view text, const TextOptions& options) {
  std::vector<int32_t> points = code_points(options.normalise == "none" ? std::string(text) : nfkc_casefold(text));
  std::ranges::replace(points, kCurlyApostrophe, kApostrophe);
  std::vector<std::string> words;
  for (size_t at = 0; at < points.size() && std::ssize(words) < options.max_words;) {
    if (!is_word_character(points[at])) {
      ++at;
      continue;
    }
    size_t end = at + 1;
    while (!is_ideograph(points[at]) && end < points.size() && !is_ideograph(points[end]) &&
           (is_word_character(points[end]) || is_inner_apostrophe(points, end))) {
      ++end;
    }
    words.push_back(encoded(std::span(points).subspan(at, std::min(end - at, kLongestWord))));
    at = end;
  }
  return words;
}

}  // namespace orthant
