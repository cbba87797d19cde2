#pragma once

#include <concepts>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

namespace orthant {

// The world's mistake: a file that is missing, cut off, malformed or cannot be written.
// The caller's mistakes are std::invalid_argument.
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A piece of a message: text, a character, or a number. Only looked at while the call lasts.
class Part {
 public:
  Part(std::string_view text) : kind_(Kind::text), text_(text) {}      // NOLINT(google-explicit-constructor)
  Part(const std::string& text) : Part(std::string_view(text)) {}      // NOLINT(google-explicit-constructor)
  Part(const char* text) : Part(std::string_view(text)) {}             // NOLINT(google-explicit-constructor)
  Part(char character) : kind_(Kind::character), small_(character) {}  // NOLINT(google-explicit-constructor)
  template <std::signed_integral Int>
  Part(Int number) : kind_(Kind::whole), whole_(number) {}  // NOLINT(google-explicit-constructor)
  template <std::unsigned_integral Int>
  Part(Int number) : kind_(Kind::natural), natural_(number) {}  // NOLINT(google-explicit-constructor)
  template <std::floating_point Real>
  Part(Real number) : kind_(Kind::real), real_(static_cast<double>(number)) {}  // NOLINT(google-explicit-constructor)

  // Numbers with a point have six significant digits, as std::ostream writes them.
  void append_to(std::string& line) const;

 private:
  enum class Kind { text, character, whole, natural, real };
  Kind kind_;
  union {
    std::string_view text_;
    char small_;
    long long whole_;
    unsigned long long natural_;
    double real_;
  };
};

// The parts behind one another.
std::string join(std::initializer_list<Part> parts);

template <class... Parts>
std::string join(const Parts&... parts) {
  return join({Part(parts)...});
}

namespace detail {
// Out of line, so that a check costs its caller no more than a branch.
[[noreturn]] void throw_invalid(std::initializer_list<Part> parts);
[[noreturn]] void throw_io(std::initializer_list<Part> parts);
}  // namespace detail

// Throws std::invalid_argument with the parts joined to one line: "[where] expected ..., got ...".
template <class... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  detail::throw_invalid({Part(parts)...});
}

// The same unless `condition` holds. The parts are only joined on failure.
template <class... Parts>
void check(bool condition, const Parts&... parts) {
  if (!condition) [[unlikely]]
    detail::throw_invalid({Part(parts)...});
}

// The same for the world's mistakes: IoError. Name the file first: "[path] expected ..., got ...".
template <class... Parts>
[[noreturn]] void fail_io(const Parts&... parts) {
  detail::throw_io({Part(parts)...});
}

template <class... Parts>
void check_io(bool condition, const Parts&... parts) {
  if (!condition) [[unlikely]]
    detail::throw_io({Part(parts)...});
}

}  // namespace orthant
