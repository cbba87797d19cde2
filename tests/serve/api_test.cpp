#include "orthant/serve/api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/io/image_file.h"
#include "orthant/report/documents.h"
#include "orthant/report/selection_documents.h"
#include "orthant/serve/exchange.h"
#include "orthant/serve/strip.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::serve {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

constexpr int64_t kItems = 40;
constexpr int64_t kFeatures = 7;

// Pictures that tell which they are.
class Numbered : public Dataset {
 public:
  explicit Numbered(int64_t side, bool varying) : side_(side), varying_(varying) {
    info_.height = info_.width = varying ? 0 : side;
    info_.channels = varying ? 0 : 3;
  }
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return 2 * kItems; }
  Image image(int64_t i) const override {
    check_index(i);
    Image image(side_ + (varying_ ? i : 0), side_, varying_ && i % 2 == 1 ? 1 : 3, static_cast<uint8_t>(i));
    image.pixels.front() = 200;
    return image;
  }

 private:
  DatasetInfo info_;
  int64_t side_;
  bool varying_;
};

std::shared_ptr<catalogue::Items> items_with(DatasetPtr pictures) {
  auto items = std::make_shared<catalogue::Items>();
  for (int64_t i = 0; i < kItems; ++i) {
    items->ids.push_back(std::to_string(i));
    items->labels.push_back(i % 3);
    if (pictures != nullptr) items->rows.push_back(2 * i);
  }
  items->classes = {"</script>", "\xf0\x9f\x90\x88", "c"};
  items->pictures = std::move(pictures);
  return items;
}

std::unique_ptr<catalogue::Catalogue> catalogue(std::shared_ptr<const catalogue::Items> items, uint64_t seed,
                                                const std::string& names_path = {}) {
  Rng rng(seed);
  Embeddings embeddings;
  Matrix values(kItems, kFeatures);
  for (int64_t i = 0; i < kItems; ++i) {
    for (int64_t f = 0; f < kFeatures; ++f) values(i, f) = rng.bernoulli(0.5) ? static_cast<float>(rng.uniform()) : 0;
  }
  embeddings.features = std::move(values);
  catalogue::RunRecord record;
  record.name = record.path = "run";
  record.names_path = names_path;
  return std::make_unique<catalogue::Catalogue>(std::move(record), std::move(embeddings), std::move(items));
}

class ApiTest : public testing::Test {
 protected:
  Reply ask(const std::string& method, const std::string& path, std::multimap<std::string, std::string> query = {},
            const std::string& body = {}) const {
    Request request;
    request.method = method;
    request.path = path;
    request.query = std::move(query);
    request.body = body;
    return api_.answer(request);
  }
  Json get(const std::string& path, std::multimap<std::string, std::string> query = {}) const {
    return Json::parse(ask("GET", "/api/v1" + path, std::move(query)).body);
  }
  int status_of(const std::string& method, const std::string& path, std::multimap<std::string, std::string> query = {},
                const std::string& body = {}) const {
    try {
      return ask(method, "/api/v1" + path, std::move(query), body).status;
    } catch (const StatusError& error) {
      return error.status;
    } catch (const std::invalid_argument&) {
      return 400;
    } catch (const IoError&) {
      return 500;
    }
  }

  test::TemporaryFolder folder_;
  std::shared_ptr<catalogue::Items> items_ = items_with(std::make_shared<Numbered>(5, false));
  std::unique_ptr<catalogue::Catalogue> first_ = catalogue(items_, 1, folder_ / "names.json");
  std::unique_ptr<catalogue::Catalogue> second_ = catalogue(items_, 2);
  std::string seen_;
  mutable heat::Question asked_;
  Api api_{{first_.get(), second_.get()},
           {.encoders = {[this](std::string_view picture) {
                           seen_ = picture;
                           return std::vector<float>{1, 0, 0.5, 0, 0, 0, 2};
                         },
                         nullptr},
            .text_encoders = {[this](std::string_view text) {
                                seen_ = text;
                                return std::vector<float>{0, 0, 0, 0, 0, 1, 3};
                              },
                              nullptr},
            .mappers = {[this](const heat::Question& question) {
                          asked_ = question;
                          const auto count = std::ssize(question.features) + (question.other.empty() ? 0 : 1);
                          heat::HeatMaps maps{.rows = 1, .cols = 2, .box = {0.25F, 0, 0.5F, 1}};
                          maps.maps = Matrix(count, 2);
                          for (int64_t m = 0; m < count; ++m) maps.maps(m, 1) = static_cast<float>(m + 1);
                          maps.values.assign(static_cast<size_t>(count), 3);
                          maps.rests.assign(static_cast<size_t>(count), 0.5F);
                          return maps;
                        },
                        nullptr}}};
};

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

