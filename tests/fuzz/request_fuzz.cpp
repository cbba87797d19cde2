#include <cstdlib>
#include <string_view>

#include "orthant/serve/exchange.h"
#include "orthant/serve/framing.h"
#include "orthant/serve/gate.h"
#include "orthant/serve/route.h"

// Requests as they come from the network: whatever the bytes, an answer in HTTP.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orthant::serve;
  static const Gate gate({.port = 80, .token = "0123456789abcdef"});
  static const Exchange exchange([](const Request& request) {
    if (auto refused = gate.refuse(request)) return *refused;
    find_route(request);
    return Reply{.body = request.body};
  });
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  while (!bytes.empty()) {
    const Frame frame = frame_request(bytes, {.line = 256, .head = 1024, .body = 4096});
    if (frame.status != 0 || frame.head == 0 || frame.size > bytes.size()) break;
    const auto answer = exchange.answer(bytes.substr(0, frame.size), frame);
    if (!answer.bytes.starts_with("HTTP/1.1 ")) std::abort();
    bytes.remove_prefix(frame.size);
  }
  return 0;
}
