#pragma once

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orthant::serve {

// One request, read completely. Nothing in it is trusted: all of it is as the client sent it.
struct Request {
  std::string method;                              // "GET", "HEAD", "PUT", "POST", "DELETE", "PATCH" or "OPTIONS"
  std::string path;                                // the target before '?', not decoded
  std::multimap<std::string, std::string> query;   // decoded; any bytes
  std::multimap<std::string, std::string> fields;  // header fields, names in lower case
  std::string body;

  // The value of a header field (name in lower case); nullptr if it is missing or there more than once.
  const std::string* field(const std::string& name) const;
  // The same of a parameter of the query.
  const std::string* parameter(const std::string& name) const;
};

// What is sent back. HEAD requests are answered like GET; the body is then left out on the wire.
struct Reply {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> fields = {};  // further header fields
};

// Called from several threads at once. What it throws becomes an answer: see Exchange.
using Handler = std::function<Reply(const Request&)>;

// {"error": line} as JSON, with bytes that are no UTF-8 replaced and anything behind a line break cut off.
Reply error_reply(int status, std::string_view line);

// Thrown by handlers to answer with a status of their choice.
struct StatusError : std::runtime_error {
  StatusError(int code, const std::string& line, std::string methods = {})
      : std::runtime_error(line), status(code), allow(std::move(methods)) {}
  int status;
  std::string allow;  // with 405: the methods that are served
};

}  // namespace orthant::serve
