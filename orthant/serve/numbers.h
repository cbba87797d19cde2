#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orthant/serve/message.h"

namespace orthant::serve {

// Numbers in requests: digits only, so never negative. std::invalid_argument that names `where` for anything else; a
// number that is too large for 63 bits counts as the largest, because it is not there either way.
int64_t parse_number(std::string_view text, const std::string& where);

// A parameter that must be there, once.
int64_t number(const Request& request, const std::string& name);

// A parameter that may be missing.
int64_t number_or(const Request& request, const std::string& name, int64_t otherwise);

// A parameter that is a list, 1 to `most` numbers with commas between them.
std::vector<int64_t> numbers(const Request& request, const std::string& name, int64_t most);

// The same with numbers of any kind: decimal, also negative or with an exponent, finite.
std::vector<float> reals(const Request& request, const std::string& name, int64_t most);

// A list of numbers as numbers() reads it, from any text: std::invalid_argument names `where`.
std::vector<int64_t> numbers_in(std::string_view text, const std::string& where, int64_t most);

}  // namespace orthant::serve
