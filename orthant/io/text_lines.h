#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orthant::io {

// `bytes` as text, behind a byte order mark if there is one. IoError naming `name` if there is a zero byte among them.
std::string_view plain_text(std::span<const std::byte> bytes, const std::string& name);

// The lines of a text file, without what ends them (LF or CRLF), without a byte order mark; empty lines stay, but none
// follows the last line's end. IoError if the file cannot be read or holds a zero byte, which no text does.
std::vector<std::string> read_lines(const std::string& path);

}  // namespace orthant::io
