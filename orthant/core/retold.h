#pragma once

#include <string>
#include <string_view>

#include "orthant/core/error.h"

namespace orthant {

// A message without its "[where] ".
std::string_view without_where(std::string_view message);

// What `work` returns. What the caller of a function that it calls did wrong is told of what a person named instead:
// the file `name`, not the function.
template <class Work>
auto retold(const std::string& name, const Work& work) {
  try {
    return work();
  } catch (const std::invalid_argument& error) {
    fail("[", name, "] ", without_where(error.what()));
  }
}

}  // namespace orthant
