#include "orthant/core/error.h"

#include <array>
#include <cstdio>

namespace orthant {

void Part::append_to(std::string& line) const {
  switch (kind_) {
    case Kind::text:
      line += text_;
      break;
    case Kind::character:
      line += small_;
      break;
    case Kind::whole:
      line += std::to_string(whole_);
      break;
    case Kind::natural:
      line += std::to_string(natural_);
      break;
    case Kind::real: {
      std::array<char, 32> digits{};
      std::snprintf(digits.data(), digits.size(), "%g", real_);
      line += digits.data();
      break;
    }
  }
}

std::string join(std::initializer_list<Part> parts) {
  std::string line;
  for (const Part& part : parts) part.append_to(line);
  return line;
}

namespace detail {

void throw_invalid(std::initializer_list<Part> parts) { throw std::invalid_argument(join(parts)); }

void throw_io(std::initializer_list<Part> parts) { throw IoError(join(parts)); }

}  // namespace detail
}  // namespace orthant
