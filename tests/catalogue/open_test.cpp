#include "orthant/catalogue/open.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "orthant/catalogue/measure_input.h"
#include "orthant/catalogue/sample.h"
#include "orthant/disentangle/monosemanticity.h"
#include "orthant/io/embeddings_file.h"
#include "tests/catalogue/catalogues.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::catalogue {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::message_of;
using test::write_bytes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Embeddings some_embeddings(int64_t rows, int64_t classes = 2) {
  Embeddings embeddings;
  embeddings.features = test::random_features(rows, 5, 0.6, false);
  for (int64_t i = 0; i < rows; ++i) embeddings.labels.push_back(i % classes);
  return embeddings;
}

class Open : public ::testing::Test {
 protected:
  Open() {
    fs::create_directories(run_.embeddings_folder());
    write_bytes(run_.recipe_file(), "[data]\nsource = \"nothing\"\n[train]\nmethod = \"ncl\"\n");
    options_.embed = [this](const EmbedRequest& request) {
      requests_.push_back(request);
      io::write_embeddings(request.output, some_embeddings(request.key.size > 0 ? request.key.size : 20));
    };
    options_.warn = [this](const std::string& line) { warnings_.push_back(line); };
  }

  test::TemporaryFolder folder_;
  RunPaths run_{folder_ / "ncl"};
  OpenOptions options_;
  std::vector<EmbedRequest> requests_;
  std::vector<std::string> warnings_;
};

TEST(SampledMeasures, AreThoseOfASampleAndSaySo) {
  const Embeddings embeddings = some_embeddings(400);
  std::vector<std::string> lines;
  const json document = json::parse(sampled_measures(embeddings, "file", embeddings.labels, 100, {},
                                                     [&](const std::string& line) { lines.push_back(line); }));
  EXPECT_EQ(document["input"]["rows"], 100);
  EXPECT_THAT(document["warnings"][0].get<std::string>(), HasSubstr("measured on 100 of 400 items, evenly chosen"));
  EXPECT_THAT(lines, ElementsAre(HasSubstr("[file] measured on 100 of 400 items")));
  const std::vector<int64_t> rows = even_sample(400, 100);
  Embeddings some = sampled(embeddings, rows);
  ASSERT_EQ(some.rows(), 100);
  EXPECT_EQ(some.labels[7], embeddings.labels[static_cast<size_t>(rows[7])]);
  json own = json::parse(measures_of(some, "file", some.labels, {}));
  json told = document;
  told.erase("warnings");
  own.erase("warnings");
  EXPECT_EQ(told, own);
}

TEST_F(Open, ARunIsACatalogueInOneCall) {
  const auto made = open_catalogue(run_.path() + "/", options_);
  EXPECT_EQ(made->items().size(), 20);
  EXPECT_EQ(made->record().name, "ncl");
  EXPECT_EQ(made->record().method, "ncl");
  ASSERT_EQ(requests_.size(), 1U);
  EXPECT_EQ(requests_[0].output, run_.embeddings_file({}));
  EXPECT_TRUE(fs::exists(run_.measures_file()));
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("no pictures, as nothing does not open")));

  const auto again = open_catalogue(run_.path(), options_);
  EXPECT_EQ(requests_.size(), 1U) << "they were kept";
  EXPECT_EQ(json::parse(again->record().measures), json::parse(made->record().measures));
}

TEST_F(Open, AReferenceTellsHowAlikeTheItemsOfFeaturesAre) {
  Embeddings reference;
  reference.features = test::random_features(20, 3, 1.0, false);
  io::write_embeddings(folder_ / "reference.npy", reference);
  options_.reference = folder_ / "reference.npy";
  const auto made = open_catalogue(run_.path(), options_);
  const Embeddings own = some_embeddings(20);
  const auto expected = disentangle::monosemanticity(own, reference);
  EXPECT_EQ(made->summaries()[2].monosemanticity, expected.scores[2]);
  const json measures = json::parse(made->record().measures);
  EXPECT_EQ(measures["monosemanticity"], expected.mean);
  EXPECT_FALSE(measures.contains("per_feature"));
  EXPECT_FALSE(fs::exists(run_.measures_file())) << "kept measures need no reference";
  reference.features = test::random_features(19, 3, 1.0, false);
  io::write_embeddings(folder_ / "reference.npy", reference);
  EXPECT_THAT(message_of([&] { open_catalogue(run_.path(), options_); }),
              HasSubstr("reference.npy] expected the 20 items of"));
}

