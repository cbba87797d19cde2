#include "orthant/serve/gate.h"

#include <arpa/inet.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "orthant/serve/ascii.h"
#include "orthant/serve/token.h"

namespace orthant::serve {
namespace {

// The name in "name", "name:port" or "[address]:port"; nothing if it is none of these.
std::optional<std::string> name_of(const std::string& host) {
  std::string name = host;
  std::string port;
  if (host.starts_with("[")) {
    const size_t end = host.find(']');
    if (end == std::string::npos) return {};
    name = host.substr(1, end - 1);
    port = host.substr(end + 1);
  } else if (const size_t colon = host.find(':'); colon != std::string::npos) {
    name = host.substr(0, colon);
    port = host.substr(colon);
  }
  if (name.empty()) return {};
  if (port.empty()) return lower(name);
  const bool digits =
      port.size() > 1 && port.size() <= 6 && port.front() == ':' && std::all_of(port.begin() + 1, port.end(), is_digit);
  return digits ? std::optional(lower(name)) : std::nullopt;
}

bool is_address(const std::string& name) {
  std::array<unsigned char, 16> bytes{};
  return ::inet_pton(AF_INET, name.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, name.c_str(), bytes.data()) == 1;
}

bool is_any(const std::string& address) { return address == "0.0.0.0" || address == "::"; }

std::string machine_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? lower(name.data()) : "";
}

std::string cookie_of(const Request& request, const std::string& name) {
  const std::string* all = request.field("cookie");
  for (size_t at = 0; all != nullptr && at < all->size();) {
    const size_t end = std::min(all->find(';', at), all->size());
    const size_t begin = std::min(all->find_first_not_of(' ', at), end);
    const std::string one = all->substr(begin, end - begin);
    if (one.starts_with(name + "=")) return one.substr(name.size() + 1);
    at = end + 1;
  }
  return "";
}

}  // namespace

bool is_loopback(const std::string& name) {
  std::array<unsigned char, 16> bytes{};
  if (::inet_pton(AF_INET, name.c_str(), bytes.data()) == 1) return bytes[0] == 127;
  return name == "localhost" || name == "::1";
}

Gate::Gate(GateOptions options)
    : options_(std::move(options)),
      machine_(is_any(options_.address) ? machine_name() : ""),
      cookie_name_("orthant_" + std::to_string(options_.port)) {
  options_.address = lower(options_.address);
}

bool Gate::knows_host(const std::string& name) const {
  if (is_loopback(name) || name == options_.address) return true;
  if (!is_any(options_.address)) return false;
  return is_address(name) || (!machine_.empty() && (name == machine_ || name == machine_ + ".local"));
}

bool Gate::has_token(const Request& request) const {
  if (options_.token.empty()) return true;
  constexpr std::string_view kBearer = "Bearer ";
  const std::string* authorization = request.field("authorization");
  if (authorization != nullptr && authorization->starts_with(kBearer) &&
      same_token(std::string_view(*authorization).substr(kBearer.size()), options_.token)) {
    return true;
  }
  if (same_token(cookie_of(request, cookie_name_), options_.token)) return true;
  const std::string* parameter = request.parameter("token");
  return parameter != nullptr && same_token(*parameter, options_.token);
}

std::optional<Reply> Gate::refuse(const Request& request) const {
  const std::string* host = request.field("host");
  const auto name = host == nullptr ? std::nullopt : name_of(*host);
  if (!name || !knows_host(*name)) {
    return error_reply(403, "expected the address that 'orthant explore' printed, got another Host");
  }
  if (request.fields.contains("origin")) {
    const std::string* origin = request.field("origin");
    if (origin == nullptr || (*origin != "http://" + *host && *origin != "https://" + *host)) {
      return error_reply(403, "expected a request of the page itself, got one of another Origin");
    }
  }
  if (!has_token(request)) {
    return error_reply(403, "expected the token that 'orthant explore' printed, as ?token=... or Bearer");
  }
  return {};
}

std::string Gate::cookie(const Request& request) const {
  const std::string* parameter = request.parameter("token");
  if (options_.token.empty() || parameter == nullptr || !same_token(*parameter, options_.token)) return "";
  return cookie_name_ + "=" + options_.token + "; Path=/; HttpOnly; SameSite=Strict";
}

}  // namespace orthant::serve
