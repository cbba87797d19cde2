#include "orthant/serve/head.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orthant/core/rng.h"
#include "orthant/serve/message.h"

namespace orthant::serve {
namespace {

int status_of(std::string_view bytes) {
  try {
    read_head(bytes);
  } catch (const StatusError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("expected "));
    return error.status;
  }
  return 200;
}

TEST(Head, IsTakenApart) {
  const Head head = read_head("PUT /a/b?c=%41&d HTTP/1.0\r\nHost: x:1\r\nX-Empty:\r\nA:\t b c \t\r\na: \xff\r\n\r\n");
  EXPECT_EQ(head.method, "PUT");
  EXPECT_EQ(head.target, "/a/b?c=%41&d");
  EXPECT_EQ(head.minor, 0);
  ASSERT_EQ(head.fields.size(), 4u);
  EXPECT_EQ(head.fields[0].name, "Host");
  EXPECT_EQ(head.fields[0].value, "x:1");
  EXPECT_EQ(head.fields[1].name, "X-Empty");
  EXPECT_EQ(head.fields[1].value, "");
  EXPECT_EQ(head.fields[2].value, "b c");
  EXPECT_EQ(head.fields[3].name, "a");
  EXPECT_EQ(head.fields[3].value, "\xff");
}

TEST(Head, NeedsNoFields) { EXPECT_TRUE(read_head("GET / HTTP/1.1\r\n\r\n").fields.empty()); }

TEST(Head, ConnectionsGoOnAsTheClientSaysElseAsItsVersionDoes) {
  const auto goes_on = [](const std::string& version, const std::string& fields) {
    return read_head("GET / HTTP/" + version + "\r\n" + fields + "\r\n").persistent();
  };
  EXPECT_TRUE(goes_on("1.1", ""));
  EXPECT_FALSE(goes_on("1.0", ""));
  EXPECT_FALSE(goes_on("1.1", "Connection: close\r\n"));
  EXPECT_FALSE(goes_on("1.1", "CONNECTION:Close\r\n"));
  EXPECT_FALSE(goes_on("1.1", "Connection: upgrade ,\tclose\r\n"));
  EXPECT_FALSE(goes_on("1.1", "Connection: a\r\nConnection: close\r\n"));
  EXPECT_FALSE(goes_on("1.1", "Connection: keep-alive, close\r\n"));
  EXPECT_TRUE(goes_on("1.1", "Connection: closed\r\nX-Connection: close\r\n"));
  EXPECT_TRUE(goes_on("1.0", "Connection: Keep-Alive\r\n"));
  EXPECT_FALSE(goes_on("1.0", "Connection: keep-alive\r\nConnection: close\r\n"));
  EXPECT_FALSE(goes_on("1.0", "Connection: keep\r\n"));
}

TEST(Head, AnEmptyTargetIsRefused) {
  EXPECT_EQ(status_of("GET  HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET   HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET HTTP/1.1\r\n\r\n"), 400);
}

TEST(Head, WhatIsNoneIsRefusedWhoeverAsks) {
  for (const std::string& bytes :
       {std::string(), std::string("\r\n"), std::string("\r\n\r\n"), std::string(" \r\n\r\n"), std::string("GET"),
        std::string("GET / HTTP/1.1"), std::string("GET / HTTP/1.1\r\n"), std::string("GET / HTTP/1.1\r\nA: b\r\n"),
        std::string("GET / HTTP/1.1\r\nA: b\n\r\n"), std::string("GET / HTTP/1.1\n\n"),
        std::string("GET / HTTP/1.1\r\n\r\nmore"), std::string("GET /a#b HTTP/1.1\r\n\r\n"),
        std::string("GET * HTTP/1.1\r\n\r\n"), std::string("G\"T / HTTP/1.1\r\n\r\n"),
        std::string("GET /\0 HTTP/1.1\r\n\r\n", 20), std::string("GET / HTTP/1.1\r\nA b: c\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nA: \x7f\r\n\r\n"), std::string("GET / HTTP/1.1\r\n\tA: b\r\n\r\n")}) {
    EXPECT_EQ(status_of(bytes), 400) << testing::PrintToString(bytes);
  }
  EXPECT_EQ(status_of("get / HTTP/1.1\r\n\r\n"), 405);
  EXPECT_EQ(status_of("GET / HTTP/1.10\r\n\r\n"), 505);
  EXPECT_EQ(status_of("GET / HTTP/1.2\r\n\r\n"), 505);
  EXPECT_EQ(status_of("GET / http/1.1\r\n\r\n"), 505);
}

TEST(Head, WhatIsPutTogetherIsTakenApart) {
  Rng rng(7);
  const std::string plain = "azAZ09-._~!$&'*+";
  const std::string value_letters = plain + " \t:,;=\"/?#[]@\xc3\xa9";
  const auto text = [&](const std::string& letters, uint64_t most) {
    std::string result = "x";
    for (uint64_t left = rng.below(most); left > 0; --left) result += letters[rng.below(letters.size())];
    return result + "y";
  };
  const auto blanks = [&] { return std::string(rng.below(3), rng.bernoulli(0.5) ? ' ' : '\t'); };
  for (int round = 0; round < 2000; ++round) {
    const std::string method = rng.bernoulli(0.5) ? "GET" : "OPTIONS";
    const std::string target = "/" + text(plain + "/?%=:@\"<>^`{|}", 60);
    const int minor = static_cast<int>(rng.below(2));
    std::vector<std::pair<std::string, std::string>> fields;
    std::string bytes = method + " " + target + " HTTP/1." + std::to_string(minor) + "\r\n";
    for (uint64_t left = rng.below(6); left > 0; --left) {
      fields.emplace_back(text(plain, 10), text(value_letters, 40));
      bytes += fields.back().first + ":" + blanks() + fields.back().second + blanks() + "\r\n";
    }
    bytes += "\r\n";
    const Head head = read_head(bytes);
    EXPECT_EQ(head.method, method);
    EXPECT_EQ(head.target, target);
    EXPECT_EQ(head.minor, minor);
    ASSERT_EQ(head.fields.size(), fields.size());
    for (size_t f = 0; f < fields.size(); ++f) {
      EXPECT_EQ(head.fields[f].name, fields[f].first);
      EXPECT_EQ(head.fields[f].value, fields[f].second);
    }
    EXPECT_EQ(status_of(std::string_view(bytes).substr(0, rng.below(bytes.size()))), 400);
  }
}

}  // namespace
}  // namespace orthant::serve
