#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "tests/serve/api_fixture.h"
#include "tests/support/message_of.h"

namespace orthant::serve {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

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

}  // namespace
}  // namespace orthant::serve
