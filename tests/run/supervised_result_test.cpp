#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "orthant/corrupt/corrupt.h"
#include "orthant/run/supervised_result.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::message_of;
using ::testing::HasSubstr;

TEST(Score, ByHand) {
  const Matrix logits(4, 3, {3, 1, 2, 0, 5, 5, 1, 1, 1, 0, 0, 9});
  const std::vector<int64_t> labels = {0, 2, 0, 1};  // right; second of two equals; first of equals; wrong
  const Scored scored = score(logits, labels, 4);
  EXPECT_DOUBLE_EQ(scored.top1, 0.5);
  EXPECT_DOUBLE_EQ(scored.top5, 1.0);
  EXPECT_EQ(scored.items, 4);
  EXPECT_DOUBLE_EQ(scored.per_class[0], 1.0);
  EXPECT_DOUBLE_EQ(scored.per_class[1], 0.0);
  EXPECT_DOUBLE_EQ(scored.per_class[2], 0.0);
  EXPECT_TRUE(std::isnan(scored.per_class[3]));
}

TEST(Score, TopFiveLeavesOutTheSixth) {
  const Matrix logits(2, 6, {6, 5, 4, 3, 2, 1, 6, 5, 4, 3, 2, 1});
  EXPECT_DOUBLE_EQ(score(logits, std::vector<int64_t>{4, 5}, 6).top5, 0.5);
}

TEST(Score, AClassThatWasNeverLearnedIsWrong) {
  const float never = -std::numeric_limits<float>::infinity();
  const Matrix logits(2, 2, {1, never, 1, never});
  const Scored scored = score(logits, std::vector<int64_t>{1, 7}, 8);
  EXPECT_DOUBLE_EQ(scored.top1, 0);
  EXPECT_DOUBLE_EQ(scored.per_class[7], 0);
}

TEST(Score, RejectsLabelsThatDoNotFit) {
  const Matrix logits(2, 2);
  EXPECT_THAT(message_of([&] { score(logits, std::vector<int64_t>{0}, 2); }), HasSubstr("expected 2 labels, got 1"));
  EXPECT_THAT(message_of([&] { score(logits, std::vector<int64_t>{0, 2}, 2); }), HasSubstr("from 0 to 1, got 2"));
  EXPECT_DOUBLE_EQ(score(Matrix(0, 2), {}, 2).top1, 0);
}

TEST(Spread, DividesByOneLess) {
  const std::vector<double> values = {1, 2, 3};
  EXPECT_DOUBLE_EQ(spread(values).mean, 2);
  EXPECT_DOUBLE_EQ(spread(values).deviation, 1);
  EXPECT_TRUE(std::isnan(spread(std::vector<double>{4}).deviation));
}

Scored with_top1(double top1) { return {.top1 = top1, .top5 = 1, .per_class = {top1, top1}, .items = 10}; }

SupervisedResult corrupted() {
  SupervisedResult result;
  result.class_names = {"a", "b"};
  result.conditions = {"gaussian_noise:1", "gaussian_noise:5", "shot_noise:1", "fog:2", "sketch:3"};
  result.seeds = {
      {1,
       {{"items", "216"}},
       with_top1(1),
       {with_top1(0.5), with_top1(0.1), with_top1(0.9), with_top1(0.4), with_top1(0)}},
      {2, {}, with_top1(0.8), {with_top1(0.7), with_top1(0.3), with_top1(0.9), with_top1(0.6), with_top1(1)}}};
  return result;
}

TEST(OodTable, WeighsCorruptionsAlikeHoweverManySeverities) {
  const auto rows = ood_table(corrupted());
  std::vector<std::string> names;
  for (const OodRow& row : rows) names.push_back(row.name);
  EXPECT_THAT(
      names, ::testing::ElementsAre("gaussian_noise", "shot_noise", "fog", "sketch", "noise", "weather", "corruption"));
  EXPECT_DOUBLE_EQ(rows[0].top1.mean, 0.4);        // 0.3 and 0.5
  EXPECT_DOUBLE_EQ(rows[0].levels[0], 0.6);        // 0.5 and 0.7
  EXPECT_TRUE(std::isnan(rows[0].levels[1]));      // not asked for
  EXPECT_DOUBLE_EQ(rows[4].top1.mean, 0.65);       // noise: (0.4 + 0.9) / 2
  EXPECT_NEAR(rows[6].top1.mean, 1.8 / 3, 1e-12);  // 0.4, 0.9, 0.5; without the sketch
  EXPECT_NEAR(rows[0].top1.deviation, 0.2 / std::sqrt(2.0), 1e-12);
}

TEST(OodTable, EveryCommonCorruptionBelongsToAGroup) {
  SupervisedResult result;
  int common = 0;
  for (const corrupt::Kind& kind : corrupt::names()) {
    common += kind.group == corrupt::Group::common;
    result.conditions.push_back(kind.name + ":1");
  }
  result.seeds = {{1, {}, with_top1(1), std::vector<Scored>(result.conditions.size(), with_top1(1))}};
  int grouped = 0;
  for (const OodRow& row : ood_table(result)) grouped += !row.group.empty();
  EXPECT_EQ(grouped, common);
  EXPECT_EQ(common, 15);
}

TEST(TestDataTable, TakesTheDropWithinEachSeed) {
  SupervisedResult result;
  result.test_data = {{"folder:sketches", "all", 40, 2}};
  result.seeds = {{1, {}, with_top1(0.9), {}, {with_top1(0.5)}}, {2, {}, with_top1(0.7), {}, {with_top1(0.4)}}};
  const auto rows = test_data_table(result);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].data.name, "folder:sketches");
  EXPECT_DOUBLE_EQ(rows[0].top1.mean, 0.45);
  EXPECT_DOUBLE_EQ(rows[0].drop.mean, 0.35);
  EXPECT_NEAR(rows[0].drop.deviation, 0.1 / std::sqrt(2.0), 1e-12);
  const auto json = nlohmann::json::parse(result_json(result))["test_data"]["folder:sketches"];
  EXPECT_DOUBLE_EQ(json["drop"], 0.35);
  EXPECT_EQ(json["items"], 40);
  EXPECT_EQ(json["split"], "all");
}

TEST(ResultDocument, HoldsMeanAndDeviationSeedsAndParameters) {
  const auto json = nlohmann::json::parse(result_json(corrupted()));
  EXPECT_DOUBLE_EQ(json["top1"], 0.9);
  EXPECT_NEAR(json["top1_std"], 0.2 / std::sqrt(2.0), 1e-12);
  EXPECT_DOUBLE_EQ(json["per_class"]["b"], 0.9);
  EXPECT_EQ(json["seeds"][1]["seed"], 2);
  EXPECT_EQ(json["seeds"][0]["how"]["items"], 216);
  EXPECT_DOUBLE_EQ(json["ood"]["gaussian_noise"]["severity"]["5"], 0.2);
  EXPECT_EQ(json["ood"]["fog"]["group"], "weather");
  EXPECT_EQ(json["parameters"]["train"]["solver"], "lbfgs");
  SupervisedResult single = corrupted();
  single.seeds.pop_back();
  EXPECT_TRUE(nlohmann::json::parse(result_json(single))["top1_std"].is_null());
}

}  // namespace
}  // namespace orthant
