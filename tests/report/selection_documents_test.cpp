#include "orthant/report/selection_documents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "orthant/catalogue/text.h"
#include "orthant/report/contrast.h"
#include "tests/catalogue/catalogues.h"
#include "tests/support/message_of.h"

namespace orthant::report {
namespace {

using nlohmann::json;
using test::catalogue_of;
using test::embeddings_of;
using test::items_of;
using test::message_of;
using ::testing::HasSubstr;

Embeddings random_embeddings(bool is_signed) {
  Embeddings embeddings;
  embeddings.features = test::random_features(60, 9, is_signed ? 1.0 : 0.2, is_signed);
  return embeddings;
}

TEST(Contrast, ByHand) {
  const Matrix features(4, 3, {1, 2, 0, 3, 0, 0, 0, 0, 0, 0, -2, 0});
  const Contrast found = contrast(features, {true, true, false, false});
  EXPECT_EQ(found.items, 2);
  EXPECT_EQ(found.others, 2);
  EXPECT_EQ(found.features[0].firing, 2);
  EXPECT_EQ(found.features[0].firing_others, 0);
  EXPECT_DOUBLE_EQ(found.features[0].mean, 2);
  EXPECT_DOUBLE_EQ(found.features[0].mean_others, 0);
  EXPECT_DOUBLE_EQ(found.features[0].deviation, std::sqrt(1.5));
  EXPECT_EQ(found.features[1].firing, 1);
  EXPECT_EQ(found.features[1].firing_others, 1);
  EXPECT_DOUBLE_EQ(found.features[1].mean_others, -1);
  EXPECT_EQ(found.features[2].deviation, 0);
}

TEST(Contrast, GroupsWithoutItemsHaveMeansOfZero) {
  const Matrix features(2, 1, {1, 3});
  const Contrast none = contrast(features, {false, false});
  EXPECT_EQ(none.items, 0);
  EXPECT_EQ(none.features[0].mean, 0);
  EXPECT_DOUBLE_EQ(none.features[0].mean_others, 2);
  EXPECT_EQ(contrast(features, {true, true}).features[0].mean_others, 0);
}

TEST(Contrast, RejectsFlagsThatDoNotFit) {
  const Matrix features(2, 1, {1, 3});
  EXPECT_THAT(message_of([&] { contrast(features, {true}); }), HasSubstr("a flag for each of 2 items, got 1"));
}

TEST(SelectionDocuments, AContrastIsThatOfSumsTakenColumnByColumn) {
  for (const bool is_signed : {false, true}) {
    const auto run = catalogue_of(random_embeddings(is_signed), items_of(60, 3));
    std::vector<bool> chosen(60);
    for (size_t i = 0; i < chosen.size(); ++i) chosen[i] = i % 4 == 1;
    const json found = json::parse(contrast_document(*run, chosen));
    EXPECT_EQ(found["items"], 15);
    EXPECT_EQ(found["others"], 45);
    for (int64_t f = 0; f < 9; ++f) {
      const std::vector<float> column = run->activations(f);
      double in = 0;
      double out = 0;
      int64_t firing = 0;
      for (size_t i = 0; i < column.size(); ++i) {
        (chosen[i] ? in : out) += column[i];
        firing += chosen[i] && std::abs(column[i]) > 1e-5F ? 1 : 0;
      }
      const json& one = found["features"][static_cast<size_t>(f)];
      EXPECT_EQ(one["feature"], f);
      EXPECT_EQ(one["firing"], firing);
      EXPECT_NEAR(one["mean"].get<double>(), in / 15, 1e-12);
      EXPECT_NEAR(one["mean_others"].get<double>(), out / 45, 1e-12);
    }
  }
}

TEST(SelectionDocuments, RowsHoldWhatIsNotZeroInTheOrderAskedFor) {
  const auto run = catalogue_of(embeddings_of(3, 3, {0.5F, 0, 2, 0, 0, 0, 0, -1, 0}), items_of(3, 2));
  const json rows = json::parse(rows_document(*run, std::vector<int64_t>{2, 0, 1, 0}));
  const auto encoded = [](const auto& values) { return catalogue::base64(std::as_bytes(std::span(values))); };
  EXPECT_EQ(rows["indptr"], encoded(std::vector<uint32_t>{0, 1, 3, 3, 5}));
  EXPECT_EQ(rows["indices"], encoded(std::vector<uint32_t>{1, 0, 2, 0, 2}));
  EXPECT_EQ(rows["values"], encoded(std::vector<float>{-1, 0.5F, 2, 0.5F, 2}));
  EXPECT_THAT(message_of([&] { rows_document(*run, std::vector<int64_t>{3}); }),
              HasSubstr("an item from 0 to 2, got 3"));
}

TEST(SelectionDocuments, WithoutAChangeNothingChanges) {
  const auto run = catalogue_of(random_embeddings(false), items_of(60, 3));
  for (int64_t i = 0; i < 60; ++i) {
    const json changed = json::parse(changed_document(*run, i, {}));
    EXPECT_NEAR(changed["norm"].get<double>(), run->item(i).norm, 1e-12);
    const auto near = run->item(i).neighbours;
    ASSERT_EQ(changed["before"].size(), near.size());
    for (size_t at = 0; at < near.size(); ++at) {
      EXPECT_EQ(changed["before"][at]["item"], near[at].item);
      EXPECT_EQ(changed["before"][at]["score"], changed["before"][at]["was"]);
      EXPECT_DOUBLE_EQ(changed["before"][at]["was"].get<double>(), near[at].score);
    }
    for (const json& match : changed["neighbours"]) EXPECT_NE(match["item"], i);
  }
}

TEST(SelectionDocuments, AFeatureThatIsSwitchedOffMakesOtherItemsTheNearest) {
  // Item 0 is like item 1 by feature 0 and like item 2 by feature 1.
  const auto run = catalogue_of(embeddings_of(3, 2, {2, 1, 1, 0, 0, 1}), items_of(3, 2));
  const json before = json::parse(changed_document(*run, 0, {}));
  EXPECT_EQ(before["neighbours"][0]["item"], 1);
  const json off = json::parse(changed_document(*run, 0, std::vector<FeatureChange>{{0, 0.0F}}));
  EXPECT_EQ(off["active"], 1);
  EXPECT_EQ(off["neighbours"][0]["item"], 2);
  EXPECT_DOUBLE_EQ(off["neighbours"][0]["score"].get<double>(), 1);
  EXPECT_NEAR(off["neighbours"][0]["was"].get<double>(), 1 / std::sqrt(5.0), 1e-12);
  EXPECT_EQ(off["before"][0]["item"], 1);
  EXPECT_EQ(off["before"][0]["score"], 0);
  EXPECT_EQ(off["prediction"], nullptr);
  const std::string up = changed_document(*run, 0, std::vector<FeatureChange>{{0, 0.1F}});
  EXPECT_THAT(up, HasSubstr(R"("value":0.1,)")) << "as short as a float is";
}

TEST(SelectionDocuments, RejectsChangesOfWhatIsNotThere) {
  const auto run = catalogue_of(embeddings_of(2, 2, {2, 1, 1, 0}), items_of(2, 2));
  const auto change = [&](int64_t item, FeatureChange one) {
    return message_of([&] { changed_document(*run, item, std::vector<FeatureChange>{one}); });
  };
  EXPECT_THAT(change(2, {0, 0}), HasSubstr("an item from 0 to 1, got 2"));
  EXPECT_THAT(change(0, {2, 0}), HasSubstr("a feature from 0 to 1, got 2"));
  EXPECT_THAT(change(0, {1, std::numeric_limits<float>::infinity()}), HasSubstr("a finite value of feature 1"));
}

TEST(SelectionDocuments, NeighboursVoteAndTheNearerBreaksATie) {
  // Items 0 and 1 are the same, 2 and 3 are the same; each has one of its own class nearest but item 3.
  auto items = items_of(4, 2);
  items->labels = {0, 0, 1, 0};
  const auto run = catalogue_of(embeddings_of(4, 2, {1, 0, 1, 0, 0.1F, 1, 0.1F, 1}), items);
  const json vote = json::parse(vote_document(*run));
  // 0: votes of 1, 2, 3 are 0, 1, 0. 1: the same. 2: votes of 3, 0, 1 are 0, 0, 0. 3: votes of 2, 0, 1 are 1, 0, 0.
  EXPECT_EQ(vote["counts"], json::parse("[[3,0],[1,0]]"));
  EXPECT_EQ(vote["judged"], 4);
  EXPECT_EQ(vote["accuracy"], 0.75);
  EXPECT_EQ(vote["commonest"], 0.75);
  EXPECT_EQ(vote["worst"], 1);
  EXPECT_EQ(vote["k"], 3);
  EXPECT_EQ(vote_document(*catalogue_of(embeddings_of(2, 1, {1, 2}), items_of(2, 0))), "null");
}

}  // namespace
}  // namespace orthant::report
