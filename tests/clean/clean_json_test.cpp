#include "orthant/clean/clean_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace orthant::clean {
namespace {

CleanReport report() {
  CleanReport made;
  made.items = 100;
  made.labels = {.left_out = "", .judged = 90, .agreement = 0.8, .chance = 0.1};
  made.suspects = {
      {.kind = Kind::label,
       .item = 3,
       .score = 0.95,
       .label = 0,
       .suggested = 1,
       .own = 0.05,
       .likelier = 0.6,
       .reasons = {{12, 1.23456}, {7, 0.5}}},
      {.kind = Kind::label, .item = 4, .score = 0.9, .label = 1, .suggested = 0, .own = 0, .likelier = 0.6},
      {.kind = Kind::duplicate, .item = 9, .score = 1, .label = -1, .other = 2, .distance = 0},
      {.kind = Kind::outlier, .item = 8, .score = 0.6, .label = -1, .distance = 1.5},
      {.kind = Kind::empty, .item = 7, .score = 1}};
  return made;
}

CleanNames names() {
  return {.item = [](int64_t i) { return "picture, " + std::to_string(i); },
          .bank_item = {},
          .klass = [](int64_t c) { return c == 0 ? std::string("cat") : std::string("a \"dog\""); },
          .feature = [](int64_t f) { return f == 12 ? std::string("wheels") : "f" + std::to_string(f); }};
}

TEST(CleanJson, WordsSayWhy) {
  const CleanReport made = report();
  EXPECT_EQ(words_of(made.suspects[0], names()),
            "labelled cat, a \"dog\" is 12 times as likely (60 % beside 5.0 %): wheels, f7");
  EXPECT_EQ(words_of(made.suspects[1], {}), "labelled class 1, class 0 is far more likely (60 % beside 0.0 %)");
  EXPECT_EQ(words_of(made.suspects[2], names()), "the same as picture, 2");
  EXPECT_EQ(words_of(made.suspects[3], {}), "1.50 times as far from its nearest as usual");
  EXPECT_EQ(words_of(made.suspects[4], {}), "no feature fires on it");
  EXPECT_EQ(words_of(made, Kind::label),
            "the judge agrees with 80 % of 90 labels; always saying the commonest class, 10 %");
}

TEST(CleanJson, DocumentsHaveEverySuspectOrTheFirstOfAKind) {
  const auto whole = nlohmann::json::parse(to_json(report(), names()));
  EXPECT_EQ(whole.at("suspects").size(), 5U);
  EXPECT_EQ(whole.at("suspects")[0].at("suggested"), "a \"dog\"");
  EXPECT_EQ(whole.at("suspects")[0].at("reasons")[0].at("value"), 1.235);
  EXPECT_EQ(whole.at("suspects")[2].at("other_id"), "picture, 2");
  const auto short_one = nlohmann::json::parse(to_json(report(), {}, 1));
  EXPECT_EQ(short_one.at("suspects").size(), 4U);
  EXPECT_EQ(short_one.at("kinds")[0].at("count"), 2);
  EXPECT_EQ(short_one.at("suspects")[0].at("suggested"), 1);
}

TEST(CleanJson, TablesAreQuoted) {
  const std::string csv = to_csv(report(), names());
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "kind,item,id,score,label,suggested,own,likelier,other,other_id,distance,words");
  EXPECT_NE(csv.find("label,3,\"picture, 3\",0.9500,cat,\"a \"\"dog\"\"\",0.0500,0.6000,,,,\"labelled cat"),
            std::string::npos)
      << csv;
}

}  // namespace
}  // namespace orthant::clean
