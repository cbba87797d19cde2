#include "orthant/serve/token.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "orthant/core/error.h"
#include "orthant/io/file_descriptor.h"
#include "orthant/serve/ascii.h"

namespace orthant::serve {

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  const bool got = ::getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
  check_io(got, "[token] expected random bytes from the system, got: ", io::error_text(errno));
  std::string token;
  for (const unsigned char byte : bytes) {
    token += "0123456789abcdef"[byte >> 4];
    token += "0123456789abcdef"[byte & 15];
  }
  return token;
}

bool same_token(std::string_view given, std::string_view right) {
  if (right.empty()) return false;
  unsigned difference = given.size() == right.size() ? 0 : 1;
  for (size_t i = 0; i < given.size(); ++i) {
    difference |= static_cast<unsigned>(given[i] ^ right[i % right.size()]);
  }
  const volatile unsigned result = difference;
  return result == 0;
}

void check_token(const std::string& token) {
  const bool plain = std::all_of(token.begin(), token.end(), [](char c) {
    return is_letter_or_digit(c) || std::string_view("-_.~").find(c) != std::string_view::npos;
  });
  check(plain && token.size() >= 16 && token.size() <= 256,
        "[--token] expected 16 to 256 letters, digits and any of - _ . ~, got something else");
}

}  // namespace orthant::serve
