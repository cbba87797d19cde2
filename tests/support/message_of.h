#pragma once

#include <exception>
#include <string>

namespace orthant::test {

// The message of the exception that `call` throws, for checking what a user would read.
template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace orthant::test
