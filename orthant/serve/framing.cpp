#include "orthant/serve/framing.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace orthant::serve {
namespace {

constexpr std::array<std::string_view, 7> kMethods = {"GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS"};

Frame refused(int status, std::string reason) {
  Frame frame;
  frame.status = status;
  frame.reason = std::move(reason);
  return frame;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

bool same_name(std::string_view a, std::string_view lower) {
  return a.size() == lower.size() && std::equal(a.begin(), a.end(), lower.begin(), [](char x, char y) {
           return (x >= 'A' && x <= 'Z' ? static_cast<char>(x + 32) : x) == y;
         });
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// A complaint about the request line, or status 0.
Frame check_line(std::string_view line) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return refused(400, "expected a line METHOD TARGET HTTP/1.1");
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!is_token(method)) return refused(400, "expected a method, got something else");
  if (std::find(kMethods.begin(), kMethods.end(), method) == kMethods.end()) {
    return refused(405, "expected GET, HEAD, PUT or POST, got " + std::string(method.substr(0, 20)));
  }
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return refused(505, "expected HTTP/1.1, got another version");
  const bool plain = std::all_of(target.begin(), target.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  if (!plain || target.front() != '/') return refused(400, "expected a target that begins with / and is plain ASCII");
  return {};
}

// What a header field says about the length of the body.
struct Length {
  bool given = false;
  size_t bytes = 0;
};

Frame read_field(std::string_view line, Length& length, bool& waits) {
  const size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  if (colon == std::string_view::npos || !is_token(name)) return refused(400, "expected header fields Name: value");
  const std::string_view value = trimmed(line.substr(colon + 1));
  const bool control =
      std::any_of(value.begin(), value.end(), [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == '\x7f'; });
  if (control) return refused(400, "expected header fields without control characters");
  if (same_name(name, "transfer-encoding")) return refused(411, "expected a Content-Length, got a Transfer-Encoding");
  if (same_name(name, "content-encoding")) return refused(415, "expected a body as it is, got a Content-Encoding");
  if (same_name(name, "expect")) {
    if (!same_name(value, "100-continue")) return refused(417, "expected 100-continue, got another expectation");
    waits = true;
  }
  if (!same_name(name, "content-length")) return {};
  size_t bytes = 0;
  const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), bytes);
  if (value.empty() || value.front() < '0' || value.front() > '9' || end != value.data() + value.size()) {
    return refused(400, "expected a Content-Length in digits");
  }
  if (failure == std::errc::result_out_of_range) return refused(413, "expected a smaller body");
  if (length.given) return refused(400, "expected one Content-Length, got several");
  length = {true, bytes};
  return {};
}

Frame read_head(std::string_view head, const FrameLimits& limits) {
  const size_t line_end = head.find("\r\n");
  if (Frame wrong = check_line(head.substr(0, line_end)); wrong.status != 0) return wrong;
  Length length;
  bool waits = false;
  for (size_t at = line_end + 2; at + 2 < head.size();) {
    const size_t end = head.find("\r\n", at);
    if (Frame wrong = read_field(head.substr(at, end - at), length, waits); wrong.status != 0) return wrong;
    at = end + 2;
  }
  if (length.bytes > limits.body) {
    return refused(413, "expected a body of at most " + std::to_string(limits.body) + " bytes, got " +
                            std::to_string(length.bytes));
  }
  return {.head = head.size(), .size = head.size() + length.bytes, .waits = waits};
}

}  // namespace

Frame frame_request(std::string_view bytes, const FrameLimits& limits) {
  if (bytes.empty()) return {};
  if (bytes.front() < 'A' || bytes.front() > 'Z') return refused(400, "expected a request in HTTP, got something else");
  const size_t line = std::min(bytes.find("\r\n"), bytes.size());
  if (line > limits.line) {
    return refused(414, "expected a request line of at most " + std::to_string(limits.line) + " bytes");
  }
  const size_t end = bytes.find("\r\n\r\n");
  const std::string_view head = bytes.substr(0, end == std::string_view::npos ? bytes.size() : end + 4);
  if (head.size() > limits.head) {
    return refused(431, "expected header fields of at most " + std::to_string(limits.head) + " bytes");
  }
  for (size_t at = head.find('\n'); at != std::string_view::npos; at = head.find('\n', at + 1)) {
    if (at == 0 || head[at - 1] != '\r') return refused(400, "expected lines that end in CR LF");
  }
  if (end == std::string_view::npos) return {};
  return read_head(head, limits);
}

}  // namespace orthant::serve
