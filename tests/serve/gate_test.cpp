#include "orthant/serve/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orthant/serve/token.h"
#include "tests/support/message_of.h"

namespace orthant::serve {
namespace {

using testing::HasSubstr;

using Fields = std::multimap<std::string, std::string>;

Request request_with(Fields fields, std::multimap<std::string, std::string> query = {}) {
  Request request;
  request.method = "PUT";
  request.path = "/";
  request.fields = std::move(fields);
  request.query = std::move(query);
  return request;
}

bool passes(const Gate& gate, Fields fields) { return !gate.refuse(request_with(std::move(fields))).has_value(); }

TEST(Gate, LetsThisMachineInByAnyOfItsLoopbackNames) {
  const Gate gate({.port = 8000});
  for (const char* host :
       {"localhost", "LocalHost:8000", "127.0.0.1:8000", "127.1.2.3", "[::1]:8000", "[::1]", "localhost:9999"}) {
    EXPECT_TRUE(passes(gate, {{"host", host}})) << host;
  }
}

TEST(Gate, RefusesHostsThatOnlyPointHere) {
  const Gate gate({.port = 8000});
  for (const char* host :
       {"evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example", "192.168.1.7", "",
        ":8000", "[::1", "[::1]x", "localhost:", "localhost:80x", "localhost:1234567", "localhost evil", "0.0.0.0",
        "localhost.", "localhost:8000:1", "2130706433", "user@localhost"}) {
    const auto refused = gate.refuse(request_with({{"host", host}}));
    ASSERT_TRUE(refused.has_value()) << host;
    EXPECT_EQ(refused->status, 403);
    EXPECT_THAT(refused->body, HasSubstr("another Host"));
  }
  EXPECT_FALSE(passes(gate, {}));
  EXPECT_FALSE(passes(gate, {{"host", "localhost"}, {"host", "localhost"}}));
}

TEST(Gate, KnowsTheAddressItListensOn) {
  const Gate one({.address = "192.168.1.7"});
  EXPECT_TRUE(passes(one, {{"host", "192.168.1.7:80"}}));
  EXPECT_TRUE(passes(one, {{"host", "localhost"}}));
  EXPECT_FALSE(passes(one, {{"host", "192.168.1.8"}}));
  const Gate all({.address = "0.0.0.0"});
  EXPECT_TRUE(passes(all, {{"host", "192.168.1.8:80"}}));
  EXPECT_TRUE(passes(all, {{"host", "[fe80::1]:80"}}));
  EXPECT_FALSE(passes(all, {{"host", "evil.example"}}));
}

TEST(Gate, RefusesPagesOfOtherSites) {
  const Gate gate({.port = 8000});
  const std::string host = "localhost:8000";
  EXPECT_TRUE(passes(gate, {{"host", host}, {"origin", "http://localhost:8000"}}));
  EXPECT_TRUE(passes(gate, {{"host", host}, {"origin", "https://localhost:8000"}}));
  for (const char* origin : {"http://evil.example", "null", "", "http://localhost:8001", "http://localhost",
                             "http://localhost:8000.evil.example", "file://"}) {
    EXPECT_FALSE(passes(gate, {{"host", host}, {"origin", origin}})) << origin;
  }
  EXPECT_FALSE(passes(gate, {{"host", host}, {"origin", "http://localhost:8000"}, {"origin", "http://evil.example"}}));
}

TEST(Gate, AsksForTheTokenInAnyOfThreePlaces) {
  const std::string token = "0123456789abcdef";
  const Gate gate({.port = 80, .token = token});
  EXPECT_TRUE(passes(gate, {{"host", "localhost"}, {"authorization", "Bearer " + token}}));
  EXPECT_TRUE(passes(gate, {{"host", "localhost"}, {"cookie", "a=b; orthant_80=" + token}}));
  EXPECT_FALSE(gate.refuse(request_with({{"host", "localhost"}}, {{"token", token}})).has_value());
  EXPECT_FALSE(passes(gate, {{"host", "localhost"}}));
  EXPECT_FALSE(passes(gate, {{"host", "localhost"}, {"authorization", "Bearer "}}));
  EXPECT_FALSE(passes(gate, {{"host", "localhost"}, {"authorization", "Basic " + token}}));
  EXPECT_FALSE(passes(gate, {{"host", "localhost"}, {"cookie", "orthant_81=" + token}}));
  EXPECT_FALSE(passes(gate, {{"host", "localhost"}, {"cookie", ";;;=;"}}));
  EXPECT_TRUE(gate.refuse(request_with({{"host", "localhost"}}, {{"token", token + "0"}})).has_value());
  EXPECT_TRUE(gate.refuse(request_with({{"host", "localhost"}}, {{"token", token}, {"token", "x"}})).has_value());
}

TEST(Gate, GivesTheCookieOnlyForTheRightToken) {
  const Gate gate({.port = 80, .token = "0123456789abcdef"});
  EXPECT_EQ(gate.cookie(request_with({}, {{"token", "0123456789abcdef"}})),
            "orthant_80=0123456789abcdef; Path=/; HttpOnly; SameSite=Strict");
  EXPECT_EQ(gate.cookie(request_with({}, {{"token", "0123456789abcdee"}})), "");
  EXPECT_EQ(gate.cookie(request_with({})), "");
  EXPECT_EQ(Gate({}).cookie(request_with({}, {{"token", ""}})), "");
}

TEST(Token, IsRightOnlyIfAllOfItIs) {
  EXPECT_TRUE(same_token("abc", "abc"));
  for (const char* given : {"", "ab", "abcd", "abd", "abcabc", "ABC"}) EXPECT_FALSE(same_token(given, "abc")) << given;
  EXPECT_FALSE(same_token("", ""));
}

TEST(Token, IsRandomAndGoodEnoughForAPerson) {
  const std::string token = random_token();
  EXPECT_EQ(token.size(), 32u);
  EXPECT_NE(token, random_token());
  EXPECT_NO_THROW(check_token(token));
  for (const std::string& bad : {std::string("short"), std::string(300, 'a'), std::string("0123456789abcde;"),
                                 std::string("0123456789 abcdef"), std::string("0123456789abcde\n")}) {
    EXPECT_THAT(test::message_of([&] { check_token(bad); }), HasSubstr("[--token] expected 16 to 256 letters"));
  }
}

}  // namespace
}  // namespace orthant::serve
