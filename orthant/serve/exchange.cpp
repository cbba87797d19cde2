#include "orthant/serve/exchange.h"

#include <httplib.h>

#include <algorithm>

#include "orthant/core/error.h"

namespace orthant::serve {
namespace {

// A request that is all there, and an answer that is collected: nothing in here waits for a client.
class MemoryStream : public httplib::Stream {
 public:
  explicit MemoryStream(std::string_view input) : input_(input) {}

  bool is_readable() const override { return !input_.empty(); }
  bool is_writable() const override { return true; }
  ssize_t read(char* target, size_t size) override {
    const size_t count = input_.copy(target, size);
    input_.remove_prefix(count);
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* source, size_t size) override {
    output_.append(source, size);
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return 0; }

  std::string take_output() { return std::move(output_); }

 private:
  std::string_view input_;
  std::string output_;
};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

Request request_of(const httplib::Request& from) {
  Request request;
  request.method = from.method;
  request.path = from.target.substr(0, from.target.find_first_of("?#"));
  request.query = from.params;
  for (const auto& [name, value] : from.headers) request.fields.emplace(lower(name), value);
  request.body = from.body;
  return request;
}

Reply guarded(const Handler& handler, const Request& request) {
  try {
    return handler(request);
  } catch (const StatusError& error) {
    Reply reply = error_reply(error.status, error.what());
    if (!error.allow.empty()) reply.fields.emplace_back("Allow", error.allow);
    return reply;
  } catch (const std::invalid_argument& error) {
    return error_reply(400, error.what());
  } catch (const IoError& error) {
    return error_reply(500, error.what());
  } catch (const std::bad_alloc&) {
    return error_reply(503, "out of memory");
  } catch (...) {
    return error_reply(500, "the server could not answer this");
  }
}

void send(const Reply& reply, httplib::Response& response) {
  response.status = reply.status;
  for (const auto& [name, value] : reply.fields) response.set_header(name, value);
  response.set_header("X-Content-Type-Options", "nosniff");
  response.set_header("Referrer-Policy", "no-referrer");
  response.set_header("Cross-Origin-Resource-Policy", "same-origin");
  if (!response.has_header("Cache-Control")) response.set_header("Cache-Control", "no-store");
  response.set_content(reply.body, reply.type);
}

}  // namespace

// The library's reader of heads and writer of answers, without its sockets and threads: one thread for each connection
// would let a few idle clients stop all others.
class Exchange::Protocol : public httplib::Server {
 public:
  explicit Protocol(serve::Handler handler) {
    set_keep_alive_timeout(60);
    set_keep_alive_max_count(1'000'000);
    set_payload_max_length(0);
    set_pre_routing_handler(
        [handle = std::move(handler)](const httplib::Request& request, httplib::Response& response) {
          send(guarded(handle, request_of(request)), response);
          return HandlerResponse::Handled;
        });
    set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (response.body.empty()) send(error_reply(response.status, "expected a request in HTTP"), response);
    });
  }

  Answer process(std::string_view head, std::string_view body) {
    MemoryStream stream(head);
    Answer answer;
    const bool written = process_request(stream, false, answer.close, [body](httplib::Request& request) {
      request.body = body;
      request.ranges.clear();
      // On loopback compression costs more than it saves, and bodies are never behind the head.
      for (const char* name : {"Accept-Encoding", "Expect", "Range"}) request.headers.erase(name);
    });
    answer.bytes = stream.take_output();
    answer.close = answer.close || !written;
    return answer;
  }
};

Exchange::Exchange(Handler handler) : protocol_(std::make_unique<Protocol>(std::move(handler))) {}
Exchange::~Exchange() = default;

Exchange::Answer Exchange::answer(std::string_view request, const Frame& frame) const {
  try {
    Answer answer = protocol_->process(request.substr(0, frame.head), request.substr(frame.head));
    if (!answer.bytes.empty()) return answer;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
  }
  return refuse(400, "expected a request in HTTP");
}

Exchange::Answer Exchange::refuse(int status, std::string_view reason) {
  const std::string body = error_reply(status, reason).body;
  return {join("HTTP/1.1 ", status, " Refused\r\nContent-Type: application/json\r\nContent-Length: ", body.size(),
               "\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n", body),
          true};
}

}  // namespace orthant::serve