TEST_F(Open, WhatAnAdaptedRunKeepsIsReadOrPassedOver) {
  EXPECT_EQ(read_run_record(run_.path()).adapter, "null");
  for (const char* none : {"{", "[]", "{\"kind\":\"other\"}", "{\"kind\":\"adapter\",\"retained\":[7]}"}) {
    write_bytes(run_.result_file(), none);
    EXPECT_EQ(read_run_record(run_.path()).adapter, "null") << none;
  }
  write_bytes(run_.result_file(), R"({"kind":"adapter","retained":[{"code":"4 on"}]})");
  EXPECT_EQ(json::parse(read_run_record(run_.path()).adapter)["retained"][0]["code"], "4 on");
}

TEST_F(Open, SomeItemsAreNeverTakenForTheWholeSplit) {
  io::write_embeddings(run_.embeddings_file({.size = 7}), some_embeddings(7));
  EXPECT_EQ(open_catalogue(run_.path(), options_)->items().size(), 20);
  options_.size = 7;
  EXPECT_EQ(open_catalogue(run_.path(), options_)->items().size(), 7);
  EXPECT_EQ(requests_.size(), 1U);
  EXPECT_EQ(json::parse(test::read_bytes(run_.measures_file()))["input"]["rows"], 20);
}

TEST_F(Open, OtherDataAreEmbeddedForThisTimeOnly) {
  options_.data = "sprites";
  options_.size = 6;
  EXPECT_EQ(open_catalogue(run_.path(), options_)->items().size(), 6);
  ASSERT_EQ(requests_.size(), 1U);
  EXPECT_EQ(requests_[0].key.data, "sprites");
  EXPECT_FALSE(fs::exists(requests_[0].output));
  EXPECT_TRUE(fs::is_empty(run_.embeddings_folder()));
}

TEST_F(Open, OldEmbeddingsAreMadeAgainOrTakenWithAWord) {
  io::write_embeddings(run_.embeddings_file({}), some_embeddings(9));
  write_bytes(run_.model_file(), "newer");
  fs::last_write_time(run_.model_file(), fs::last_write_time(run_.embeddings_file({})) + std::chrono::seconds(5));
  OpenOptions without = options_;
  without.embed = nullptr;
  EXPECT_EQ(open_catalogue(run_.path(), without)->items().size(), 9);
  EXPECT_THAT(warnings_.front(), HasSubstr("is older than the model"));
  EXPECT_EQ(open_catalogue(run_.path(), options_)->items().size(), 20);
}

TEST_F(Open, WithoutAWayToEmbedWhatIsMissingIsAnError) {
  options_.embed = nullptr;
  EXPECT_THAT(message_of([&] { open_catalogue(run_.path(), options_); }),
              HasSubstr("test-projector.safetensors, got none"));
  EXPECT_THAT(message_of([&] { open_catalogues({}, options_); }), HasSubstr("got none"));
}

TEST_F(Open, TextsComeFromAFileOfLinesOrADataSet) {
  io::write_embeddings(folder_ / "e.safetensors", some_embeddings(3));
  write_bytes(folder_ / "lines.txt", "one\ntwo words\nthree");
  options_.texts = folder_ / "lines.txt";
  const auto made = open_catalogue(folder_ / "e.safetensors", options_);
  EXPECT_THAT(made->items().texts, ElementsAre(ElementsAre("one"), ElementsAre("two words"), ElementsAre("three")));
  EXPECT_FALSE(made->items().pictures);
  write_bytes(folder_ / "few.txt", "one\ntwo\n");
  options_.texts = folder_ / "few.txt";
  EXPECT_THAT(message_of([&] { open_catalogue(folder_ / "e.safetensors", options_); }),
              HasSubstr("expected a row for each of the 2 items"));
  options_.texts = "sprites";
  EXPECT_THAT(message_of([&] { open_catalogue(folder_ / "e.safetensors", options_); }),
              HasSubstr("[sprites] expected texts, got pictures or vectors"));
}

