#pragma once

#include <string>

#include "orthant/io/file_descriptor.h"

namespace orthant::serve {

// A listening TCP socket that does not block, closed in programs this one starts.
struct Listener {
  io::FileDescriptor socket;
  int port = 0;
};

// `address` is an IPv4 or IPv6 address or a name; port 0 takes any that is free. IoError that names both if they
// cannot be had.
Listener listen_on(const std::string& address, int port);

}  // namespace orthant::serve
