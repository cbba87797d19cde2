#include "orthant/core/retold.h"

namespace orthant {

std::string_view without_where(std::string_view message) {
  const size_t end = message.starts_with('[') ? message.find("] ") : std::string_view::npos;
  return end == std::string_view::npos ? message : message.substr(end + 2);
}

}  // namespace orthant
