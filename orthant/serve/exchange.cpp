#include "orthant/serve/exchange.h"

#include <algorithm>

#include "orthant/core/error.h"
#include "orthant/serve/ascii.h"
#include "orthant/serve/head.h"
#include "orthant/serve/response.h"
#include "orthant/serve/target.h"

namespace orthant::serve {
namespace {

Request request_of(const Head& head, std::string_view body) {
  Target target = read_target(head.target);
  Request request;
  request.method = head.method;
  request.path = std::move(target.path);
  request.query = std::move(target.query);
  for (const auto& [name, value] : head.fields) request.fields.emplace(lower(name), value);
  request.body = body;
  return request;
}

Reply unknown_failure() { return error_reply(500, "the server could not answer this"); }

Reply refusal(const StatusError& error) {
  Reply reply = error_reply(error.status, error.what());
  if (!error.allow.empty()) reply.fields.emplace_back("Allow", error.allow);
  return reply;
}

Reply guarded(const std::function<Reply()>& make) {
  try {
    return make();
  } catch (const StatusError& error) {
    return refusal(error);
  } catch (const std::invalid_argument& error) {
    return error_reply(400, error.what());
  } catch (const IoError& error) {
    return error_reply(500, error.what());
  } catch (const std::bad_alloc&) {
    return error_reply(503, "out of memory");
  } catch (...) {
    return unknown_failure();
  }
}

Exchange::Answer deliver(Reply reply, const Delivery& delivery) {
  const bool cached = std::any_of(reply.fields.begin(), reply.fields.end(),
                                  [](const auto& field) { return same_ignoring_case(field.first, "cache-control"); });
  reply.fields.emplace_back("X-Content-Type-Options", "nosniff");
  reply.fields.emplace_back("Referrer-Policy", "no-referrer");
  reply.fields.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
  if (!cached) reply.fields.emplace_back("Cache-Control", "no-store");
  return {write_response(reply, delivery), !delivery.persistent};
}

}  // namespace

Exchange::Exchange(Handler handler) : handler_(std::move(handler)) {}

Exchange::Answer Exchange::answer(std::string_view request, const Frame& frame) const {
  Delivery delivery;
  Reply reply = guarded([&] {
    const Head head = read_head(request.substr(0, frame.head));
    delivery = {.persistent = head.persistent(), .head_only = head.method == "HEAD"};
    return handler_(request_of(head, request.substr(frame.head)));
  });
  try {
    return deliver(std::move(reply), delivery);
  } catch (const std::invalid_argument&) {
    return deliver(unknown_failure(), delivery);
  }
}

Exchange::Answer Exchange::refuse(int status, std::string_view reason) {
  return deliver(refusal(StatusError(status, std::string(reason), status == 405 ? "GET, HEAD, PUT, POST" : "")), {});
}

}  // namespace orthant::serve
