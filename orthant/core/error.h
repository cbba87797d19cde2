#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace orthant {

// The world's mistake: a file that is missing, cut off, malformed or cannot be written.
// The caller's mistakes are std::invalid_argument.
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace detail {
template <class... Parts>
std::string join(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}
}  // namespace detail

// Throws std::invalid_argument with the parts joined to one line unless `condition` holds.
// Messages read "[where] expected ..., got ...". The parts are only formatted on failure.
template <class... Parts>
void check(bool condition, const Parts&... parts) {
  if (!condition) throw std::invalid_argument(detail::join(parts...));
}

// The same for the world's mistakes: throws IoError. Name the file first: "[path] expected ..., got ...".
template <class... Parts>
void check_io(bool condition, const Parts&... parts) {
  if (!condition) throw IoError(detail::join(parts...));
}

template <class... Parts>
[[noreturn]] void fail_io(const Parts&... parts) {
  throw IoError(detail::join(parts...));
}

}  // namespace orthant
