#pragma once

#include <cstdint>
#include <string>

namespace orthant {

// The address of this machine, in digits, from which `host` is reached. IoError if the host is not known or there is no
// way to it.
std::string own_address(const std::string& host, int64_t port);

}  // namespace orthant
