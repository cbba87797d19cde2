#include "orthant/serve/framing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "orthant/core/rng.h"

namespace orthant::serve {
namespace {

const std::string kGet = "GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n";

std::string with(const std::string& fields) { return "PUT / HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n"; }

TEST(Framing, MeasuresARequestWithoutABody) {
  const Frame frame = frame_request(kGet + "GET /next");
  EXPECT_EQ(frame.status, 0);
  EXPECT_EQ(frame.head, kGet.size());
  EXPECT_EQ(frame.size, kGet.size());
}

TEST(Framing, MeasuresABodyBeforeItIsThere) {
  const std::string head = with("content-LENGTH:  12 \r\n");
  const Frame frame = frame_request(head + "begun");
  EXPECT_EQ(frame.status, 0);
  EXPECT_EQ(frame.head, head.size());
  EXPECT_EQ(frame.size, head.size() + 12);
}

TEST(Framing, EveryBeginningOfARequestIsIncomplete) {
  for (size_t length = 0; length < kGet.size(); ++length) {
    const Frame frame = frame_request(kGet.substr(0, length));
    EXPECT_EQ(frame.status, 0) << length;
    EXPECT_EQ(frame.head, 0u) << length;
  }
}

struct Refused {
  std::string bytes;
  int status;
};

TEST(Framing, RefusesWhatTwoReadersCouldUnderstandDifferently) {
  const std::vector<Refused> cases = {
      {"\r\nGET / HTTP/1.1\r\n\r\n", 400},
      {"\x16\x03\x01", 400},
      {"GET / HTTP/1.1\nHost: x\n\n", 400},
      {"GET / HTTP/1.1\r\nHost: x\n\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n: x\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nA: a\rb\r\n\r\n", 400},
      {std::string("GET / HTTP/1.1\r\nA: a\0b\r\n\r\n", 26), 400},
      {"GET  HTTP/1.1\r\n\r\n", 400},
      {"GET / x HTTP/1.1\r\n\r\n", 400},
      {"GET /a#b HTTP/1.1\r\n\r\n", 400},
      {"GET * HTTP/1.1\r\n\r\n", 400},
      {"GET /\t HTTP/1.1\r\n\r\n", 400},
      {"GET http://x/ HTTP/1.1\r\n\r\n", 400},
      {"GET /\xff HTTP/1.1\r\n\r\n", 400},
      {"GET /\r\n\r\n", 400},
      {"GET / HTTP/2.0\r\n\r\n", 505},
      {"BREW / HTTP/1.1\r\n\r\n", 405},
      {"TRACE / HTTP/1.1\r\n\r\n", 405},
      {"CONNECT x:1 HTTP/1.1\r\n\r\n", 405},
      {with("Content-Length: -1\r\n"), 400},
      {with("Content-Length: +1\r\n"), 400},
      {with("Content-Length: 1x\r\n"), 400},
      {with("Content-Length: 0x10\r\n"), 400},
      {with("Content-Length:\r\n"), 400},
      {with("Content-Length: 1, 1\r\n"), 400},
      {with("Content-Length: 1\r\nContent-Length: 1\r\n"), 400},
      {with("Content-Length: 99999999999999999999999\r\n"), 413},
      {with("Content-Length: 10000001\r\n"), 413},
      {with("Transfer-Encoding: chunked\r\n"), 411},
      {with("Content-Length: 5\r\nTransfer-Encoding: identity\r\n"), 411},
      {with("Content-Encoding: gzip\r\nContent-Length: 5\r\n"), 415},
      {with("Expect: tea\r\n"), 417},
  };
  for (const Refused& one : cases) {
    const Frame frame = frame_request(one.bytes);
    EXPECT_EQ(frame.status, one.status) << testing::PrintToString(one.bytes) << ": " << frame.reason;
    EXPECT_THAT(frame.reason, testing::StartsWith("expected "));
  }
}

TEST(Framing, OldClientsDoNotWaitForAWordToGoOn) {
  const std::string fields = "Content-Length: 3\r\nExpect: 100-Continue\r\n\r\n";
  EXPECT_TRUE(frame_request("PUT / HTTP/1.1\r\n" + fields).waits);
  EXPECT_FALSE(frame_request("PUT / HTTP/1.0\r\n" + fields).waits);
}

// Requests one behind the other, looked at again after any number of bytes: always the same requests.
TEST(Framing, HowAStreamIsCutDoesNotMatter) {
  Rng rng(21);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> requests;
    std::string stream;
    for (uint64_t left = 1 + rng.below(4); left > 0; --left) {
      std::string body;
      for (uint64_t b = rng.below(30); b > 0; --b) body += "\r\n G:1"[rng.below(7)];
      requests.push_back(with("Content-Length: " + std::to_string(body.size()) + "\r\n") + body);
      stream += requests.back();
    }
    std::vector<std::string> found;
    std::string held;
    while (!stream.empty()) {
      const size_t count = std::min<size_t>(1 + rng.below(40), stream.size());
      held += stream.substr(0, count);
      stream.erase(0, count);
      for (Frame frame = frame_request(held); frame.head != 0 && frame.size <= held.size();
           frame = frame_request(held)) {
        found.push_back(held.substr(0, frame.size));
        held.erase(0, frame.size);
      }
      EXPECT_EQ(frame_request(held).status, 0) << frame_request(held).reason;
    }
    EXPECT_EQ(found, requests);
    EXPECT_EQ(held, "");
  }
}

TEST(Framing, RefusesLongLinesAndHeadsBeforeTheyEnd) {
  EXPECT_EQ(frame_request("GET /" + std::string(4092, 'a')).status, 414);
  EXPECT_EQ(frame_request("GET /" + std::string(4000, 'a')).status, 0);
  const std::string fields = "GET / HTTP/1.1\r\nA: " + std::string(16'384, 'a');
  EXPECT_EQ(frame_request(fields).status, 431);
  EXPECT_EQ(frame_request(fields.substr(0, 16'000)).status, 0);
}

TEST(Framing, TheLargestBodyIsAllowed) {
  const Frame frame = frame_request(with("Content-Length: 10000000\r\nExpect: 100-continue\r\n"));
  EXPECT_EQ(frame.status, 0);
  EXPECT_EQ(frame.size, frame.head + 10'000'000);
  EXPECT_TRUE(frame.waits);
}

}  // namespace
}  // namespace orthant::serve
