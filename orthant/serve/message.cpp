#include "orthant/serve/message.h"

#include <nlohmann/json.hpp>

namespace orthant::serve {
namespace {

const std::string* only(const std::multimap<std::string, std::string>& values, const std::string& name) {
  const auto [first, last] = values.equal_range(name);
  return first != last && std::next(first) == last ? &first->second : nullptr;
}

}  // namespace

const std::string* Request::field(const std::string& name) const { return only(fields, name); }

const std::string* Request::parameter(const std::string& name) const { return only(query, name); }

Reply error_reply(int status, std::string_view line) {
  constexpr size_t kLongest = 500;
  const nlohmann::json document = {{"error", std::string(line.substr(0, std::min(line.find('\n'), kLongest)))}};
  return {.status = status, .body = document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
}

}  // namespace orthant::serve
