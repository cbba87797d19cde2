#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orthant {

// One number under a name, such as {"loss", 1.25}.
struct Scalar {
  std::string name;
  double value = 0;
};

// What is told of a step or an epoch. The order is that of telling and means nothing: a number is asked for by name.
using Scalars = std::vector<Scalar>;

// The number of that name, or nothing.
std::optional<double> find(const Scalars& scalars, std::string_view name);

// The number of that name. std::invalid_argument if there is none.
double value_of(const Scalars& scalars, std::string_view name);

}  // namespace orthant
