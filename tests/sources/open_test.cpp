#include "orthant/sources/open.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "orthant/io/npy.h"
#include "tests/data/fake_dataset.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::message_of;
using ::testing::HasSubstr;

const std::string kGolden = std::string(ORTHANT_GOLDEN_DIR) + "/data/";

TEST(OpenDataset, OpensEveryKindThatNeedsNoFiles) {
  EXPECT_EQ(open_dataset("sprites")->size(), 50'000);
  EXPECT_EQ(open_dataset("sprites", {.split = "all"})->size(), 60'000);
  EXPECT_EQ(open_dataset("dsprites", {.split = "test"})->size(), 73'728);
}

TEST(OpenDataset, SizePaintsSpritesAndSamplesOthers) {
  EXPECT_EQ(open_dataset("sprites", {.size = 70'000})->size(), 70'000);
  const auto some = open_dataset("dsprites", {.split = "all", .size = 100, .seed = 1});
  EXPECT_EQ(some->size(), 100);
  EXPECT_EQ(some->id(50), open_dataset("dsprites", {.split = "all", .size = 100, .seed = 1})->id(50));
  EXPECT_NE(some->id(50), open_dataset("dsprites", {.split = "all", .size = 100, .seed = 2})->id(50));
}

TEST(OpenDataset, SeparatesLabelsAtTheComma) {
  const auto dataset = open_dataset("npy:" + kGolden + "nchw.npy," + kGolden + "labels.npy", {.split = "all"});
  EXPECT_EQ(dataset->label(0), 2);
  EXPECT_EQ(dataset->info().name, "npy:" + kGolden + "nchw.npy");
}

TEST(OpenDataset, TakesACommaInAFileNameForPartOfIt) {
  const test::TemporaryFolder folder;
  io::write_npy(folder / "a,b.npy", io::array_from<float>({1, 2}, {2, 1}));
  EXPECT_EQ(open_dataset("npy:" + (folder / "a,b.npy"), {.split = "all"})->size(), 2);
}

TEST(OpenDataset, EveryListedKindOpensOrSaysWhatIsMissing) {
  for (const DatasetKind& kind : dataset_kinds()) {
    EXPECT_TRUE(kind.usage.starts_with(kind.name));
    EXPECT_FALSE(kind.description.empty() || kind.splits.empty());
    if (kind.usage.find(":") == kind.name.size()) {
      EXPECT_THAT(message_of<std::invalid_argument>([&] { open_dataset(kind.name); }),
                  HasSubstr("expected " + kind.usage + ", got " + kind.name));
      EXPECT_THROW(open_dataset(kind.name + ":/nowhere/at/all"), IoError);
    }
  }
}

TEST(OpenDataset, TakesAllWhereThereAreFewerThanAskedFor) {
  const test::TemporaryFolder folder;
  io::write_npy(folder / "v.npy", io::array_from<float>(std::vector<float>(20), {20, 1}));
  const auto some = open_dataset("npy:" + (folder / "v.npy"), {.split = "train", .size = 20});
  EXPECT_EQ(some->size(), 18);
  EXPECT_EQ(some->info().asked_for, 20);
  EXPECT_EQ(open_dataset("npy:" + (folder / "v.npy"), {.split = "train", .size = 18})->info().asked_for, 0);
}

TEST(OpenDataset, ExpandsTheHomeFolder) {
  const test::TemporaryFolder folder;
  io::write_npy(folder / "v.npy", io::array_from<float>({1, 2}, {2, 1}));
  test::write_bytes(folder / "y.txt", "a\nb\n");
  const char* home = std::getenv("HOME");
  const std::string before = home == nullptr ? "" : home;
  ::setenv("HOME", folder.path().c_str(), 1);
  const auto dataset = open_dataset("npy:~/v.npy,~/y.txt", {.split = "all"});
  ::setenv("HOME", before.c_str(), 1);
  EXPECT_EQ(dataset->info().class_names.size(), 2U);
}

TEST(OpenDataset, ANameWithAbsolutePathsHoldsEverywhere) {
  const test::TemporaryFolder folder;
  const std::string root = std::filesystem::canonical(folder.path()).string();
  io::write_npy(folder / "a,b.npy", io::array_from<float>({1, 2}, {2, 1}));
  test::write_bytes(folder / "t.csv", "file,label\n");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(root);
  EXPECT_EQ(absolute_spec("npy:v.npy,./y.npy"), "npy:" + root + "/v.npy," + root + "/y.npy");
  EXPECT_EQ(absolute_spec("npy:a,b.npy"), "npy:" + root + "/a,b.npy");
  EXPECT_EQ(absolute_spec("cifar100:../c,coarse"),
            "cifar100:" + std::filesystem::path(root).parent_path().string() + "/c,coarse");
  EXPECT_EQ(absolute_spec("folder:p,labels=t.csv"), "folder:" + root + "/p,labels=" + root + "/t.csv");
  EXPECT_EQ(absolute_spec("folder:p,labels=inside.csv"), "folder:" + root + "/p,labels=inside.csv");
  std::filesystem::current_path(before);
  for (const std::string spec : {"sprites", "npy:/v.npy", "cifar10:/a/../b", "npy:", "", "sprites:x", "cifra10:x"}) {
    EXPECT_EQ(absolute_spec(spec), spec);
  }
}

TEST(OpenDataset, FindsTheTableOfLabelsFromHereOrInTheFolder) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder / "1.pgm", "P5 1 1 255\nx");
  test::write_bytes(folder / "t.csv", "file,label\n1.pgm,a\n");
  for (const std::string& table : {std::string("t.csv"), folder / "t.csv"}) {
    const auto dataset = open_dataset("folder:" + folder.path().string() + ",labels=" + table, {.split = "all"});
    EXPECT_EQ(dataset->info().class_names, std::vector<std::string>{"a"});
  }
  EXPECT_THROW(open_dataset("folder:" + folder.path().string() + ",labels=none.csv"), IoError);
  EXPECT_THROW(open_dataset("folder:" + folder.path().string() + ",labels="), std::invalid_argument);
}

TEST(UnseenSplit, IsAllOfOtherDataThatCameUnsplit) {
  test::TemporaryFolder folder;
  test::write_bytes(folder / "1.pgm", "P5 1 1 255\nx");
  const std::string unsplit = "folder:" + folder.path().string();
  EXPECT_EQ(unseen_split(unsplit, "sprites"), "all");
  EXPECT_EQ(unseen_split("folder:" + (folder / "1.pgm"), ""), "all") << "a single picture";
  EXPECT_EQ(unseen_split(unsplit, unsplit), "test");
  EXPECT_EQ(unseen_split("sprites", unsplit), "test");
  std::filesystem::create_directory(folder / "train");
  std::filesystem::create_directory(folder / "test");
  for (const char* split : {"train", "test"}) test::write_bytes(folder / split + "/2.pgm", "P5 1 1 255\nx");
  EXPECT_EQ(unseen_split(unsplit, "sprites"), "test");
}

TEST(OpenDataset, SuggestsWhatMayHaveBeenMeant) {
  const auto message = [](const std::string& spec) {
    return message_of<std::invalid_argument>([&] { open_dataset(spec); });
  };
  EXPECT_THAT(message("cifra10:/data"), HasSubstr("got cifra10:/data; did you mean cifar10:/data?"));
  EXPECT_THAT(message("cifar:/a/very/long/path"), HasSubstr("; did you mean cifar10:/a/very/long/path?"));
  EXPECT_THAT(message("unicorn:/a/very/long/path/to/pictures"), ::testing::Not(HasSubstr("did you mean")));
  EXPECT_THAT(message("sprite"), HasSubstr("; did you mean sprites?"));
  EXPECT_THAT(message("/home/pictures"), HasSubstr("; did you mean folder:/home/pictures?"));
  EXPECT_THAT(message("~/x.npy"), HasSubstr("; did you mean npy:~/x.npy?"));
  EXPECT_THAT(message("unicorns"), ::testing::Not(HasSubstr("did you mean")));
}

TEST(OpenDataset, RejectsWhatItDoesNotKnow) {
  EXPECT_THAT(
      message_of<std::invalid_argument>([] { open_dataset("cifar:DIR"); }),
      HasSubstr(
          "[data] expected one of sprites, captions, topics, spoken, fashion, dsprites[:FILE.npz], cifar10:DIR, "));
  EXPECT_THAT(message_of<std::invalid_argument>([] { open_dataset(""); }), HasSubstr("got nothing"));
  EXPECT_THAT(message_of<std::invalid_argument>([] { open_dataset("sprites:x"); }),
              HasSubstr("[sprites] expected sprites without a path, got sprites:x"));
  EXPECT_THAT(message_of<std::invalid_argument>([] { open_dataset("sprites", {.split = "validation"}); }),
              HasSubstr("[sprites] expected the split train, test or all, got validation"));
  EXPECT_THAT(message_of<std::invalid_argument>([] { open_dataset("sprites", {.size = -5}); }), HasSubstr("got -5"));
  EXPECT_THAT(message_of<std::invalid_argument>([] { open_dataset("cifar100:/x,rough"); }),
              HasSubstr("[cifar100] expected DIR or DIR,coarse, got /x,rough"));
}

}  // namespace
}  // namespace orthant