TEST_F(ApiTest, NamesAreSavedAndSeenFromThenOn) {
  const std::string note = "</script> \xf0\x9f\x90\x88 " + std::string(9000, 'n');
  const std::string body = Json{{"name", "wheels"}, {"note", note}}.dump();
  const Reply reply = ask("PUT", "/api/v1/runs/0/features/3/label", {}, body);
  EXPECT_EQ(Json::parse(reply.body), Json::parse(body));
  EXPECT_EQ(get("/runs/0/features/3").at("name"), "wheels");
  EXPECT_EQ(get("/runs/0/features").at("features").at(3).at("note"), note);
  EXPECT_EQ(get("/runs/1/features/3").at("name"), "");
  const Json file = Json::parse(test::read_bytes(folder_ / "names.json"));
  EXPECT_EQ(file.at("features").at("3").at("name"), "wheels");
}

TEST_F(ApiTest, ANameThatWasGivenMeanwhileIsNotLost) {
  const std::string path = "/api/v1/runs/0/features/3/label";
  const auto put = [&](const char* name, const char* expected) {
    return ask("PUT", path, {}, Json{{"name", name}, {"note", ""}, {"expected", {{"name", expected}}}}.dump());
  };
  EXPECT_EQ(put("wheels", "").status, 200);
  const Reply refused = put("legs", "");
  EXPECT_EQ(refused.status, 409);
  EXPECT_EQ(Json::parse(refused.body).at("label").at("name"), "wheels");
  EXPECT_EQ(get("/runs/0/features/3").at("name"), "wheels");
  EXPECT_EQ(put("legs", "wheels").status, 200);
  EXPECT_EQ(status_of("PUT", "/runs/0/features/3/label", {}, R"({"name":"a","expected":3})"), 400);
  EXPECT_EQ(get("/runs/0/names").at("features"), Json::parse(R"({"3":{"name":"legs","note":""}})"));
  EXPECT_EQ(get("/runs/1/names").at("features"), Json::object());
}

TEST_F(ApiTest, NamesGivenAtOnceAreAllKept) {
  std::vector<std::thread> threads;
  for (int64_t f = 0; f < kFeatures; ++f) {
    threads.emplace_back([this, f] {
      for (int round = 0; round < 5; ++round) {
        ask("PUT", join("/api/v1/runs/0/features/", f, "/label"), {},
            Json{{"name", join("n", f)}, {"note", ""}}.dump());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Json file = Json::parse(test::read_bytes(folder_ / "names.json"));
  for (int64_t f = 0; f < kFeatures; ++f) {
    EXPECT_EQ(file.at("features").at(std::to_string(f)).at("name"), join("n", f));
  }
}

TEST_F(ApiTest, NamesThatAreNoneAreRefused) {
  const std::string path = "/runs/0/features/3/label";
  for (const std::string& body :
       {std::string(), std::string("{"), std::string("[]"), std::string("\"a\""), std::string("{\"name\":1}"),
        std::string("null"), std::string(100'000, '['), Json{{"name", std::string(201, 'x')}}.dump(),
        Json{{"note", std::string(10'001, 'x')}}.dump()}) {
    EXPECT_EQ(status_of("PUT", path, {}, body), 400) << body.substr(0, 40);
  }
  EXPECT_EQ(status_of("PUT", path, {}, std::string(200'001, ' ')), 413);
  EXPECT_EQ(status_of("PUT", "/runs/0/features/7/label", {}, "{}"), 404);
  EXPECT_EQ(get("/runs/0/features/3").at("name"), "");
}

TEST_F(ApiTest, NamesInBrokenUtf8AreMended) {
  EXPECT_EQ(status_of("PUT", "/runs/0/features/3/label", {}, "{\"name\":\"a\xff\"}"), 200);
  EXPECT_EQ(get("/runs/0/features/3").at("name"), "a\xef\xbf\xbd");
}

TEST_F(ApiTest, NamesThatCannotBeSavedSayWhy) {
  const auto run = catalogue(items_, 1, folder_ / "not/there/names.json");
  const Api api({run.get()});
  Request request;
  request.method = "PUT";
  request.path = "/api/v1/runs/0/features/3/label";
  request.body = R"({"name":"a","note":""})";
  EXPECT_THAT(test::message_of([&] { api.answer(request); }), HasSubstr("not/there"));
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