TEST_F(Open, TextsFollowTheIdsOfTheEmbeddings) {
  Embeddings embeddings = some_embeddings(2);
  embeddings.ids = {"b", "a"};
  io::write_embeddings(folder_ / "e.safetensors", embeddings);
  write_bytes(folder_ / "t.txt", "of a\nof b\nof a too\n");
  write_bytes(folder_ / "ids.txt", "a\nb\na\n");
  options_.texts = "text:" + folder_ / "t.txt" + ",ids=" + folder_ / "ids.txt";
  const auto made = open_catalogue(folder_ / "e.safetensors", options_);
  EXPECT_THAT(made->items().texts, ElementsAre(ElementsAre("of b"), ElementsAre("of a", "of a too")));
}

TEST_F(Open, ARunOfPicturesWithCaptionsShowsBoth) {
  write_bytes(run_.recipe_file(), "[data]\nsource = \"sprites\"\nwith = \"captions\"\n[train]\nmethod = \"ncl\"\n");
  options_.size = 30;
  const auto made = open_catalogue(run_.path(), options_);
  ASSERT_EQ(made->items().texts.size(), 30U);
  EXPECT_GE(made->items().texts[3].size(), 2U);
  ASSERT_TRUE(made->items().pictures);
  EXPECT_EQ(made->items().rows.size(), 30U);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(Open, LabelsOfOneClassAreDroppedWithTheReason) {
  io::write_embeddings(folder_ / "one.safetensors", some_embeddings(12, 1));
  const auto made = open_catalogue(folder_ / "one.safetensors", options_);
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("labels of one class only, 0: they count as none")));
  EXPECT_EQ(json::parse(made->record().measures)["skipped"]["knn_accuracy"], "labels of one class only, 0");

  const MeasureInput input({.embeddings = folder_ / "one.safetensors"});
  EXPECT_EQ(measure::evaluate(input.input()).warnings.size(), 1U) << "the other way to the same measures";
}

TEST(MeasureInput, ReadsTheFilesThatAreNamed) {
  const test::TemporaryFolder folder;
  Embeddings both = some_embeddings(24);
  both.how = {{"views", "2"}, {"temperature", "0.5"}};
  io::write_embeddings(folder / "e.safetensors", some_embeddings(12));
  io::write_embeddings(folder / "views.safetensors", both);
  write_bytes(folder / "labels.txt", "a\nb\nc\na\nb\nc\na\nb\nc\na\nb\nc\n");
  const MeasureInput input({.embeddings = folder / "e.safetensors",
                            .labels = folder / "labels.txt",
                            .views = folder / "views.safetensors",
                            .bank = folder / "views.safetensors"});
  EXPECT_EQ(input.input().labels[2], 2);
  EXPECT_EQ(input.input().first_view->rows(), 12);
  EXPECT_EQ(input.input().second_view->rows(), 12);
  EXPECT_EQ(input.input().bank->rows(), 24);
  EXPECT_EQ(input.input().bank_labels.size(), 24U);
  EXPECT_EQ(input.temperature(), 0.5);
  EXPECT_FALSE(input.input().other);
}

TEST(MeasureInput, RefusesFilesThatDoNotFit) {
  const test::TemporaryFolder folder;
  io::write_embeddings(folder / "e.npy", some_embeddings(12));
  io::write_embeddings(folder / "more.npy", some_embeddings(13));
  write_bytes(folder / "few.txt", "1\n2\n");
  const auto refused = [](const MeasureFiles& files) { return message_of([&] { MeasureInput{files}; }); };
  EXPECT_THAT(refused({.embeddings = folder / "e.npy", .labels = folder / "few.txt"}),
              HasSubstr("expected a label for each of the 12 rows"));
  EXPECT_THAT(refused({.embeddings = folder / "e.npy", .views = folder / "more.npy"}),
              HasSubstr("expected a second view of each of the 12 rows"));
}

}  // namespace
}  // namespace orthant::catalogue
