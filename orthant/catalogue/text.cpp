#include "orthant/catalogue/text.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace orthant::catalogue {
namespace {

bool is_continuation(char c) {
  constexpr unsigned kContinuation = 0x80;
  constexpr unsigned kUpperTwoBits = 0xC0;
  return (static_cast<unsigned char>(c) & kUpperTwoBits) == kContinuation;
}

}  // namespace

std::string mended_utf8(std::string_view text) {
  using Json = nlohmann::json;
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

size_t characters(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return !is_continuation(c); }));
}

std::string shortened(std::string_view text, size_t most) {
  if (text.size() <= most || characters(text) <= most) return std::string(text);
  size_t end = 0;
  for (size_t kept = 0; kept + 1 < most; ++kept) {
    do ++end;
    while (is_continuation(text[end]));
  }
  return std::string(text.substr(0, end)) + "\u2026";
}

size_t json_depth(std::string_view json) {
  size_t deepest = 0;
  size_t depth = 0;
  bool quoted = false;
  for (size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (quoted && c == '\\') {
      ++at;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '[' || c == '{')) {
      deepest = std::max(deepest, ++depth);
    } else if (!quoted && (c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

std::string base64(std::span<const std::byte> bytes) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  char* to = text.data();
  const auto byte = [&](size_t at) { return at < bytes.size() ? std::to_integer<uint32_t>(bytes[at]) : 0; };
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const uint32_t group = byte(at) << 16 | byte(at + 1) << 8 | byte(at + 2);
    *to++ = kDigits[group >> 18];
    *to++ = kDigits[group >> 12 & 63];
    if (at + 1 < bytes.size()) *to++ = kDigits[group >> 6 & 63];
    if (at + 2 < bytes.size()) *to++ = kDigits[group & 63];
  }
  return text;
}

}  // namespace orthant::catalogue
