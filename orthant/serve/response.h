#pragma once

#include <string>

#include "orthant/serve/message.h"

namespace orthant::serve {

struct Delivery {
  bool persistent = false;  // the connection goes on behind the answer; either way the client is told
  bool head_only = false;   // the request was HEAD: the length is told, the body is not sent
};

// The bytes of an answer in HTTP/1.1: its status, Content-Type, Content-Length, the reply's own fields, Connection, and
// the body as it is. What by its status has no body (1xx, 204, 304) has neither type nor length.
//
// std::invalid_argument for a field that cannot be sent as one: a name that is no token, or control characters in a
// value, which could forge further fields or a further answer.
std::string write_response(const Reply& reply, const Delivery& delivery);

}  // namespace orthant::serve
