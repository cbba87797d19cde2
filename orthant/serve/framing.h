#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orthant::serve {

struct FrameLimits {
  size_t line = 4096;        // of the request line: method, target and version
  size_t head = 16'384;      // request line and header fields together
  size_t body = 10'000'000;  // the body, as Content-Length announces it
};

// Where the first request in a stream of bytes ends, or why there is none.
struct Frame {
  size_t head = 0;          // length of the head with its empty line; 0 as long as that has not come
  size_t size = 0;          // length of the whole request; known with the head
  bool waits = false;       // the client sends its body only after "100 Continue"
  int status = 0;           // not 0: refused with this status, and the connection cannot go on
  std::string reason = {};  // one line for the client, if refused
};

// Looks at the bytes that have come so far. Strict, because what two readers of HTTP understand differently is how
// requests are smuggled: the head must be one for read_head(), which reads it again when it is answered, and a body
// needs one Content-Length in plain digits; chunked and compressed bodies are refused. A request that exceeds a limit
// is refused as soon as that is known. Never throws for any bytes but std::bad_alloc.
Frame frame_request(std::string_view bytes, const FrameLimits& limits = {});

}  // namespace orthant::serve
