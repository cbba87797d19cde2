#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orthant::query {

// A word as written: quoted ones are never keywords.
struct Word {
  std::string text;
  bool quoted = false;
};

// Reads a query from left to right. White space (space, tab, line ends) between words is skipped. Every failure is
// std::invalid_argument: "[where] expected ..., got '...' at character n".
class Scanner {
 public:
  // `text` must outlive the scanner; at most 10,000 bytes.
  Scanner(std::string_view text, std::string where);

  const std::string& where() const { return where_; }
  bool at_end();

  // The next character, not yet consumed; 0 at the end.
  char peek();
  // Consumes `symbol` if it comes next, such as ">=".
  bool take(std::string_view symbol);
  // Consumes a plain word that is this one, in letters of either case.
  bool take_keyword(std::string_view keyword);
  // True if the next is a plain word that is this one; consumes nothing.
  bool sees_keyword(std::string_view keyword);

  // [A-Za-z_][A-Za-z0-9_-]* or "..." with \" and \\ as escapes.
  Word word(std::string_view expected);
  // The same, or whatever comes before a space or one of ( ) , " = < > ! ~
  std::string value(std::string_view expected);
  // A finite decimal number.
  float number(std::string_view expected);

  [[noreturn]] void fail_here(std::string_view expected);

 private:
  std::string_view plain_word();
  std::string quoted();

  std::string_view text_;
  std::string where_;
  size_t at_ = 0;
};

}  // namespace orthant::query
