#include "orthant/serve/head.h"

#include <algorithm>
#include <array>

#include "orthant/serve/ascii.h"
#include "orthant/serve/message.h"

namespace orthant::serve {
namespace {

constexpr std::array<std::string_view, 7> kMethods = {"GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS"};
constexpr std::string_view kLineEnd = "\r\n";

// The next line without its end.
std::string_view take_line(std::string_view& bytes) {
  const size_t end = bytes.find(kLineEnd);
  if (end == std::string_view::npos) throw StatusError(400, "expected lines that end in CR LF");
  const std::string_view line = bytes.substr(0, end);
  bytes.remove_prefix(end + kLineEnd.size());
  return line;
}

bool is_target(std::string_view text) {
  return text.starts_with('/') &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f' && c != '#'; });
}

Head read_request_line(std::string_view line) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == last) throw StatusError(400, "expected a line METHOD TARGET HTTP/1.1");
  Head head{.method = line.substr(0, first), .target = line.substr(first + 1, last - first - 1)};
  const std::string_view version = line.substr(last + 1);
  if (!is_token(head.method)) throw StatusError(400, "expected a method, got something else");
  if (std::find(kMethods.begin(), kMethods.end(), head.method) == kMethods.end()) {
    throw StatusError(405, "expected GET, HEAD, PUT or POST, got " + std::string(head.method.substr(0, 20)));
  }
  if (version != "HTTP/1.1" && version != "HTTP/1.0") throw StatusError(505, "expected HTTP/1.1, got another version");
  head.minor = version.back() - '0';
  if (!is_target(head.target)) {
    throw StatusError(400, "expected a target that begins with /, in plain ASCII without blanks and #");
  }
  return head;
}

// True if a list "a, b, c" has this word.
bool lists(std::string_view list, std::string_view word) {
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(',', at), list.size());
    if (same_ignoring_case(trimmed(list.substr(at, end - at)), word)) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

bool Head::persistent() const {
  const auto says = [this](std::string_view word) {
    return std::any_of(fields.begin(), fields.end(), [word](const Field& field) {
      return same_ignoring_case(field.name, "connection") && lists(field.value, word);
    });
  };
  return !says("close") && (minor >= 1 || says("keep-alive"));
}

Head read_head(std::string_view bytes) {
  Head head = read_request_line(take_line(bytes));
  for (std::string_view line = take_line(bytes); !line.empty(); line = take_line(bytes)) {
    head.fields.push_back(read_field(line));
  }
  if (!bytes.empty()) throw StatusError(400, "expected nothing behind the head");
  return head;
}

}  // namespace orthant::serve
