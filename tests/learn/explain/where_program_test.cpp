#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "learn/explain/picture_maps.h"
#include "learn/nn/model.h"
#include "orthant/io/image_file.h"
#include "orthant/io/npz.h"
#include "orthant/sources/sprites.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::run_orthant;
using testing::HasSubstr;

class WhereProgram : public testing::Test {
 protected:
  WhereProgram() {
    ModelOptions options;
    options.backbone.width = 8;
    options.projector = {.hidden = 16, .out = 12};
    options.notes["data"] = "sprites";
    Model(options, 3).save(model_);
  }
  test::TemporaryFolder folder_;
  std::string model_ = folder_ / "model.safetensors";
};

TEST_F(WhereProgram, MapsOfAnItemAddUpAndAreThoseOfTheLibrary) {
  const auto done =
      run_orthant({"where", model_, "--data", "sprites", "--item", "5", "--item", "9", "--with", "7", "--features", "3",
                   "--json", "-o", folder_ / "sheet.png", "--maps", folder_ / "maps.npz"});
  ASSERT_EQ(done.code, 0) << done.errors;
  const auto document = nlohmann::json::parse(done.output);
  EXPECT_EQ(document["method"], "additive");
  EXPECT_EQ(document["grid"], nlohmann::json({32, 32}));
  ASSERT_EQ(document["maps"].size(), 8U);
  for (const auto& map : document["maps"]) {
    EXPECT_NEAR(map["sum"].get<double>() + map["rest"].get<double>(), map["value"].get<double>(), 1e-4);
  }
  EXPECT_EQ(document["maps"][3]["with"], "7");
  Model model = Model::load(model_);
  const std::vector<int64_t> feature = {document["maps"][0]["feature"].get<int64_t>()};
  const auto own = picture_maps(model, make_sprites({.split = "test"})->image(5), {.features = feature}).maps;
  EXPECT_NEAR(document["maps"][0]["map"][1][2].get<double>(), own.maps(0, 34), 1e-5);
  EXPECT_EQ(io::read_image(folder_ / "sheet.png").channels, 3);
  const auto file = io::Npz::open(folder_ / "maps.npz");
  EXPECT_EQ(file.read("maps").shape, (std::vector<int64_t>{8, 32, 32}));
  EXPECT_EQ(file.read("pictures").as<int64_t>()[4], 1);
  EXPECT_EQ(file.read("features").as<int64_t>()[3], -1);
}

TEST_F(WhereProgram, TakesPicturesOfOnesOwnAndCovers) {
  io::write_png(folder_ / "own.png", make_sprites()->image(1));
  const auto done = run_orthant(
      {"where", model_, "--image", folder_ / "own.png", "--feature", "2", "--method", "occlusion", "--json"});
  ASSERT_EQ(done.code, 0) << done.errors;
  const auto document = nlohmann::json::parse(done.output);
  EXPECT_EQ(document["method"], "occlusion");
  EXPECT_EQ(document["grid"], nlohmann::json({8, 8}));
}

TEST_F(WhereProgram, TellsThePlacesOfTheLastLayer) {
  const auto done = run_orthant(
      {"where", model_, "--data", "sprites", "--item", "5", "--feature", "2", "--method", "places", "--json"});
  ASSERT_EQ(done.code, 0) << done.errors;
  const auto document = nlohmann::json::parse(done.output);
  EXPECT_EQ(document["method"], "additive");
  EXPECT_EQ(document["grid"], nlohmann::json({4, 4}));
  const auto& map = document["maps"][0];
  EXPECT_NEAR(map["sum"].get<double>() + map["rest"].get<double>(), map["value"].get<double>(), 1e-4);
}

TEST_F(WhereProgram, SaysWhatIsWrong) {
  const auto errors = [&](std::vector<std::string> words, int code) {
    words.insert(words.begin(), {"where", model_});
    const auto done = run_orthant(words);
    EXPECT_EQ(done.code, code) << done.errors;
    return done.errors;
  };
  EXPECT_THAT(errors({"--item", "1"}, 2), HasSubstr("expected -o SHEET.png, --maps FILE.npz or --json"));
  EXPECT_THAT(errors({"--with", "1", "--json"}, 2), HasSubstr("--item or --image beside --with"));
  EXPECT_THAT(errors({"--data", "sprites", "--item", "no", "--json"}, 1), HasSubstr("[no] expected the id of an item"));
  EXPECT_THAT(errors({"--data", "sprites", "--item", "1", "--feature", "12", "--json"}, 1),
              HasSubstr("expected a feature from 0 to 11, got 12"));
  EXPECT_THAT(errors({"--data", "captions", "--item", "1", "--json"}, 1), HasSubstr("expected pictures"));
  EXPECT_THAT(errors({"--json"}, 1), HasSubstr("expected --data for a model that is not in a run"));
  test::write_bytes(folder_ / "sheet.png", "there");
  EXPECT_THAT(errors({"--data", "sprites", "--item", "1", "-o", folder_ / "sheet.png"}, 1), HasSubstr("sheet.png"));
}

}  // namespace
}  // namespace orthant
