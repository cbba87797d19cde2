#include "orthant/query/scanner.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "orthant/core/error.h"

namespace orthant::query {
namespace {

constexpr size_t kLongest = 10'000;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool ends_value(char c) { return is_space(c) || std::string_view("(),\"=<>!~").find(c) != std::string_view::npos; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// How many characters of `text` are a decimal number: [+-] digits [. digits] [e [+-] digits], digits on one side of the
// point at least; 0 if it does not begin with one.
size_t number_length(std::string_view text) {
  const auto digits = [&](size_t& at) {
    const size_t from = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - from;
  };
  size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  size_t count = digits(at);
  if (at < text.size() && text[at] == '.') count += digits(++at);
  if (count == 0) return 0;
  if (at < text.size() && lower(text[at]) == 'e') {
    size_t exponent = at + 1;
    if (exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+')) ++exponent;
    if (digits(exponent) > 0) at = exponent;
  }
  return at;
}

}  // namespace

Scanner::Scanner(std::string_view text, std::string where) : text_(text), where_(std::move(where)) {
  check(text.size() <= kLongest, "[", where_, "] expected at most ", kLongest, " characters, got ", text.size());
}

char Scanner::peek() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool Scanner::at_end() {
  peek();
  return at_ == text_.size();
}

bool Scanner::take(std::string_view symbol) {
  peek();
  if (!text_.substr(at_).starts_with(symbol)) return false;
  at_ += symbol.size();
  return true;
}

std::string_view Scanner::plain_word() {
  if (!is_letter(peek())) return {};
  size_t end = at_;
  while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '-')) ++end;
  return text_.substr(at_, end - at_);
}

bool Scanner::sees_keyword(std::string_view keyword) {
  return std::ranges::equal(plain_word(), keyword, {}, lower, lower);
}

bool Scanner::take_keyword(std::string_view keyword) {
  if (!sees_keyword(keyword)) return false;
  at_ += keyword.size();
  return true;
}

std::string Scanner::quoted() {
  const size_t from = at_;
  std::string inside;
  for (++at_; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '"') {
      ++at_;
      return inside;
    }
    if (c == '\\') {
      ++at_;
      if (at_ == text_.size()) break;
      if (text_[at_] != '"' && text_[at_] != '\\') {
        --at_;
        fail_here("\\\" or \\\\ behind a backslash");
      }
    }
    inside += text_[at_];
  }
  at_ = from;
  fail_here("a closing quotation mark");
}

Word Scanner::word(std::string_view expected) {
  if (peek() == '"') return {quoted(), true};
  const std::string_view plain = plain_word();
  if (plain.empty()) fail_here(expected);
  at_ += plain.size();
  return {std::string(plain), false};
}

std::string Scanner::value(std::string_view expected) {
  if (peek() == '"') return quoted();
  const size_t from = at_;
  while (at_ < text_.size() && !ends_value(text_[at_])) ++at_;
  if (at_ == from) fail_here(expected);
  return std::string(text_.substr(from, at_ - from));
}

float Scanner::number(std::string_view expected) {
  peek();
  const size_t length = number_length(text_.substr(at_));
  if (length == 0) fail_here(expected);
  const std::string_view digits = text_.substr(at_, length);
  const char* const begin = digits.data() + (digits.front() == '+' ? 1 : 0);
  double parsed = 0;
  const auto [stop, error] = std::from_chars(begin, digits.data() + length, parsed);
  // Too near to zero for a double is zero; too large is no number of ours.
  if (error == std::errc::result_out_of_range) {
    const size_t e = digits.find_first_of("eE");
    if (e == std::string_view::npos || digits[e + 1] != '-') fail_here("a finite number");
    parsed = 0;
  }
  const auto single = static_cast<float>(parsed);
  if (!std::isfinite(single)) fail_here("a finite number");
  at_ += length;
  return single;
}

void Scanner::fail_here(std::string_view expected) {
  if (at_end()) fail("[", where_, "] expected ", expected, ", got the end");
  std::string_view rest = text_.substr(at_, 20);
  while (!rest.empty() && rest.size() == 20 && (rest.back() & 0x80) != 0) rest.remove_suffix(1);
  fail("[", where_, "] expected ", expected, ", got '", rest, "' at character ", at_ + 1);
}

}  // namespace orthant::query
