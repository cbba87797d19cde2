#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "orthant/io/image_file.h"
#include "orthant/io/npz.h"
#include "orthant/sources/open.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using nlohmann::json;
using test::Finished;
using test::run_orthant;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;

void expect_nothing_left(const TemporaryFolder& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    ADD_FAILURE() << "left: " << entry.path();
}

TEST(DataList, NamesEveryKind) {
  const Finished finished = run_orthant({"data", "list"});
  EXPECT_EQ(finished.code, 0);
  for (const DatasetKind& kind : dataset_kinds()) EXPECT_THAT(finished.output, HasSubstr(kind.usage));
}

TEST(DataInfo, JsonHasCountsSizesStatisticsAndFactors) {
  const Finished finished = run_orthant({"data", "info", "sprites", "--size", "500", "--json"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  EXPECT_EQ(finished.errors, "");
  const json report = json::parse(finished.output);
  EXPECT_EQ(report["items"], 500);
  EXPECT_EQ(report["height"], json({32, 32}));
  EXPECT_EQ(report["mean"].size(), 3U);
  EXPECT_GE(report["classes"].size(), 12U);
  int64_t items = 0;
  for (const auto& entry : report["classes"]) items += entry["items"].get<int64_t>();
  EXPECT_EQ(items, 500);
  EXPECT_EQ(report["factors"][0]["name"], "shape");
}

TEST(DataInfo, DoesNotDependOnTheNumberOfThreads) {
  const auto info = [](const char* threads) {
    return run_orthant({"data", "info", "sprites", "--size", "300", "--json", "--threads", threads}).output;
  };
  EXPECT_EQ(info("1"), info("8"));
}

TEST(DataInfo, CountsTheWordsOfTextsAndShowsSome) {
  const json report = json::parse(run_orthant({"data", "info", "captions", "--size", "200", "--json"}).output);
  EXPECT_EQ(report["items"], 200);
  EXPECT_TRUE(report["texts"] > 600 && report["texts"] < 1000) << report["texts"];
  EXPECT_GT(report["words"], report["texts"]);
  EXPECT_GT(report["vocabulary"], 40);
  EXPECT_EQ(report["examples"].size(), 3U);
  EXPECT_FALSE(report.contains("height"));
  const TemporaryFolder folder;
  test::write_bytes(folder / "t.tsv", "who\twhat\nx\tA red \x1b[31mstar\ny\tA blue star\n");
  const Finished told =
      run_orthant({"data", "info", "text:" + (folder / "t.tsv") + ",column=what,id=who", "--split", "all"});
  EXPECT_EQ(told.code, 0) << told.errors;
  EXPECT_THAT(told.output, AllOf(HasSubstr("2 items, 2 texts"), HasSubstr("y: A blue star"), HasSubstr("no classes")));
  EXPECT_EQ(told.output.find('\x1b'), std::string::npos) << "control characters are shown escaped";
}

TEST(DataPreview, RefusesTextsAndLeavesNothing) {
  const TemporaryFolder folder;
  const Finished finished = run_orthant({"data", "preview", "captions", "-o", folder / "sheet.png"});
  EXPECT_EQ(finished.code, 1);
  EXPECT_THAT(finished.errors, HasSubstr("expected pictures to preview, got texts; 'orthant data info' shows some"));
  expect_nothing_left(folder);
}

TEST(DataExport, WritesTextsAsJson) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_orthant({"data", "export", "captions", "--size", "5", "-o", folder / "t.npz"}).code, 0);
  const auto bytes = io::Npz::open(folder / "t.npz").read("texts_json");
  const auto text = bytes.as<uint8_t>();
  const json texts = json::parse(text.begin(), text.end());
  const auto captions = open_dataset("captions", {.size = 5});
  ASSERT_EQ(texts.size(), 5U);
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(texts[i], json(captions->texts(static_cast<int64_t>(i))));
}

TEST(DataInfo, CountsAndListsUnreadablePictures) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "cats");
  io::write_png(folder / "cats/good.png", Image(4, 5, 3, 99));
  test::write_bytes(folder / "cats/broken.png", "this is no picture");
  const Finished told = run_orthant({"data", "info", "folder:" + folder.path().string(), "--split", "all"});
  EXPECT_EQ(told.code, 0) << told.errors;
  EXPECT_THAT(told.output, AllOf(HasSubstr("1 items"), HasSubstr("1 unreadable"), HasSubstr("broken.png")));
  const Finished refused =
      run_orthant({"data", "info", "folder:" + folder.path().string(), "--split", "all", "--strict"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.errors, HasSubstr("broken.png"));
}

