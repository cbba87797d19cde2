#include "orthant/serve/api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <nlohmann/json.hpp>

#include "orthant/io/image_file.h"
#include "orthant/report/documents.h"
#include "orthant/report/selection_documents.h"
#include "tests/serve/api_fixture.h"
#include "tests/support/message_of.h"

namespace orthant::serve {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

TEST_F(ApiTest, DocumentsAreThoseOfTheReport) {
  EXPECT_EQ(ask("GET", "/api/v1/runs/1/features").body, report::features_document(*second_));
  EXPECT_EQ(ask("GET", "/api/v1/runs/0/features/3").body, report::feature_document(*first_, 3));
  EXPECT_EQ(ask("GET", "/api/v1/runs/0/items/5").body, report::item_document(*first_, 5));
  EXPECT_EQ(ask("GET", "/api/v1/runs/0/activations/6").body, report::activations_document(*first_, 6));
  EXPECT_EQ(ask("GET", "/api/v1/labels").body, report::labels_document(*items_));
  EXPECT_EQ(get("/ids").at("ids"), Json(items_->ids));
  EXPECT_EQ(get("/texts").at("texts"), Json::array());
  EXPECT_EQ(ask("GET", "/api/v1/runs/0/map/pca").body, report::map_document(*first_, "pca"));
  EXPECT_EQ(get("/overview").at("runs").size(), 2u);
  EXPECT_EQ(get("/overview").at("data").at("classes").at(0), "</script>");
  EXPECT_EQ(get("/compare", {{"a", "0"}, {"b", "1"}}).at("b"), 1);
}

TEST_F(ApiTest, PartsOfAnExplanationSumToItsScore) {
  for (int64_t b = 1; b < kItems; ++b) {
    const Json explanation = get("/runs/0/explain", {{"a", "0"}, {"b", std::to_string(b)}});
    double sum = 0;
    for (const Json& part : explanation.at("parts")) sum += part.at("contribution").get<double>();
    EXPECT_NEAR(sum, explanation.at("score").get<double>(), 1e-15);
  }
}

TEST_F(ApiTest, SuspectsAreItemsOfTheRunAndCounted) {
  const Json clean = get("/runs/0/clean");
  EXPECT_EQ(clean.at("items"), kItems);
  std::map<std::string, int64_t> counted;
  for (const Json& suspect : clean.at("suspects")) {
    ++counted[suspect.at("kind")];
    EXPECT_LT(suspect.at("item").get<int64_t>(), kItems);
    EXPECT_GE(suspect.at("score").get<double>(), 0);
  }
  for (const Json& kind : clean.at("kinds")) EXPECT_EQ(kind.at("count"), counted[kind.at("kind")]);
  EXPECT_EQ(get("/runs/0/clean"), clean);
  EXPECT_EQ(status_of("GET", "/runs/2/clean"), 404);
  EXPECT_EQ(status_of("POST", "/runs/0/clean"), 405);
}

TEST_F(ApiTest, ItemsComeInPages) {
  EXPECT_EQ(get("/runs/0/items").at("total"), kItems);
  EXPECT_EQ(get("/runs/0/items", {{"offset", "38"}, {"limit", "10"}}).at("items").size(), 2u);
  EXPECT_EQ(get("/runs/0/items", {{"class", "2"}}).at("items").at(0).at("item"), 2);
  EXPECT_TRUE(get("/runs/0/items", {{"offset", "9223372036854775807"}}).at("items").empty());
}

TEST_F(ApiTest, NumbersThatAreNotThereAreUnknown) {
  EXPECT_EQ(status_of("GET", "/runs/2/features"), 404);
  EXPECT_EQ(status_of("GET", "/runs/0/features/7"), 404);
  EXPECT_EQ(status_of("GET", "/runs/0/activations/99999999999999999999"), 404);
  EXPECT_EQ(status_of("GET", "/runs/0/items/40"), 404);
  EXPECT_EQ(status_of("GET", "/items/40/picture"), 404);
  EXPECT_EQ(status_of("GET", "/runs/0/explain", {{"a", "0"}, {"b", "40"}}), 404);
  EXPECT_EQ(status_of("GET", "/pictures", {{"items", "1,40"}}), 404);
  EXPECT_EQ(status_of("GET", "/compare", {{"a", "0"}, {"b", "2"}}), 404);
}

TEST_F(ApiTest, ValuesThatMakeNoSenseAreBad) {
  EXPECT_EQ(status_of("GET", "/runs/0/explain"), 400);
  EXPECT_EQ(status_of("GET", "/runs/0/explain", {{"a", "-1"}, {"b", "1"}}), 400);
  EXPECT_EQ(status_of("GET", "/runs/0/items", {{"limit", "0"}}), 400);
  EXPECT_EQ(status_of("GET", "/runs/0/items", {{"limit", "1001"}}), 400);
  EXPECT_EQ(status_of("GET", "/runs/0/items", {{"class", "3"}}), 400);
  EXPECT_EQ(status_of("GET", "/pictures", {{"items", ""}}), 400);
  std::string many = "0";
  for (int i = 0; i < 64; ++i) many += ",0";
  EXPECT_EQ(status_of("GET", "/pictures", {{"items", many}}), 400);
}

TEST_F(ApiTest, ATextIsEmbeddedAndFindsItems) {
  const std::string text = "a red h\u00e9art";
  const Json document = Json::parse(ask("POST", "/api/v1/runs/0/text", {}, text).body);
  EXPECT_EQ(seen_, text);
  EXPECT_EQ(document.at("features").at(0).at("feature"), 6);
  EXPECT_EQ(document.at("neighbours").size(), 24u);
  double sum = 0;
  for (const Json& part : document.at("parts")) sum += part.at("contribution").get<double>();
  EXPECT_NEAR(sum, document.at("score").get<double>(), 1e-12);
  EXPECT_EQ(Json::parse(ask("POST", "/api/v1/runs/0/text", {{"with", "3"}}, text).body).at("with"), 3);
}

TEST_F(ApiTest, ItemsChosenByTheirBitsAreContrasted) {
  const std::string bits = {'\x05', '\0', '\0', '\0', '\x80'};  // items 0, 2 and 39
  std::vector<bool> chosen(kItems);
  chosen[0] = chosen[2] = chosen[39] = true;
  EXPECT_EQ(ask("POST", "/api/v1/runs/1/contrast", {}, bits).body, report::contrast_document(*second_, chosen));
  for (const std::string& body : {std::string(), bits.substr(1), bits + '\0', std::string(1'000'000, '\xff')}) {
    EXPECT_EQ(status_of("POST", "/runs/1/contrast", {}, body), 400) << body.size();
  }
  EXPECT_EQ(status_of("POST", "/runs/2/contrast", {}, bits), 404);
  EXPECT_EQ(status_of("GET", "/runs/1/contrast"), 405);
}

TEST_F(ApiTest, RowsAreThoseAskedFor) {
  const std::vector<int64_t> wanted = {7, 0, 39, 7};
  EXPECT_EQ(ask("POST", "/api/v1/runs/0/rows", {}, "7,0,39,7").body, report::rows_document(*first_, wanted));
  for (const char* body : {"", ",", "7,", "7, 0", "-1", "7;0", "x", "1e3", "7\n"}) {
    EXPECT_EQ(status_of("POST", "/runs/0/rows", {}, body), 400) << body;
  }
  EXPECT_EQ(status_of("POST", "/runs/0/rows", {}, "7,40"), 404);
  std::string many = "0";
  for (int i = 0; i < 999; ++i) many += ",0";
  EXPECT_EQ(status_of("POST", "/runs/0/rows", {}, many), 200);
  EXPECT_EQ(status_of("POST", "/runs/0/rows", {}, many + ",0"), 400);
}

TEST_F(ApiTest, AnItemCanBeAskedForWithOtherValues) {
  const std::vector<report::FeatureChange> changes = {{3, 0}, {6, -1.5F}};
  EXPECT_EQ(ask("GET", "/api/v1/runs/0/items/5/changed", {{"features", "3,6"}, {"values", "0,-1.5e0"}}).body,
            report::changed_document(*first_, 5, changes));
  const auto status = [&](const char* features, const char* values) {
    return status_of("GET", "/runs/0/items/5/changed", {{"features", features}, {"values", values}});
  };
  EXPECT_EQ(status("7", "1"), 404);
  for (const char* values : {"", "1,2", "nan", "inf", "-inf", "1e99", "0x1", " 1", "1 ", "1;", "--1", "%31"}) {
    EXPECT_EQ(status("3", values), 400) << values;
  }
  for (const char* features : {"", "-3", "f3", "3,", "3.0"}) EXPECT_EQ(status(features, "1"), 400) << features;
  std::string features = "0";
  std::string values = "1";
  for (int i = 0; i < 64; ++i) {
    features += ",0";
    values += ",1";
  }
  EXPECT_EQ(status(features.c_str(), values.c_str()), 400);
  EXPECT_EQ(status_of("GET", "/runs/0/items/5/changed", {{"features", "3"}}), 400);
  EXPECT_EQ(status_of("GET", "/runs/0/items/40/changed", {{"features", "3"}, {"values", "1"}}), 404);
  EXPECT_EQ(status_of("GET", "/runs/0/items/5/changed", {{"features", "3"}, {"values", "3e38"}}), 200);
}

TEST_F(ApiTest, NeighboursVote) {
  EXPECT_EQ(ask("GET", "/api/v1/runs/1/vote").body, report::vote_document(*second_));
  EXPECT_EQ(get("/runs/1/vote").at("judged"), kItems);
}

TEST_F(ApiTest, TextsThatCannotBeReadAreRefused) {
  for (const char* blank : {"", " ", "\n\t ", "\xe2\x80\x83", "?! ...", "\xf0\x9f\x91\xbe"}) {
    EXPECT_EQ(status_of("POST", "/runs/0/text", {}, blank), 400);
  }
  for (const char* broken : {"\xff", "a\xc3", "\xed\xa0\x80", "\xc0\xaf"}) {
    EXPECT_EQ(status_of("POST", "/runs/0/text", {}, broken), 400);
  }
  EXPECT_EQ(status_of("POST", "/runs/0/text", {}, std::string(10'001, 'a')), 413);
  EXPECT_EQ(status_of("POST", "/runs/0/text", {{"with", "99999"}}, "a"), 404);
  EXPECT_EQ(status_of("POST", "/runs/0/text", {{"with", "x"}}, "a"), 400);
  EXPECT_EQ(status_of("POST", "/runs/1/text", {}, "a"), 404);
  EXPECT_EQ(status_of("POST", "/runs/2/text", {}, "a"), 404);
  EXPECT_EQ(status_of("GET", "/runs/0/text"), 405);
  EXPECT_EQ(seen_, "");
  EXPECT_EQ(status_of("POST", "/runs/0/text", {}, std::string(10'000, 'a')), 200);
}

TEST_F(ApiTest, ThePageHasAStrictPolicy) {
  const Reply page = ask("GET", "/");
  EXPECT_EQ(page.type, "text/html; charset=utf-8");
  EXPECT_THAT(page.body, HasSubstr("<!DOCTYPE html>"));
  EXPECT_THAT(page.fields.front().second, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page.fields.front().second, testing::Not(HasSubstr("script-src 'unsafe-inline'")));
}

TEST(Api, LimitsWhatTakesLong) {
  const auto items = items_with(nullptr);
  const auto run = catalogue(items, 1);
  std::promise<void> begun;
  std::promise<void> go;
  const Api api({run.get()}, {.encoders = {[&](std::string_view) {
                                begun.set_value();
                                go.get_future().wait();
                                return std::vector<float>(kFeatures, 1.0F);
                              }},
                              .slow = 1});
  Request request;
  request.method = "POST";
  request.path = "/api/v1/runs/0/embed";
  request.body = io::encode_png(Image(4, 4, 3));
  auto first = std::async(std::launch::async, [&] { return api.answer(request).status; });
  begun.get_future().wait();
  EXPECT_EQ(test::message_of([&] { api.answer(request); }), "busy: try again in a moment");
  go.set_value();
  EXPECT_EQ(first.get(), 200);
}

}  // namespace
}  // namespace orthant::serve
