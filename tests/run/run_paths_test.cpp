#include "orthant/run/run_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::TemporaryFolder;
using test::write_bytes;
using ::testing::HasSubstr;

TEST(EmbeddingsKey, WhatIsUsualHasAShortName) {
  EXPECT_EQ(name_of({}), "test-projector");
  EXPECT_EQ(name_of({.split = "train", .layer = "backbone", .size = 500}), "train-backbone-500");
  EXPECT_EQ(name_of({.size = 8, .corrupt = "fog", .views = 2, .seed = 7}), "test-projector-8-fog-3-views-2-seed-7");
  EXPECT_EQ(name_of({.tower = "b", .size = 8}), "test-projector-tower-b-8");
  EXPECT_EQ(name_of({.seed = 7}), "test-projector") << "without views the seed decides nothing";
}

TEST(EmbeddingsKey, EverythingThatChangesTheContentChangesTheName) {
  const std::vector<EmbeddingsKey> keys = {{},
                                           {.data = "npy:a.npy"},
                                           {.data = "npy:b.npy"},
                                           {.data = "npy:a/npy"},  // the same letters
                                           {.split = "train"},
                                           {.layer = "backbone"},
                                           {.size = 500},
                                           {.corrupt = "fog:2"},
                                           {.corrupt = "fog:3"},
                                           {.views = 2},
                                           {.views = 2, .seed = 1}};
  std::set<std::string> names;
  for (const EmbeddingsKey& key : keys) names.insert(name_of(key));
  EXPECT_EQ(names.size(), keys.size());
}

TEST(EmbeddingsKey, NamesAreFilesOfTheFolderWhateverTheDataAreCalled) {
  const std::string name = name_of({.data = "folder:/home/someone/../pictures of\ncats/" + std::string(300, 'x')});
  EXPECT_EQ(name.find('/'), std::string::npos);
  EXPECT_EQ(name.find('\n'), std::string::npos);
  EXPECT_LT(name.size(), 100U);
  EXPECT_THAT(test::message_of([] { name_of({.corrupt = "rust"}); }), HasSubstr("rust"));
}

TEST(RunPaths, SlashesAtTheEndMeanNothing) {
  EXPECT_EQ(RunPaths("runs/a//").recipe_file(), "runs/a/run.toml");
  EXPECT_EQ(RunPaths("/").path(), "/");
  EXPECT_EQ(RunPaths("a/").embeddings_file({.size = 5}), "a/embeddings/test-projector-5.safetensors");
  EXPECT_EQ(RunPaths("a/").of_seed(3).model_file(), "a/seed-3/model.safetensors");
}

TEST(RunPaths, TheRecipeSaysWhatTheRunWasTrainedOn) {
  const TemporaryFolder folder;
  write_bytes(folder / "run.toml", "[data]\nsource = \"sprites\"\n");
  EXPECT_EQ(trained_on(RunPaths(folder.path().string())), "sprites");
  write_bytes(folder / "run.toml", "");
  EXPECT_EQ(trained_on(RunPaths(folder.path().string())), "");
}

}  // namespace
}  // namespace orthant