TEST(DataInfo, ShowsEverySplitAndWhoMadeIt) {
  const json sprites = json::parse(run_orthant({"data", "info", "sprites", "--size", "50", "--json"}).output);
  EXPECT_EQ(sprites["splits"], json::parse(R"([{"name": "train", "items": 50000}, {"name": "test", "items": 10000},
                                               {"name": "all", "items": 60000}])"));
  EXPECT_FALSE(sprites["split_made_here"]);
  const TemporaryFolder folder;
  for (int i = 0; i < 20; ++i) io::write_png(folder / (std::to_string(i) + ".png"), Image(4, 5, 3, 99));
  test::write_bytes(folder / "moving.gif", "GIF89a");
  const Finished told = run_orthant({"data", "info", "folder:" + folder.path().string(), "--size", "20"});
  EXPECT_EQ(told.code, 0) << told.errors;
  EXPECT_THAT(told.output,
              AllOf(HasSubstr("(train): 18 items"),
                    HasSubstr("splits: train 18, test 2, all 20 (made here: a tenth of each class"),
                    HasSubstr("20 items were asked for, there are fewer"), HasSubstr("1 .gif passed over")));
}

TEST(DataPreview, ShowsViewsAtTheSizeOfTraining) {
  const TemporaryFolder folder;
  io::write_png(folder / "a.png", Image(70, 90, 3, 99));
  const auto told = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"data",        "preview", "folder:" + (folder / "a.png"),
                                      "--overwrite", "-o",      folder / "sheet.png"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished finished = run_orthant(words);
    EXPECT_EQ(finished.code, 0) << finished.errors;
    return finished.errors;
  };
  EXPECT_THAT(told({}), HasSubstr("8 views of each at 64 x 64"));
  EXPECT_THAT(told({"--image-size", "48"}), HasSubstr("8 views of each at 48 x 48"));
}

TEST(DataPreview, TellsWhatIsLeftOut) {
  const TemporaryFolder folder;
  for (int i = 0; i < 3; ++i) io::write_png(folder / (std::to_string(i) + ".png"), Image(4, 5, 3, 99));
  test::write_bytes(folder / "broken.png", "this is no picture");
  const std::vector<std::string> words = {"data", "preview", "folder:" + folder.path().string(), "-o",
                                          folder / "sheet.png"};
  const Finished told = run_orthant(words);
  EXPECT_EQ(told.code, 0) << told.errors;
  EXPECT_THAT(told.errors, AllOf(HasSubstr("orthant: note: 1 file left out"), HasSubstr("broken.png"),
                                 HasSubstr("orthant: note: the data came without a split: train is 2 of 3 items")));
}

TEST(DataPreview, DrawsTheSameSheetEveryTime) {
  const TemporaryFolder folder;
  for (const char* name : {"a.png", "b.png"}) {
    const Finished finished = run_orthant(
        {"data", "preview", "sprites", "-o", folder / name, "--rows", "4", "--columns", "3", "--seed", "1", "-q"});
    ASSERT_EQ(finished.code, 0) << finished.errors;
    EXPECT_EQ(finished.output + finished.errors, "");
  }
  EXPECT_EQ(test::read_bytes(folder / "a.png"), test::read_bytes(folder / "b.png"));
  const Image sheet = io::read_image(folder / "a.png");
  EXPECT_GT(sheet.width, 4 * 96);
  EXPECT_GT(sheet.height, 4 * 96);
}

TEST(DataPreview, FlagsWinOverSetAndSetOverTheRecipe) {
  const TemporaryFolder folder;
  test::write_bytes(folder / "recipe.toml", "[views]\ngrey_probability = 0.0\nflip_probability = 0.0\n");
  const auto sheet = [&](const std::string& name, std::vector<std::string> more) {
    std::vector<std::string> words = {"data",      "preview", "sprites", "--rows", "3",
                                      "--columns", "2",       "-q",      "-o",     folder / name};
    words.insert(words.end(), more.begin(), more.end());
    const Finished finished = run_orthant(words);
    EXPECT_EQ(finished.code, 0) << finished.errors;
    return test::read_bytes(folder / name);
  };
  const std::string recipe = folder / "recipe.toml";
  const auto grey = sheet("1", {"--view-grey-probability", "1", "--view-flip-probability", "0"});
  EXPECT_EQ(grey, sheet("2", {"--recipe", recipe, "--set", "views.grey_probability=1"}));
  EXPECT_EQ(grey,
            sheet("3", {"--recipe", recipe, "--set", "views.grey_probability=0", "--view-grey-probability", "1"}));
  EXPECT_NE(grey, sheet("4", {"--recipe", recipe}));
}

TEST(DataPreview, RefusesToReplaceAFileUnlessTold) {
  const TemporaryFolder folder;
  test::write_bytes(folder / "sheet.png", "precious");
  const std::vector<std::string> words = {"data", "preview", "sprites", "--rows", "1", "-o", folder / "sheet.png"};
  const Finished refused = run_orthant(words);
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.errors, HasSubstr("--overwrite replaces it"));
  EXPECT_EQ(test::read_bytes(folder / "sheet.png"), "precious");
  auto insisting = words;
  insisting.emplace_back("--overwrite");
  EXPECT_EQ(run_orthant(insisting).code, 0);
  EXPECT_NE(test::read_bytes(folder / "sheet.png"), "precious");
}

