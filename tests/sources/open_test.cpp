#include "orthant/sources/open.h"

#include <gmock/gmock.h>

#include "../support/temporary_folder.h"
#include "orthant/io/npy.h"
#include "tests/data/fake_dataset.h"

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
  EXPECT_THAT(message_of<std::invalid_argument>([] { open_dataset("dsprites", {.size = 1'000'000}); }),
              HasSubstr("[subset of dsprites] expected 0 to 663552 items, got 1000000"));
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

TEST(OpenDataset, RejectsWhatItDoesNotKnow) {
  EXPECT_THAT(message_of<std::invalid_argument>([] { open_dataset("cifar:DIR"); }),
              HasSubstr("[data] expected one of sprites, fashion, dsprites[:FILE.npz], cifar10:DIR, "));
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
