#include "orthant/serve/response.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orthant/core/rng.h"
#include "tests/serve/read_answer.h"
#include "tests/support/message_of.h"

namespace orthant::serve {
namespace {

using test::read_answer;
using testing::HasSubstr;

TEST(Response, IsWrittenByteForByte) {
  const Reply reply{.type = "text/plain", .body = "a\r\n\r\nb", .fields = {{"ETag", "\"x\""}}};
  EXPECT_EQ(write_response(reply, {.persistent = true}),
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\nETag: \"x\"\r\n"
            "Connection: keep-alive\r\n\r\na\r\n\r\nb");
}

TEST(Response, ToHeadTellsTheLengthAndSendsNoBody) {
  const auto answer = read_answer(write_response({.body = "four"}, {.persistent = true, .head_only = true}));
  EXPECT_EQ(answer.field("Content-Length"), "4");
  EXPECT_EQ(answer.rest, "");
}

TEST(Response, WithoutABodyByItsStatusHasNeitherTypeNorLength) {
  for (const int status : {204, 304}) {
    const auto answer = read_answer(write_response({.status = status, .body = "lost"}, {.persistent = true}));
    EXPECT_EQ(answer.field("Content-Length"), "-");
    EXPECT_EQ(answer.field("Content-Type"), "-");
    EXPECT_EQ(answer.rest, "");
  }
  EXPECT_EQ(read_answer(write_response({}, {})).field("Content-Length"), "0");
}

TEST(Response, SaysWhetherTheConnectionGoesOn) {
  EXPECT_EQ(read_answer(write_response({}, {.persistent = true})).field("Connection"), "keep-alive");
  EXPECT_EQ(read_answer(write_response({}, {.persistent = false})).field("Connection"), "close");
}

TEST(Response, StatusesWithoutWordsAreWrittenToo) {
  EXPECT_EQ(read_answer(write_response({.status = 431}, {})).words, "Request Header Fields Too Large");
  EXPECT_EQ(read_answer(write_response({.status = 418}, {})).words, "");
  EXPECT_EQ(read_answer(write_response({.status = 418}, {})).status, 418);
}

TEST(Response, FieldsThatCouldForgeOthersAreRefused) {
  const auto complaint = [](const std::string& name, const std::string& value) {
    return test::message_of([&] { write_response({.fields = {{name, value}}}, {}); });
  };
  for (const std::string& value :
       {std::string("a\r\nSet-Cookie: b"), std::string("a\n"), std::string("\r"), std::string("\0", 1)}) {
    EXPECT_EQ(complaint("A", value), "[serve] expected no control characters in the header field A");
  }
  for (const char* name : {"", "A B", "A:", "A\r\n", "\xff"}) {
    EXPECT_THAT(complaint(name, "a"), HasSubstr("[serve] expected a name of a header field, got '"));
  }
  EXPECT_THAT(test::message_of([] { write_response({.type = "a\r\nb"}, {}); }), HasSubstr("Content-Type"));
}

TEST(Response, WhatIsWrittenIsRead) {
  Rng rng(5);
  const std::string letters = "abcXYZ019-_~ \t\";:,=\xc3\xa9";
  const auto text = [&](uint64_t most) {
    std::string result = "v";
    for (uint64_t left = rng.below(most); left > 0; --left) result += letters[rng.below(letters.size())];
    return result + "w";
  };
  for (int round = 0; round < 2000; ++round) {
    Reply reply{.status = static_cast<int>(200 + rng.below(400)), .type = text(20)};
    for (uint64_t left = rng.below(200); left > 0; --left) reply.body += static_cast<char>(rng.below(256));
    for (uint64_t f = rng.below(5); f > 0; --f) reply.fields.emplace_back("F-" + std::to_string(f), text(40));
    const Delivery delivery{.persistent = rng.bernoulli(0.5), .head_only = rng.bernoulli(0.3)};
    const auto answer = read_answer(write_response(reply, delivery));
    const bool bodyless = reply.status == 204 || reply.status == 304;
    EXPECT_EQ(answer.status, reply.status);
    EXPECT_EQ(answer.field("Content-Type"), bodyless ? "-" : reply.type);
    EXPECT_EQ(answer.field("Content-Length"), bodyless ? "-" : std::to_string(reply.body.size()));
    EXPECT_EQ(answer.rest, bodyless || delivery.head_only ? "" : reply.body);
    EXPECT_EQ(answer.field("Connection"), delivery.persistent ? "keep-alive" : "close");
    for (const auto& [name, value] : reply.fields) EXPECT_EQ(answer.field(name), value);
    EXPECT_EQ(answer.fields.size(), reply.fields.size() + (bodyless ? 1 : 3));
  }
}

}  // namespace
}  // namespace orthant::serve