TEST(DataPreview, RejectsSettingsThatDoNotExistOrDoNotFit) {
  const TemporaryFolder folder;
  const auto errors = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"data", "preview", "sprites", "-o", folder / "sheet.png"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished finished = run_orthant(words);
    EXPECT_EQ(finished.code, 1);
    return finished.errors;
  };
  EXPECT_THAT(errors({"--set", "views.huee=0.1"}), HasSubstr("did you mean views.hue?"));
  EXPECT_THAT(errors({"--view-hue", "3"}), HasSubstr("hue to be at least 0 and at most 0.5, got 3"));
  EXPECT_THAT(errors({"--view-scale-min", "0.9", "--view-scale-max", "0.1"}), HasSubstr("scale"));
  EXPECT_THAT(errors({"--recipe", folder / "none.toml"}), HasSubstr("none.toml"));
  expect_nothing_left(folder);
}

TEST(DataExport, WritesWhatTheDatasetHolds) {
  const TemporaryFolder folder;
  const Finished finished = run_orthant({"data", "export", "sprites", "--size", "20", "-o", folder / "sprites.npz"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  const io::Npz file = io::Npz::open(folder / "sprites.npz");
  const DatasetPtr sprites = open_dataset("sprites", {.size = 20});
  const io::Array images = file.read("images");
  EXPECT_EQ(images.shape, (std::vector<int64_t>{20, 32, 32, 3}));
  const Image last = sprites->image(19);
  EXPECT_TRUE(std::ranges::equal(images.as<uint8_t>().last(last.pixels.size()), last.pixels));
  EXPECT_EQ(file.read("labels").as<int64_t>()[7], sprites->label(7));
  EXPECT_EQ(file.read("latents_classes").shape, (std::vector<int64_t>{20, 9}));
  EXPECT_EQ(file.read("latents_values").dtype, io::DType::f8);
}

TEST(DataExport, DiskFullLeavesNothing) {
  const TemporaryFolder folder;
  const Finished finished = run_orthant({"data", "export", "sprites", "--size", "100", "-q", "-o", folder / "s.npz"},
                                        {.file_bytes = 64 * 1024});
  EXPECT_EQ(finished.code, 1);
  EXPECT_THAT(finished.errors, HasSubstr("s.npz"));
  EXPECT_EQ(std::ranges::count(finished.errors, '\n'), 1) << finished.errors;
  expect_nothing_left(folder);
}

TEST(DataExport, PicturesOfSeveralSizesNeedResize) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "in");
  io::write_png(folder / "in/a.png", Image(4, 5, 3, 99));
  io::write_png(folder / "in/b.png", Image(9, 7, 1, 50));
  const std::string data = "folder:" + (folder / "in");
  const Finished refused = run_orthant({"data", "export", data, "--split", "all", "-o", folder / "x.npz"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.errors, HasSubstr("--resize"));
  const Finished done =
      run_orthant({"data", "export", data, "--split", "all", "-o", folder / "x.npz", "--resize", "6"});
  ASSERT_EQ(done.code, 0) << done.errors;
  const io::Array images = io::Npz::open(folder / "x.npz").read("images");
  EXPECT_EQ(images.shape, (std::vector<int64_t>{2, 6, 6, 3}));
  EXPECT_EQ(images.as<uint8_t>()[0], 99);
  EXPECT_EQ(images.as<uint8_t>().back(), 50);
}

TEST(Data, BadInputIsOneLineThatNamesIt) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "empty");
  test::write_bytes(folder / "short.npy", "\x93NUMPY\x01\x00\x01");
  test::write_bytes(folder / "text.npz", "PK");
  test::write_bytes(folder / "gap.txt", "one\n\n\n");
  test::write_bytes(folder / "latin.txt", "caf\xe9\n");
  std::filesystem::create_directory(folder / "cifar");
  test::write_bytes(folder / "cifar/data_batch_1.bin", "cut off");
  for (const auto& [spec, expected] :
       std::vector<std::pair<std::string, std::string>>{{"unicorns", "unicorns"},
                                                        {"folder:" + (folder / "empty"), "empty"},
                                                        {"folder:" + (folder / "missing"), "missing"},
                                                        {"npy:" + (folder / "short.npy"), "short.npy"},
                                                        {"dsprites:" + (folder / "text.npz"), "text.npz"},
                                                        {"cifar10:" + (folder / "cifar"), "cifar"},
                                                        {"text:" + (folder / "gap.txt"), "the first in line 2"},
                                                        {"text:" + (folder / "latin.txt"), "other bytes in line 1"},
                                                        {"idx:" + (folder / "empty"), "empty"}}) {
    const Finished finished = run_orthant({"data", "info", spec});
    EXPECT_EQ(finished.code, 1) << spec;
    EXPECT_THAT(finished.errors, HasSubstr(expected));
    EXPECT_EQ(std::ranges::count(finished.errors, '\n'), 1) << finished.errors;
  }
}

}  // namespace
}  // namespace orthant
