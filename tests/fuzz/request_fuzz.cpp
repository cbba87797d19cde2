#include <cstdlib>
#include <string>
#include <string_view>

#include "orthant/serve/exchange.h"
#include "orthant/serve/framing.h"
#include "orthant/serve/gate.h"
#include "orthant/serve/route.h"

namespace {

using namespace orthant::serve;

void require(bool condition) {
  if (!condition) std::abort();
}

// An answer in HTTP: its head ends, and what is behind it is as long as it says.
void check_answer(const Exchange::Answer& answer, bool head_only) {
  const std::string_view bytes = answer.bytes;
  require(bytes.starts_with("HTTP/1.1 "));
  const size_t end = bytes.find("\r\n\r\n");
  require(end != std::string_view::npos);
  const std::string_view head = bytes.substr(0, end + 2);
  const size_t length = bytes.size() - end - 4;
  require(head.find(answer.close ? "\r\nConnection: close\r\n" : "\r\nConnection: keep-alive\r\n") != head.npos);
  require(head_only ? length == 0 : head.find("\r\nContent-Length: " + std::to_string(length) + "\r\n") != head.npos);
}

// A request that is whole must not have been refused when only some of it was there.
void check_beginnings(std::string_view request, const FrameLimits& limits) {
  for (size_t cut = 1; cut < request.size(); cut += 1 + request.size() / 16) {
    require(frame_request(request.substr(0, cut), limits).status == 0);
  }
}

}  // namespace

// Requests as they come from the network: whatever the bytes, an answer in HTTP.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Gate gate({.port = 80, .token = "0123456789abcdef"});
  static const Exchange exchange([](const Request& request) {
    if (auto refused = gate.refuse(request)) return *refused;
    find_route(request);
    return Reply{.body = request.body};
  });
  const FrameLimits limits{.line = 256, .head = 1024, .body = 4096};
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  while (!bytes.empty()) {
    const Frame frame = frame_request(bytes, limits);
    if (frame.status != 0) check_answer(Exchange::refuse(frame.status, frame.reason), false);
    if (frame.status != 0 || frame.head == 0 || frame.size > bytes.size()) break;
    const std::string_view request = bytes.substr(0, frame.size);
    check_beginnings(request, limits);
    check_answer(exchange.answer(request, frame), request.starts_with("HEAD "));
    bytes.remove_prefix(frame.size);
  }
  return 0;
}
