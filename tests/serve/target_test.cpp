#include "orthant/serve/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <optional>

#include "orthant/core/rng.h"
#include "orthant/serve/message.h"
#include "tests/support/message_of.h"

namespace orthant::serve {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Target, IsSplitAtTheFirstQuestionMarkAndOnlyTheQueryIsDecoded) {
  const Target target = read_target("/a%2fb/../c+d?x=%41+b&y=1?2");
  EXPECT_EQ(target.path, "/a%2fb/../c+d");
  EXPECT_THAT(target.query, ElementsAre(Pair("x", "A b"), Pair("y", "1?2")));
  EXPECT_TRUE(read_target("/").query.empty());
  EXPECT_TRUE(read_target("/?").query.empty());
  EXPECT_EQ(read_target("/?").path, "/");
}

TEST(Target, ParametersMayBeEmptyOddOrThereSeveralTimes) {
  EXPECT_THAT(read_target("/?&a&&b=&=c&d=e=f&").query,
              ElementsAre(Pair("", "c"), Pair("a", ""), Pair("b", ""), Pair("d", "e=f")));
  EXPECT_THAT(read_target("/?a=2&a=1&%61=3").query, ElementsAre(Pair("a", "2"), Pair("a", "1"), Pair("a", "3")));
  EXPECT_THAT(read_target("/?a%3Db=%26;c").query, ElementsAre(Pair("a=b", "&;c")));
}

TEST(Target, APercentNeedsTwoHexadecimalDigits) {
  for (const char* text : {"%", "%4", "%zz", "%4g", "%g4", "%u00ff", "% 4", "%+4", "%-4", "%0x41", "%%41", "a%"}) {
    EXPECT_EQ(test::message_of([&] { decode_parameter(text); }),
              "expected two hexadecimal digits behind every % of the query")
        << text;
    EXPECT_THROW(read_target(std::string("/?a=") + text), StatusError);
    EXPECT_THROW(read_target(std::string("/?") + text), StatusError);
  }
  EXPECT_EQ(read_target("/%zz").path, "/%zz");
}

// Written from the definition, byte by byte.
std::optional<std::string> naive_decoded(const std::string& text) {
  const std::string digits = "0123456789abcdef0123456789ABCDEF";
  std::string bytes;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '+') {
      bytes.push_back(' ');
    } else if (text[at] != '%') {
      bytes.push_back(text[at]);
    } else {
      if (at + 2 >= text.size()) return {};
      const size_t high = digits.find(text[at + 1]);
      const size_t low = digits.find(text[at + 2]);
      if (high == std::string::npos || low == std::string::npos) return {};
      bytes.push_back(static_cast<char>(16 * (high % 16) + low % 16));
      at += 2;
    }
  }
  return bytes;
}

TEST(Target, DecodesAsTheDefinitionSays) {
  const std::string letters = "%%%%+0129afAFgxz=/";
  Rng rng(11);
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (uint64_t left = rng.below(9); left > 0; --left) text += letters[rng.below(letters.size())];
    const auto expected = naive_decoded(text);
    if (expected) {
      EXPECT_EQ(decode_parameter(text), *expected) << text;
    } else {
      EXPECT_THROW(decode_parameter(text), StatusError) << text;
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(refused, 19'000);
}

TEST(Target, AnyBytesSurviveBeingEncoded) {
  Rng rng(12);
  for (int round = 0; round < 500; ++round) {
    std::multimap<std::string, std::string> query;
    std::string text = "/p?";
    for (uint64_t left = rng.below(6); left > 0; --left) {
      std::string name;
      std::string value;
      const auto write = [&](std::string& bytes) {
        for (uint64_t b = rng.below(12); b > 0; --b) {
          const auto byte = static_cast<unsigned char>(rng.below(256));
          bytes += static_cast<char>(byte);
          char encoded[4];
          std::snprintf(encoded, sizeof(encoded), rng.bernoulli(0.5) ? "%%%02x" : "%%%02X", byte);
          text += encoded;
        }
      };
      write(name);
      text += '=';
      write(value);
      text += '&';
      query.emplace(name, value);
    }
    EXPECT_EQ(read_target(text).query, query);
  }
}

}  // namespace
}  // namespace orthant::serve
