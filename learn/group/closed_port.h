#pragma once

#include <cstdint>

namespace orthant {

// From here on nobody can connect to what this process listens on at `port`; connections that are there stay. (Linux:
// the socket drops every packet that asks for one.) Whether there was such a socket and the system allowed it.
bool close_port(int64_t port);

}  // namespace orthant
