#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace orthant::catalogue {

// `text` with every byte that is no part of valid UTF-8 replaced by U+FFFD.
std::string mended_utf8(std::string_view text);

// The number of characters (code points) of valid UTF-8.
size_t characters(std::string_view text);

// The first `most` characters of valid UTF-8, the last of them an ellipsis if there are more.
std::string shortened(std::string_view text, size_t most);

// How deep lists and objects of JSON text are nested: texts deeper than kDeepestJson are refused, since what reads and
// writes them goes as deep itself.
size_t json_depth(std::string_view json);
inline constexpr size_t kDeepestJson = 64;

// Standard base64 with padding, in one line.
std::string base64(std::span<const std::byte> bytes);

}  // namespace orthant::catalogue
