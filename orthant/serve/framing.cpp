#include "orthant/serve/framing.h"

#include <algorithm>
#include <charconv>

#include "orthant/core/error.h"
#include "orthant/serve/ascii.h"
#include "orthant/serve/head.h"
#include "orthant/serve/message.h"

namespace orthant::serve {
namespace {

// Refuses as soon as bytes show it, even if the head has not ended.
void check_begin(std::string_view bytes, std::string_view head, const FrameLimits& limits) {
  if (bytes.front() < 'A' || bytes.front() > 'Z') {
    throw StatusError(400, "expected a request in HTTP, got something else");
  }
  if (std::min(bytes.find("\r\n"), bytes.size()) > limits.line) {
    throw StatusError(414, join("expected a request line of at most ", limits.line, " bytes"));
  }
  if (head.size() > limits.head) {
    throw StatusError(431, join("expected header fields of at most ", limits.head, " bytes"));
  }
  for (size_t at = head.find('\n'); at != std::string_view::npos; at = head.find('\n', at + 1)) {
    if (head[at - 1] != '\r') throw StatusError(400, "expected lines that end in CR LF");
  }
}

size_t read_length(std::string_view value) {
  if (value.empty() || !std::all_of(value.begin(), value.end(), is_digit)) {
    throw StatusError(400, "expected a Content-Length in digits");
  }
  size_t bytes = 0;
  const auto read = std::from_chars(value.data(), value.data() + value.size(), bytes);
  if (read.ec != std::errc()) throw StatusError(413, "expected a smaller body");
  return bytes;
}

// What the header fields say of the body.
Frame measure(std::string_view bytes, const FrameLimits& limits) {
  size_t length = 0;
  int lengths = 0;
  Frame frame;
  const Head head = read_head(bytes);
  for (const auto& [name, value] : head.fields) {
    if (same_ignoring_case(name, "transfer-encoding")) {
      throw StatusError(411, "expected a Content-Length, got a Transfer-Encoding");
    }
    if (same_ignoring_case(name, "content-encoding")) {
      throw StatusError(415, "expected a body as it is, got a Content-Encoding");
    }
    if (same_ignoring_case(name, "expect")) {
      if (!same_ignoring_case(value, "100-continue")) {
        throw StatusError(417, "expected 100-continue, got another expectation");
      }
      frame.waits = head.minor >= 1;
    }
    if (!same_ignoring_case(name, "content-length")) continue;
    length = read_length(value);
    if (++lengths > 1) throw StatusError(400, "expected one Content-Length, got several");
  }
  if (length > limits.body) {
    throw StatusError(413, join("expected a body of at most ", limits.body, " bytes, got ", length));
  }
  frame.head = bytes.size();
  frame.size = bytes.size() + length;
  return frame;
}

}  // namespace

Frame frame_request(std::string_view bytes, const FrameLimits& limits) {
  if (bytes.empty()) return {};
  const size_t end = bytes.find("\r\n\r\n");
  const bool complete = end != std::string_view::npos;
  const std::string_view head = complete ? bytes.substr(0, end + 4) : bytes;
  try {
    check_begin(bytes, head, limits);
    return complete ? measure(head, limits) : Frame{};
  } catch (const StatusError& refused) {
    Frame frame;
    frame.status = refused.status;
    frame.reason = refused.what();
    return frame;
  }
}

}  // namespace orthant::serve
