#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "orthant/io/image_file.h"
#include "orthant/report/documents.h"
#include "orthant/serve/strip.h"
#include "tests/serve/api_fixture.h"
#include "tests/support/message_of.h"

namespace orthant::serve {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

TEST_F(ApiTest, TellsWhereInAPictureFeaturesFire) {
  const Json where = get("/runs/0/items/4/where", {{"features", "2,5"}, {"with", "7"}});
  EXPECT_EQ(where.at("method"), "additive");
  EXPECT_EQ(where.at("grid"), Json({1, 2}));
  EXPECT_EQ(where.at("box"), Json({0.25, 0.0, 0.5, 1.0}));
  EXPECT_EQ(where.at("picture"), Json({5, 5}));
  EXPECT_EQ(where.at("maps").size(), 2U);
  EXPECT_EQ(where.at("maps").at(1).at("feature"), 5);
  EXPECT_EQ(where.at("maps").at(1).at("value"), 3);
  EXPECT_EQ(where.at("maps").at(1).at("rest"), 0.5);
  EXPECT_EQ(where.at("maps").at(1).at("parts"), "AAAAAAAAAEA=");  // 0 and 2
  EXPECT_EQ(where.at("match").at("with"), 7);
  EXPECT_EQ(asked_.features, (std::vector<int64_t>{2, 5}));
  EXPECT_EQ(io::decode_image(std::as_bytes(std::span(asked_.picture)), "asked"), items_->pictures->image(8));
  for (int64_t f = 0; f < kFeatures; ++f) {
    EXPECT_EQ(asked_.other[static_cast<size_t>(f)], first_->activations(f)[7]);
  }
  EXPECT_TRUE(get("/runs/0/items/4/where", {{"features", "2"}}).at("match").is_null());
  const std::string png = io::encode_png(Image(3, 3, 3));
  const Json own = Json::parse(ask("POST", "/api/v1/runs/0/where", {{"features", "1"}}, png).body);
  EXPECT_TRUE(own.at("picture").is_null());
  EXPECT_EQ(asked_.picture, png);
}

TEST_F(ApiTest, RefusesToTellWhereWithoutAReason) {
  const std::string path = "/runs/0/items/4/where";
  EXPECT_EQ(status_of("GET", path), 400);
  EXPECT_EQ(status_of("GET", path, {{"features", "7"}}), 404);
  EXPECT_EQ(status_of("GET", path, {{"features", "1,x"}}), 400);
  EXPECT_EQ(status_of("GET", path, {{"with", "40"}}), 404);
  std::string many = "1";
  for (int i = 0; i < 64; ++i) many += ",1";
  EXPECT_EQ(status_of("GET", path, {{"features", many}}), 400);
  EXPECT_EQ(status_of("GET", "/runs/0/items/40/where", {{"features", "1"}}), 404);
  EXPECT_EQ(status_of("GET", "/runs/1/items/4/where", {{"features", "1"}}), 404);
  EXPECT_EQ(status_of("POST", path, {{"features", "1"}}), 405);
  EXPECT_EQ(status_of("POST", "/runs/0/where", {{"features", "1"}}, "no picture"), 415);
  EXPECT_EQ(status_of("POST", "/runs/0/where", {{"features", "1"}}), 415);
}

TEST_F(ApiTest, PicturesAreThoseOfTheDataSetPixelForPixel) {
  const Reply reply = ask("GET", "/api/v1/items/7/picture");
  EXPECT_EQ(reply.type, "image/png");
  EXPECT_EQ(io::decode_image(std::as_bytes(std::span(reply.body)), "reply"), items_->pictures->image(14));
}

TEST_F(ApiTest, StripsHoldThePicturesInTheirOrder) {
  const Reply reply = ask("GET", "/api/v1/pictures", {{"items", "7,0,39"}});
  const Image strip = io::decode_image(std::as_bytes(std::span(reply.body)), "reply");
  ASSERT_EQ(strip.width, 15);
  ASSERT_EQ(strip.height, 5);
  int64_t left = 0;
  for (const int64_t item : {7, 0, 39}) {
    const Image picture = items_->pictures->image(2 * item);
    for (int64_t y = 0; y < 5; ++y) {
      for (int64_t x = 0; x < 5; ++x) {
        EXPECT_TRUE(std::ranges::equal(strip.at(y, left + x), picture.at(y, x))) << item << " " << y << " " << x;
      }
    }
    left += 5;
  }
}

TEST_F(ApiTest, PicturesThatTheClientHasAreNotSentAgain) {
  Request request;
  request.method = "GET";
  request.path = "/api/v1/items/7/picture";
  const Reply first = api_.answer(request);
  ASSERT_EQ(first.fields.front().first, "ETag");
  request.fields = {{"if-none-match", first.fields.front().second}};
  const Reply again = api_.answer(request);
  EXPECT_EQ(again.status, 304);
  EXPECT_TRUE(again.body.empty());
  request.fields = {{"if-none-match", "\"other\""}};
  EXPECT_EQ(api_.answer(request).status, 200);
}

TEST_F(ApiTest, APictureFromElsewhereIsEmbedded) {
  const std::string picture = io::encode_png(Image(4, 4, 3, 9));
  const Json document = Json::parse(ask("POST", "/api/v1/runs/0/embed", {}, picture).body);
  EXPECT_EQ(seen_, picture);
  EXPECT_EQ(document.at("features").at(0).at("feature"), 6);
  EXPECT_EQ(document.at("neighbours").size(), 24u);
  double sum = 0;
  for (const Json& part : document.at("parts")) sum += part.at("contribution").get<double>();
  EXPECT_NEAR(sum, document.at("neighbours").at(0).at("score").get<double>(), 1e-12);
  const int64_t other = document.at("neighbours").at(5).at("item");
  const Json why = Json::parse(ask("POST", "/api/v1/runs/0/embed", {{"with", std::to_string(other)}}, picture).body);
  EXPECT_EQ(why.at("with"), other);
  EXPECT_EQ(why.at("score"), document.at("neighbours").at(5).at("score"));
  EXPECT_EQ(status_of("POST", "/runs/0/embed", {{"with", "99999"}}, picture), 404);
}

TEST_F(ApiTest, WhatIsNoPictureOrHasNoModelIsRefused) {
  EXPECT_EQ(status_of("POST", "/runs/0/embed", {}, ""), 415);
  EXPECT_EQ(status_of("POST", "/runs/0/embed", {}, "GIF89a"), 415);
  EXPECT_EQ(status_of("POST", "/runs/1/embed", {}, io::encode_png(Image(4, 4, 3))), 404);
  EXPECT_EQ(status_of("POST", "/runs/2/embed", {}, io::encode_png(Image(4, 4, 3))), 404);
  EXPECT_EQ(seen_, "");
}

TEST(Api, WithoutADataSetThereAreNoPictures) {
  const auto run = catalogue(items_with(nullptr), 1);
  const Api api({run.get()});
  Request request;
  request.method = "GET";
  request.path = "/api/v1/items/0/picture";
  EXPECT_THAT(test::message_of([&] { api.answer(request); }), HasSubstr("there are no pictures"));
}

TEST(Strip, PicturesOfVariousSizesAreCentredInSquares) {
  const auto items = items_with(std::make_shared<Numbered>(100, true));
  const std::vector<int64_t> wanted = {0, 39};
  const Image strip = picture_strip(*items, wanted);
  EXPECT_EQ(strip.height, kVaryingCell);
  EXPECT_EQ(strip.width, 2 * kVaryingCell);
  EXPECT_EQ(strip.at(0, 0)[0], 128);
  EXPECT_EQ(strip.at(14, 14)[0], 200);
  EXPECT_EQ(strip.at(14, 15)[0], 0);
  EXPECT_EQ(strip.at(64, kVaryingCell + 64)[2], 78);
}

TEST(Strip, LargePicturesAreScaledDown) {
  const auto items = items_with(std::make_shared<Numbered>(1000, false));
  const std::vector<int64_t> wanted = {3};
  EXPECT_EQ(picture_strip(*items, wanted).width, kLargestCell);
}

}  // namespace
}  // namespace orthant::serve
