#pragma once

#include <string_view>
#include <vector>

#include "orthant/serve/field.h"

namespace orthant::serve {

// The head of a request, taken apart: views into the bytes it was read from.
struct Head {
  std::string_view method;  // one of GET, HEAD, PUT, POST, DELETE, PATCH, OPTIONS
  std::string_view target;  // begins with '/'; plain ASCII without blanks and '#'
  int minor = 1;            // of the version: HTTP/1.0 or HTTP/1.1
  std::vector<Field> fields = {};

  // Whether the client means to ask again on this connection: what "Connection" says, otherwise yes from HTTP/1.1 on.
  bool persistent() const;
};

// Reads a head up to and with its empty line. Strict: lines end in CR LF, the request line has one blank on either side
// of the target, fields are not folded. StatusError with 400, 405 (no method that is known here) or 505 for any other
// bytes.
Head read_head(std::string_view bytes);

}  // namespace orthant::serve
