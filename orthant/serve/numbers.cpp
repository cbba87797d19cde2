#include "orthant/serve/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "orthant/core/error.h"
#include "orthant/serve/ascii.h"

namespace orthant::serve {
namespace {

std::string shown(std::string_view text) {
  constexpr size_t kMost = 40;
  return join("'", text.substr(0, kMost), text.size() > kMost ? "...'" : "'");
}

const std::string& only(const Request& request, const std::string& name) {
  const std::string* text = request.parameter(name);
  check(text != nullptr, "expected ", name, "=NUMBER once, got ", request.query.count(name), " of them");
  return *text;
}

float parse_real(std::string_view text, const std::string& where) {
  float value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  check(read.ec == std::errc() && read.ptr == text.data() + text.size() && std::isfinite(value),
        "expected a finite number in ", where, ", got ", shown(text));
  return value;
}

template <class T, class Parse>
std::vector<T> list_of(std::string_view text, const std::string& where, int64_t most, Parse parse) {
  std::vector<T> list;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    list.push_back(parse(text.substr(at, end - at), where));
    check(std::ssize(list) <= most, "expected at most ", most, " numbers in ", where, ", got more");
    at = end + 1;
  }
  return list;
}

}  // namespace

int64_t parse_number(std::string_view text, const std::string& where) {
  const bool digits = !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
  check(digits, "expected a number in ", where, ", got ", shown(text));
  int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() ? value : INT64_MAX;
}

int64_t number(const Request& request, const std::string& name) { return parse_number(only(request, name), name); }

int64_t number_or(const Request& request, const std::string& name, int64_t otherwise) {
  return request.query.contains(name) ? number(request, name) : otherwise;
}

std::vector<int64_t> numbers(const Request& request, const std::string& name, int64_t most) {
  return numbers_in(only(request, name), name, most);
}

std::vector<int64_t> numbers_in(std::string_view text, const std::string& where, int64_t most) {
  return list_of<int64_t>(text, where, most, parse_number);
}

std::vector<float> reals(const Request& request, const std::string& name, int64_t most) {
  return list_of<float>(only(request, name), name, most, parse_real);
}

}  // namespace orthant::serve
