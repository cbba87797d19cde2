#include "orthant/serve/response.h"

#include <algorithm>
#include <array>

#include "orthant/core/error.h"
#include "orthant/serve/field.h"

namespace orthant::serve {
namespace {

// Clients go by the number; the words are for people who look at it.
constexpr std::array<std::pair<int, std::string_view>, 16> kWords = {{
    {200, "OK"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {411, "Length Required"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {503, "Service Unavailable"},
    {505, "HTTP Version Not Supported"},
}};

std::string_view words_of(int status) {
  const auto* found =
      std::find_if(kWords.begin(), kWords.end(), [&](const auto& entry) { return entry.first == status; });
  return found == kWords.end() ? std::string_view() : found->second;
}

void write_field(std::string_view name, std::string_view value, std::string& bytes) {
  check(is_token(name), "[serve] expected a name of a header field, got '", name, "'");
  check(is_field_value(value), "[serve] expected no control characters in the header field ", name);
  bytes.append(name).append(": ").append(value).append("\r\n");
}

bool has_body(int status) { return status >= 200 && status != 204 && status != 304; }

}  // namespace

std::string write_response(const Reply& reply, const Delivery& delivery) {
  std::string bytes = join("HTTP/1.1 ", reply.status, ' ', words_of(reply.status), "\r\n");
  if (has_body(reply.status)) {
    write_field("Content-Type", reply.type, bytes);
    write_field("Content-Length", std::to_string(reply.body.size()), bytes);
  }
  for (const auto& [name, value] : reply.fields) write_field(name, value, bytes);
  write_field("Connection", delivery.persistent ? "keep-alive" : "close", bytes);
  bytes += "\r\n";
  if (has_body(reply.status) && !delivery.head_only) bytes += reply.body;
  return bytes;
}

}  // namespace orthant::serve
