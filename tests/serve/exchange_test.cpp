#include "orthant/serve/exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orthant/core/rng.h"
#include "tests/serve/read_answer.h"

namespace orthant::serve {
namespace {

using test::read_answer;
using test::ReadAnswer;
using testing::ElementsAre;
using testing::Pair;

struct Asked {
  ReadAnswer answer;
  bool close = false;
};

Asked ask(const Exchange& exchange, const std::string& request) {
  const Frame frame = frame_request(request);
  EXPECT_EQ(frame.status, 0) << frame.reason;
  EXPECT_EQ(frame.size, request.size());
  const Exchange::Answer answer = exchange.answer(request, frame);
  return {read_answer(answer.bytes), answer.close};
}

TEST(Exchange, TheHandlerSeesTheRequestAsItWasSent) {
  Request seen;
  const Exchange exchange([&](const Request& request) {
    seen = request;
    return Reply{};
  });
  ask(exchange,
      "POST /a%20b?c=%41&c=2 HTTP/1.1\r\nHOST: x\r\nAccept: a\r\naccept:  b\r\nContent-Length: 3\r\n\r\n\r\n%");
  EXPECT_EQ(seen.method, "POST");
  EXPECT_EQ(seen.path, "/a%20b");
  EXPECT_THAT(seen.query, ElementsAre(Pair("c", "A"), Pair("c", "2")));
  EXPECT_THAT(seen.fields,
              ElementsAre(Pair("accept", "a"), Pair("accept", "b"), Pair("content-length", "3"), Pair("host", "x")));
  EXPECT_EQ(seen.body, "\r\n%");
}

TEST(Exchange, EveryAnswerHasTheFieldsThatProtectTheClient) {
  const Exchange exchange([](const Request& request) -> Reply {
    if (request.path == "/kept") return {.fields = {{"Cache-Control", "private"}}};
    if (request.path == "/no") throw StatusError(404, "no");
    return {};
  });
  for (const std::string& path : {std::string("/"), std::string("/no"), std::string("/kept")}) {
    const ReadAnswer answer = ask(exchange, "GET " + path + " HTTP/1.1\r\n\r\n").answer;
    EXPECT_EQ(answer.field("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(answer.field("Referrer-Policy"), "no-referrer");
    EXPECT_EQ(answer.field("Cross-Origin-Resource-Policy"), "same-origin");
    EXPECT_EQ(answer.field("Cache-Control"), path == "/kept" ? "private" : "no-store");
  }
  EXPECT_EQ(read_answer(Exchange::refuse(413, "no").bytes).field("X-Content-Type-Options"), "nosniff");
}

TEST(Exchange, TheConnectionEndsAsTheAnswerSays) {
  const Exchange exchange([](const Request&) { return Reply{}; });
  for (const auto& [request, close] : std::vector<std::pair<std::string, bool>>{
           {"GET / HTTP/1.1\r\n\r\n", false},
           {"GET / HTTP/1.0\r\n\r\n", true},
           {"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", true},
           {"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", false},
       }) {
    const Asked asked = ask(exchange, request);
    EXPECT_EQ(asked.close, close) << request;
    EXPECT_EQ(asked.answer.field("Connection"), close ? "close" : "keep-alive") << request;
  }
}

TEST(Exchange, MethodsThatAreNotServedAreAnsweredWithThoseThatAre) {
  const Exchange exchange([](const Request&) -> Reply { throw StatusError(405, "no", "PUT"); });
  EXPECT_EQ(ask(exchange, "GET / HTTP/1.1\r\n\r\n").answer.field("Allow"), "PUT");
  const Exchange::Answer refused = Exchange::refuse(405, "expected GET");
  EXPECT_EQ(read_answer(refused.bytes).field("Allow"), "GET, HEAD, PUT, POST");
  EXPECT_EQ(read_answer(refused.bytes).rest, R"({"error":"expected GET"})");
  EXPECT_TRUE(refused.close);
  EXPECT_EQ(read_answer(Exchange::refuse(400, "no").bytes).field("Allow"), "-");
}

TEST(Exchange, ABrokenQueryIsRefusedAndTheConnectionGoesOn) {
  bool called = false;
  const Exchange exchange([&](const Request&) {
    called = true;
    return Reply{};
  });
  const Asked asked = ask(exchange, "GET /?a=%zz HTTP/1.1\r\n\r\n");
  EXPECT_EQ(asked.answer.status, 400);
  EXPECT_EQ(asked.answer.rest, R"({"error":"expected two hexadecimal digits behind every % of the query"})");
  EXPECT_FALSE(asked.close);
  EXPECT_FALSE(called);
  EXPECT_EQ(ask(exchange, "HEAD /?% HTTP/1.1\r\n\r\n").answer.rest, "");
}

TEST(Exchange, AReplyThatCannotBeSentIsAFailureOfTheServer) {
  const Exchange exchange([](const Request&) { return Reply{.fields = {{"A", "b\r\nC: d"}}}; });
  const Asked asked = ask(exchange, "GET / HTTP/1.1\r\n\r\n");
  EXPECT_EQ(asked.answer.status, 500);
  EXPECT_EQ(asked.answer.rest, R"({"error":"the server could not answer this"})");
  EXPECT_EQ(asked.answer.field("C"), "-");
}

// A good request with bytes changed, dropped and added: refused by the framing, or answered in HTTP.
TEST(Exchange, WhateverPassesTheFramingIsAnsweredInHttp) {
  const std::string good =
      "POST /a?b=%41&c=d+e HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\nContent-Length: 4\r\n\r\nbody";
  const std::string odd("\r\n\t %?&=#:/\0\x7f\xff,0aA", 18);
  const Exchange exchange([](const Request& request) { return Reply{.body = request.body}; });
  Rng rng(9);
  int answered = 0;
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = good;
    for (uint64_t changes = 1 + rng.below(3); changes > 0; --changes) {
      const uint64_t at = rng.below(bytes.size());
      const uint64_t kind = rng.below(3);
      if (kind == 0) bytes[at] = odd[rng.below(odd.size())];
      if (kind == 1) bytes.erase(at, 1);
      if (kind == 2) bytes.insert(at, 1, odd[rng.below(odd.size())]);
    }
    const Frame frame = frame_request(bytes);
    if (frame.status != 0) {
      ++refused;
      EXPECT_EQ(read_answer(Exchange::refuse(frame.status, frame.reason).bytes).status, frame.status);
    } else if (frame.head != 0 && frame.size <= bytes.size()) {
      ++answered;
      const std::string request = bytes.substr(0, frame.size);
      const ReadAnswer answer = read_answer(exchange.answer(request, frame).bytes);
      EXPECT_TRUE(answer.status == 200 || answer.status == 400) << testing::PrintToString(request);
      EXPECT_EQ(answer.field("Content-Length"), std::to_string(answer.rest.size()));
    }
  }
  EXPECT_GT(answered, 2000);
  EXPECT_GT(refused, 2000);
}

}  // namespace
}  // namespace orthant::serve
