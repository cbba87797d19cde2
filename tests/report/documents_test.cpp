#include "orthant/report/documents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "orthant/catalogue/text.h"
#include "orthant/core/version.h"
#include "orthant/report/read_out_documents.h"
#include "tests/catalogue/catalogues.h"
#include "tests/catalogue/pictures.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::report {
namespace {

using nlohmann::json;
using test::catalogue_of;
using test::embeddings_of;
using test::items_of;
using test::message_of;
using ::testing::HasSubstr;

std::vector<std::string> keys(const json& object) {
  std::vector<std::string> names;
  for (const auto& [key, value] : object.items()) names.push_back(key);
  return names;
}

template <class T>
std::string encoded(const std::vector<T>& values) {
  return catalogue::base64(std::as_bytes(std::span<const T>(values)));
}

std::unique_ptr<catalogue::Catalogue> small_run() {
  return catalogue_of(embeddings_of(3, 3, {0.1F, 0, 0, 0.5F, 2, 0, 0, 3, 0}), items_of(3, 2));
}

TEST(Documents, TheOverviewHasEveryFieldOfTheContract) {
  auto items = items_of(3, 2);
  items->pictures = std::make_shared<test::Pictures>(test::noise(3, 4, 5, 3));
  items->rows = {0, 1, 2};
  items->spec = "folder:pets";
  items->split = "test";
  catalogue::RunRecord record = test::record_of("ncl");
  record.method = "ncl";
  record.recipe = {{"train", "epochs", "20", "Passes over the data"}};
  record.curves = R"([{"epoch":1,"loss":5.5}])";
  record.measures = R"({"sparsity":0.9})";
  record.selection = R"({"files":[]})";
  record.adapter = R"({"kind":"adapter","retained":[]})";
  const catalogue::Catalogue run(record, embeddings_of(3, 3, {0.1F, 0, 0, 0.5F, 2, 0, 0, 3, 0}), items);
  const std::vector<const catalogue::Catalogue*> runs = {&run};
  const json page = json::parse(overview_document(runs));
  EXPECT_EQ(page["api"], 1);
  EXPECT_EQ(page["orthant"], version());
  EXPECT_THAT(page["generated"].get<std::string>(), testing::MatchesRegex("20..-..-..T..:..:..Z"));
  EXPECT_EQ(page["data"], json::parse(R"({"spec":"folder:pets","split":"test","items":3,
    "classes":["class 0","class 1"],"has_pictures":true,"has_texts":false,"has_sounds":false,"picture":{"width":5,"height":4,"channels":3}})"));
  ASSERT_EQ(page["runs"].size(), 1);
  const json& one = page["runs"][0];
  EXPECT_EQ(one["run"], 0);
  EXPECT_EQ(one["name"], "ncl");
  EXPECT_EQ(one["path"], "runs/ncl");
  EXPECT_EQ(one["method"], "ncl");
  EXPECT_EQ(one["features"], 3);
  EXPECT_EQ(one["sparse"], false);
  EXPECT_EQ(one["recipe"], json::parse(R"([["train","epochs","20","Passes over the data"]])"));
  EXPECT_EQ(one["curves"][0]["loss"], 5.5);
  EXPECT_EQ(one["measures"]["sparsity"], 0.9);
  EXPECT_EQ(one["selection"], json::parse(R"({"files":[]})"));
  EXPECT_EQ(one["adapter"], json::parse(R"({"kind":"adapter","retained":[]})"));
  EXPECT_EQ(one["histograms"]["sparsity"], json::parse(R"({"edges":[0.0,1.0,2.0,3.0],"counts":[0,2,1]})"));
  EXPECT_EQ(one["histograms"]["consistency"]["edges"].size(), 21);
  EXPECT_EQ(one["correlation"]["size"], 2);
  EXPECT_EQ(one["correlation"]["order"].size(), 2);
  EXPECT_EQ(one["maps"], json::parse(R"(["pca","umap"])"));
}

TEST(Documents, ABareFileHasAnOverviewToo) {
  const auto run = catalogue_of(embeddings_of(2, 1, {1, 2}), items_of(2, 0));
  const std::vector<const catalogue::Catalogue*> runs = {run.get()};
  const json page = json::parse(overview_document(runs));
  EXPECT_EQ(page["data"]["classes"], json::array());
  EXPECT_EQ(page["data"]["has_pictures"], false);
  EXPECT_EQ(page["data"]["picture"], nullptr);
  const json& one = page["runs"][0];
  EXPECT_EQ(one["recipe"], json::array());
  EXPECT_EQ(one["curves"], json::array());
  EXPECT_EQ(one["measures"], json::object());
  EXPECT_EQ(one["selection"], nullptr);
  EXPECT_EQ(one["histograms"]["consistency"]["counts"], json::array());
}

TEST(Documents, RunsOfOnePageShareTheirItems) {
  const auto a = small_run();
  const auto b = small_run();
  const std::vector<const catalogue::Catalogue*> runs = {a.get(), b.get()};
  EXPECT_THAT(message_of([&] { overview_document(runs); }), HasSubstr("expected runs over the same items"));
  EXPECT_THAT(message_of([] { overview_document({}); }), HasSubstr("expected at least one run, got none"));
}

TEST(Documents, FeaturesHaveEveryFieldOfTheContract) {
  const auto run = small_run();
  run->names().set(1, {"legs", "a note"});
  const json cards = json::parse(features_document(*run))["features"];
  ASSERT_EQ(cards.size(), 3);
  EXPECT_THAT(keys(cards[1]),
              testing::UnorderedElementsAre("feature", "name", "note", "firing_rate", "expected_activation", "max",
                                            "consistency", "class", "entropy", "monosemanticity", "anchors", "flags",
                                            "duplicate_of", "top", "profile", "words", "negative"));
  EXPECT_EQ(cards[1]["name"], "legs");
  EXPECT_EQ(cards[1]["note"], "a note");
  EXPECT_EQ(cards[1]["flags"], json::parse(R"(["dense"])"));
  EXPECT_EQ(cards[1]["top"], json::parse("[2,1]"));
  EXPECT_EQ(cards[1]["consistency"], 0.5);
  EXPECT_EQ(cards[1]["class"], 0);
  EXPECT_EQ(cards[1]["profile"], json::parse("[0.5,0.5]"));
  EXPECT_EQ(cards[2]["flags"], json::parse(R"(["dead"])"));
  EXPECT_EQ(cards[2]["consistency"], nullptr);
  EXPECT_EQ(cards[2]["class"], nullptr);
  EXPECT_EQ(cards[2]["duplicate_of"], nullptr);

  const json page = json::parse(feature_document(*run, 1));
  for (const auto& [key, value] : cards[1].items()) {
    if (key == "top") continue;
    EXPECT_EQ(page[key], value) << key;
  }
  EXPECT_EQ(page["top"], json::parse(R"([{"item":2,"value":3.0},{"item":1,"value":2.0}])"));
  EXPECT_EQ(page["quantiles"].size(), 10);
  EXPECT_THAT(keys(page["quantiles"][0]), testing::UnorderedElementsAre("from", "to", "low", "high", "items"));
  EXPECT_EQ(page["quantiles"][0]["from"], 0.9);
  EXPECT_EQ(page["quantiles"][0]["to"], 1.0);
  EXPECT_EQ(page["silent"], json::parse("[0]"));
  EXPECT_EQ(page["histogram"]["edges"].size(), 21);
  EXPECT_EQ(page["histogram"]["counts"].size(), 20);
  EXPECT_EQ(page["histogram"]["zeros"], 1);
  EXPECT_EQ(page["classes"][0], json::parse(R"({"class":0,"count":1,"share":0.5,"rate":0.5,"mean":1.5,"negative":0})"));
  EXPECT_THAT(keys(page["similar"][0]), testing::UnorderedElementsAre("feature", "cosine"));
  EXPECT_EQ(page["cofiring"][0], json::parse(R"({"feature":0,"both":1,"jaccard":0.3333333333333333,"lift":0.75})"));
  EXPECT_EQ(page["anchor_items"], json::parse(R"([{"item":2,"value":3.0}])"));
}

TEST(Documents, ItemsHaveEveryFieldOfTheContract) {
  const auto run = small_run();
  EXPECT_EQ(json::parse(items_document(*run, 1, 1)),
            json::parse(R"({"total":3,"items":[{"item":1,"id":"id1","label":1,"active":2}]})"));
  EXPECT_EQ(json::parse(items_document(*run, 0, 9, 1))["total"], 1);
  const json item = json::parse(item_document(*run, 1));
  EXPECT_THAT(keys(item), testing::UnorderedElementsAre("item", "id", "texts", "marks", "label", "active", "norm",
                                                        "features", "neighbours", "links", "prediction"));
  EXPECT_EQ(item["active"], 2);
  EXPECT_EQ(item["features"][0]["feature"], 1);
  EXPECT_EQ(item["features"][1]["value"], 0.5);
  EXPECT_EQ(item["neighbours"].size(), 2);
  EXPECT_EQ(json::parse(item_document(*run, 0))["features"][0]["value"].dump(), "0.1");
}

TEST(Documents, AClassifierIsToldByWhatItDoesAndWhy) {
  catalogue::RunRecord record = test::record_of("nce");
  record.classifier = classify::Classifier{Matrix(2, 2, {1, -1, -1, 2}), {0.5F, -INFINITY}};
  const catalogue::Catalogue run(record, embeddings_of(4, 2, {1, 0, 2, 1, 0, 3, 1, 1}), items_of(4, 2));
  const std::vector<const catalogue::Catalogue*> runs = {&run};
  const json told = json::parse(overview_document(runs))["runs"][0]["classifier"];
  EXPECT_EQ(told["counts"], json::parse("[[2,0],[2,0]]")) << "the second class is never predicted";
  EXPECT_EQ(told["accuracy"], 0.5);
  EXPECT_EQ(told["commonest"], 0.5);
  EXPECT_EQ(told["worst"], 1);
  EXPECT_EQ(told["recall"], json::parse("[1.0,0.0]"));
  EXPECT_EQ(told["precision"], json::parse("[0.5,null]"));
  EXPECT_EQ(told["mistakes"], json::parse(R"([{"label":1,"predicted":0,"items":2,"share":1.0}])"));
  const json& carried = told["carried"][0];
  EXPECT_EQ(carried["items"], 2);
  EXPECT_EQ(carried["bias"], 0.5);
  EXPECT_EQ(carried["parts"][0], json::parse(R"({"feature":1,"activation":1.5,"weight":-1.0,"value":-1.5})"));
  EXPECT_EQ(carried["score"], -0.5);
  EXPECT_EQ(carried["others"], json::parse(R"({"features":0,"value":0.0})"));
  EXPECT_EQ(told["carried"][1]["score"], nullptr);

  const json prediction = json::parse(item_document(run, 1))["prediction"];
  EXPECT_EQ(prediction["class"], 0);
  EXPECT_EQ(prediction["score"], 1.5);
  EXPECT_EQ(prediction["runner_up"], nullptr);
  EXPECT_EQ(prediction["parts"].size(), 2);
  EXPECT_EQ(json::parse(item_document(*small_run(), 1))["prediction"], nullptr);
  EXPECT_EQ(json::parse(weights_document(run))["bias"], json::parse("[0.5,null]"));
  EXPECT_EQ(weights_document(*small_run()), "null");
}

TEST(Documents, AClassifierOfOtherClassesOrFeaturesIsLeftOut) {
  catalogue::RunRecord record = test::record_of("nce");
  record.classifier = classify::Classifier{Matrix(3, 2), {0, 0, 0}};
  const catalogue::Catalogue classes(record, embeddings_of(2, 2, {1, 0, 2, 1}), items_of(2, 2));
  EXPECT_EQ(classes.read_out(), nullptr);
  record.classifier = classify::Classifier{Matrix(2, 3), {0, 0}};
  const catalogue::Catalogue features(record, embeddings_of(2, 2, {1, 0, 2, 1}), items_of(2, 2));
  EXPECT_EQ(read_out_document(features), "null");
}

TEST(Documents, TextsOfItemsAndWordsOfFeaturesAreTold) {
  auto items = items_of(60, 0);
  std::vector<float> values;
  const std::string longest(6000, 'x');
  for (int64_t i = 0; i < 60; ++i) {
    const bool red = i % 3 == 0;
    items->texts.push_back({red ? "A red circle" : "A blue circle", i == 0 ? longest : "seen from above"});
    values.push_back(red ? 1.0F : -1.0F);
  }
  items->texts[7].clear();
  const auto run = catalogue_of(embeddings_of(60, 1, values), items);
  const std::vector<const catalogue::Catalogue*> runs = {run.get()};
  EXPECT_EQ(json::parse(overview_document(runs))["data"]["has_texts"], true);

  const json card = json::parse(features_document(*run))["features"][0];
  EXPECT_EQ(card["words"], json::parse(R"([{"word":"red","items":20,"with":1.0,"without":-1.0}])"));
  EXPECT_EQ(card["negative"]["words"][0]["word"], "blue");
  EXPECT_EQ(card["negative"]["words"][0]["items"], 39);
  EXPECT_EQ(json::parse(feature_document(*run, 0))["words"], card["words"]);

  EXPECT_EQ(json::parse(item_document(*run, 1))["texts"], json({"A blue circle", "seen from above"}));
  EXPECT_EQ(catalogue::characters(json::parse(item_document(*run, 0))["texts"][1].get<std::string>()), 5000);
  EXPECT_EQ(json::parse(item_document(*run, 7))["texts"], json::array());
  const json first = json::parse(texts_document(*items))["texts"];
  ASSERT_EQ(first.size(), 60);
  EXPECT_EQ(first[0], "A red circle");
  EXPECT_EQ(first[7], "");
  EXPECT_EQ(catalogue::characters(json::parse(all_texts_document(*items))[0][1].get<std::string>()), 1000);
  EXPECT_EQ(json::parse(texts_document(*items_of(3, 0)))["texts"], json::array());
}

TEST(Documents, PartsOfAnExplanationAddUpToItsScoreAsRead) {
  Embeddings features;
  features.features = test::random_features(40, 30, 0.6, true);
  const auto run = catalogue_of(features, items_of(40, 0));
  for (int64_t b = 0; b < 40; ++b) {
    const json why = json::parse(explain_document(*run, 3, b));
    double sum = 0;
    for (const json& part : why["parts"]) sum += part["contribution"].get<double>();
    EXPECT_EQ(sum, why["score"].get<double>());
    EXPECT_EQ(why["shared"], why["parts"].size());
    EXPECT_EQ(why["b"], b);
  }
  for (const json& near : json::parse(item_document(*run, 3))["neighbours"]) {
    EXPECT_EQ(near["score"], json::parse(explain_document(*run, 3, near["item"]))["score"]);
  }
}

TEST(Documents, ArraysAreBase64OfTheirBytes) {
  const auto run = small_run();
  EXPECT_EQ(json::parse(activations_document(*run, 0))["values"], encoded<float>({0.1F, 0.5F, 0}));
  EXPECT_EQ(json::parse(labels_document(run->items()))["labels"], encoded<int32_t>({0, 1, 0}));
  EXPECT_EQ(json::parse(labels_document(*items_of(2, 0)))["labels"], encoded<int32_t>({-1, -1}));
  const auto points = run->map("pca").values();
  EXPECT_EQ(json::parse(map_document(*run, "pca"))["points"], catalogue::base64(std::as_bytes(points)));
}

TEST(Documents, AnEmbeddedPictureIsExplainedByItsBestNeighbour) {
  const auto run = small_run();
  const json page = json::parse(embed_document(*run, std::vector<float>{0, 1, 0}));
  EXPECT_THAT(keys(page),
              testing::UnorderedElementsAre("active", "norm", "features", "neighbours", "parts", "with", "score"));
  EXPECT_EQ(page["with"], 2);
  EXPECT_EQ(page["score"], 1.0);
  EXPECT_EQ(page["neighbours"][0]["item"], 2);
  ASSERT_EQ(page["parts"].size(), 1);
  EXPECT_EQ(page["parts"][0]["contribution"], 1.0);
  EXPECT_EQ(json::parse(embed_document(*run, std::vector<float>(3, 0)))["parts"], json::array());
  const json other = json::parse(embed_document(*run, std::vector<float>{0.5F, 2, 0}, 1));
  EXPECT_EQ(other["with"], 1);
  EXPECT_EQ(other["parts"].size(), 2);
  EXPECT_DOUBLE_EQ(other["score"], 1);
}

TEST(Documents, AComparisonNamesTheRuns) {
  const catalogue::Comparison comparison{
      .pairs = {{12, 40, -0.5}}, .mean = 0.25, .mean_of_pairs = 0.5, .live_a = 64, .live_b = 42};
  EXPECT_EQ(json::parse(compare_document(comparison, 0, 2)),
            json::parse(R"({"a":0,"b":2,"pairs":[{"a":12,"b":40,"similarity":0.5,"cosine":-0.5}],"mean":0.25,
                            "mean_of_pairs":0.5,"live":[64,42]})"));
  EXPECT_EQ(json::parse(compare_document({}, 0, 1))["mean_of_pairs"], nullptr);
}

TEST(Documents, TheNegativeSideOfAFeatureIsToldOnItsOwn) {
  const auto run = catalogue_of(embeddings_of(4, 2, {1, 2, -3, 1, -1, 0, -2, 0}), items_of(4, 2));
  const json cards = json::parse(features_document(*run))["features"];
  EXPECT_EQ(cards[0]["top"], json::parse("[0]"));
  EXPECT_EQ(cards[0]["negative"], json::parse(R"({"rate":0.75,"min":-3.0,"consistency":0.6666666666666666,"class":1,
                                                  "top":[1,3,2],"profile":[0.3333333333333333,0.6666666666666666],
                                                  "words":[]})"));
  EXPECT_EQ(cards[1]["negative"], nullptr);
  const json page = json::parse(feature_document(*run, 0));
  EXPECT_EQ(page["negative"]["top"][0], json::parse(R"({"item":1,"value":-3.0})"));
  EXPECT_EQ(page["negative"]["quantiles"].size(), 10);
  EXPECT_EQ(page["classes"][1]["negative"], 2);
  EXPECT_EQ(json::parse(feature_document(*run, 1))["negative"], nullptr);
}

TEST(Documents, HostileTextSurvives) {
  const std::string hostile = "</script><!-- \"'\\ \xF0\x9F\x90\xB6\n\x01" + std::string(10'000, '<');
  auto items = items_of(2, 1);
  items->ids[0] = hostile;
  items->classes[0] = hostile;
  items->spec = "folder:\xFF" + hostile;
  catalogue::RunRecord record = test::record_of(hostile);
  record.recipe = {{hostile, hostile, hostile, hostile}};
  const catalogue::Catalogue run(record, embeddings_of(2, 1, {1, 2}), items);
  run.names().set(0, {"</script>", hostile.substr(0, 10'000)});
  const std::vector<const catalogue::Catalogue*> runs = {&run};
  const json page = json::parse(overview_document(runs));
  EXPECT_EQ(page["data"]["classes"][0], hostile);
  EXPECT_EQ(page["data"]["spec"], "folder:\xEF\xBF\xBD" + hostile);
  EXPECT_EQ(page["runs"][0]["name"], hostile);
  EXPECT_EQ(page["runs"][0]["recipe"][0][3], hostile);
  EXPECT_EQ(json::parse(item_document(run, 0))["id"], hostile);
  EXPECT_EQ(json::parse(feature_document(run, 0))["note"], hostile.substr(0, 10'000));
}

TEST(Documents, ALabelIsReadAsItIsWritten) {
  const catalogue::FeatureLabel label{"\"</script>", "two\nlines"};
  EXPECT_EQ(catalogue::parse_label(label_document(label)).label, label);
  EXPECT_EQ(catalogue::parse_label(R"({"name":"a","more":1})").label, (catalogue::FeatureLabel{"a", ""}));
  EXPECT_FALSE(catalogue::parse_label(R"({"name":"a"})").expected);
  EXPECT_EQ(*catalogue::parse_label(R"({"name":"a","expected":{"note":"b"}})").expected,
            (catalogue::FeatureLabel{"", "b"}));
  EXPECT_EQ(catalogue::parse_label("{\"name\":\"\xFF\"}").label.name, "\xEF\xBF\xBD");
  const std::string deep = "{\"name\":" + std::string(1'000'000, '[');
  for (const std::string& text : {std::string(), std::string("[]"), std::string("null"), std::string("{"), deep}) {
    EXPECT_THAT(message_of([&] { catalogue::parse_label(text); }),
                HasSubstr("[label] expected JSON with name and note"));
  }
  EXPECT_THAT(message_of([] { catalogue::parse_label(R"({"note":[1]})"); }),
              HasSubstr("expected note to be text, got array"));
}

}  // namespace
}  // namespace orthant::report
