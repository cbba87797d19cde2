#include "orthant/run/scalars.h"

#include <algorithm>

#include "orthant/core/error.h"

namespace orthant {

std::optional<double> find(const Scalars& scalars, std::string_view name) {
  const auto found = std::ranges::find(scalars, name, &Scalar::name);
  if (found == scalars.end()) return std::nullopt;
  return found->value;
}

double value_of(const Scalars& scalars, std::string_view name) {
  const auto value = find(scalars, name);
  check(value.has_value(), "[measures] expected '", name, "' among what was told, got none");
  return *value;
}

}  // namespace orthant
