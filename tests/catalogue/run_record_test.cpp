#include "orthant/catalogue/run_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "orthant/core/error.h"
#include "orthant/run/train_options.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::catalogue {
namespace {

using nlohmann::json;
using test::message_of;
using test::TemporaryFolder;
using test::write_bytes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(RunRecord, HoldsTheRecipeInItsOrderWithTheMeaningsOfItsFields) {
  const TemporaryFolder folder;
  write_bytes(folder / "run.toml",
              "[train]\nmethod = \"ncl\"\n"
              "init_from = \"a # b \\\" # c\"  # not a meaning\ncolour = 3\n\n[data]\nsource = \"folder:x\"\n");
  const RunRecord record = read_run_record(folder.path().string());
  std::map<std::string, std::string> helps;
  const TrainOptions defaults;
  for_each_field(defaults, [&](const Field& field, const auto&) { helps[field.name] = field.help; });
  using Row = std::array<std::string, 4>;
  EXPECT_THAT(record.recipe, ElementsAre(Row{"data", "source", "folder:x", "Data set, KIND[:PATH]"},
                                         Row{"train", "method", "ncl", helps.at("method")},
                                         Row{"train", "init_from", "a # b \" # c", helps.at("init_from")},
                                         Row{"train", "colour", "3", ""}));
  EXPECT_EQ(record.method, "ncl");
  EXPECT_EQ(record.name, folder.path().filename().string());
  EXPECT_EQ(record.names_path, folder / "names.json");
  EXPECT_EQ(record.curves, "[]");
  EXPECT_EQ(record.measures, "null");
  EXPECT_EQ(record.selection, "null");
}

TEST(RunRecord, TheNameIsThatOfTheFolderHoweverItIsWritten) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "ncl");
  write_bytes(folder / "ncl/run.toml", "[train]\nmethod = \"cl\"\n");
  for (const char* path : {"ncl", "ncl/", "ncl/.", "./ncl//"}) {
    EXPECT_EQ(read_run_record(folder / path).name, "ncl") << path;
  }
}

TEST(RunRecord, CurvesAreTheNumbersOfTheEpochs) {
  const TemporaryFolder folder;
  write_bytes(folder / "run.toml", "");
  write_bytes(folder / "metrics.jsonl",
              R"({"kind":"step","step":1,"loss":9})"
              "\n"
              R"({"kind":"epoch","epoch":1.0,"loss":5.5,"held_out_loss":4.5,"note":"text","bad":null})"
              "\n[]\n\n"
              R"({"kind":"epoch","epoch":2.0,"lo)");
  EXPECT_EQ(json::parse(read_run_record(folder.path().string()).curves),
            json::parse(R"([{"epoch":1.0,"loss":5.5,"held_out_loss":4.5,"eval_loss":4.5}])"));
}

TEST(RunRecord, SelectionIsTakenAsItIs) {
  const TemporaryFolder folder;
  write_bytes(folder / "run.toml", "");
  write_bytes(folder / "selection.json", R"({"files":[{"points":[]}]})");
  EXPECT_EQ(json::parse(read_run_record(folder.path().string()).selection),
            json::parse(R"({"files":[{"points":[]}]})"));
  write_bytes(folder / "selection.json", "{\"a\":" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}");
  EXPECT_THAT(message_of([&] { read_run_record(folder.path().string()); }), HasSubstr("selection.json] expected"));
  write_bytes(folder / "selection.json", "[1");
  EXPECT_THAT(message_of([&] { read_run_record(folder.path().string()); }), HasSubstr("selection.json] expected"));
}

TEST(RunRecord, AFolderThatIsNoRunIsRefused) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_run_record(folder.path().string()), IoError);
  write_bytes(folder / "run.toml", "[train\n");
  EXPECT_THROW(read_run_record(folder.path().string()), IoError);
}

}  // namespace
}  // namespace orthant::catalogue
