#include "orthant/select/shortened_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "orthant/io/safetensors.h"
#include "orthant/io/settings_file.h"
#include "orthant/run/recipe.h"
#include "orthant/run/run_folder.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::select {
namespace {

namespace fs = std::filesystem;
using test::message_of;
using test::write_bytes;
using ::testing::HasSubstr;

class ShortenedRun : public ::testing::Test {
 protected:
  // A projector of 2 -> 3.
  ShortenedRun() {
    fs::create_directory(from_);
    const std::vector<float> weight = {0, 1, 10, 11, 20, 21};
    const io::Tensor tensor{"F32", {3, 2}, std::as_bytes(std::span(weight)), nullptr};
    io::write_safetensors(from_ + "/model.safetensors", {{"projector.0.weight", tensor}},
                          {{"activation.name", "rep_relu"}, {"projector.out", "3"}});
    write_bytes(from_ + "/run.toml", "[train]\nepochs = 3 # odd = text\n[projector]\n'out' = 3\n");
  }

  Recipe recipe_of(const std::string& run) const {
    const std::string file = RunPaths(run).recipe_file();
    return make_recipe({{file, io::read_settings(file)}});
  }

  test::TemporaryFolder folder_;
  std::string from_ = folder_ / "run";
  std::string to_ = folder_ / "short";
};

TEST_F(ShortenedRun, KeepsTheRowsInOrderAndTheRestOfTheRecipe) {
  write_shortened_run(from_, to_, {{2, 0}, 3}, false);
  const auto model = io::SafeTensors::open(to_ + "/model.safetensors");
  EXPECT_EQ(model.tensor("projector.0.weight").to_floats("weight"), (std::vector<float>{20, 21, 0, 1}));
  EXPECT_EQ(model.metadata().at("notes.features"), "2,0");
  Recipe expected = recipe_of(from_);
  expected.projector.out = 2;
  EXPECT_EQ(recipe_of(to_), expected);
}

TEST_F(ShortenedRun, AClassifierKeepsTheColumnsOfTheFeaturesAndItsBias) {
  const std::vector<float> weight = {0, 1, 10, 11, 20, 21};
  const std::vector<float> scores = {1, 2, 3, 4, 5, 6};
  const std::vector<float> bias = {7, 8};
  std::map<std::string, io::Tensor> tensors = {
      {"projector.0.weight", {"F32", {3, 2}, std::as_bytes(std::span(weight)), nullptr}},
      {"fc.weight", {"F32", {2, 3}, std::as_bytes(std::span(scores)), nullptr}},
      {"fc.bias", {"F32", {2}, std::as_bytes(std::span(bias)), nullptr}}};
  const std::map<std::string, std::string> facts = {{"activation.name", "rep_relu"}, {"projector.out", "3"}};
  io::write_safetensors(from_ + "/model.safetensors", tensors, facts);
  write_shortened_run(from_, to_, {{2, 0}, 3}, false);
  const auto model = io::SafeTensors::open(to_ + "/model.safetensors");
  EXPECT_EQ(model.tensor("fc.weight").shape, (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(model.tensor("fc.weight").to_floats("weight"), (std::vector<float>{3, 1, 6, 4}));
  EXPECT_EQ(model.tensor("fc.bias").to_floats("bias"), bias);

  EXPECT_THAT(message_of([&] {
                write_shortened_run(from_, folder_ / "a", {{3}, 0}, false);
              }),
              HasSubstr("expected a model with feature 3"));
  tensors["fc.weight"].shape = {3, 2};
  io::write_safetensors(from_ + "/model.safetensors", tensors, facts);
  EXPECT_THAT(message_of([&] {
                write_shortened_run(from_, folder_ / "b", {{0}, 3}, false);
              }),
              HasSubstr("expected fc.weight with a column for each of the 3 features, got shape (3, 2)"));
  EXPECT_FALSE(fs::exists(folder_ / "a") || fs::exists(folder_ / "b"));
}

TEST_F(ShortenedRun, TheImportanceOfFeaturesStaysWithThem) {
  const std::vector<float> weight = {0, 1, 10, 11, 20, 21};
  const std::vector<float> importance = {1.5F, 1, 0.5F};
  io::write_safetensors(from_ + "/model.safetensors",
                        {{"projector.0.weight", {"F32", {3, 2}, std::as_bytes(std::span(weight)), nullptr}},
                         {"importance", {"F32", {3}, std::as_bytes(std::span(importance)), nullptr}}},
                        {{"activation.name", "rep_relu"}, {"projector.out", "3"}});
  write_shortened_run(from_, to_, {{2, 0}, 3}, false);
  const auto model = io::SafeTensors::open(to_ + "/model.safetensors");
  EXPECT_EQ(model.tensor("importance").to_floats("importance"), (std::vector<float>{0.5F, 1.5F}));
}

TEST_F(ShortenedRun, ReplacesWhatBelongedToAnotherModelOnlyWhenTold) {
  write_shortened_run(from_, to_, {{2, 0}, 3}, false);
  const RunPaths target(to_);
  fs::create_directory(target.embeddings_folder());
  for (const std::string& file : {target.names_file(), target.measures_file(), target.embeddings_file({})}) {
    write_bytes(file, "{}");
  }
  EXPECT_THAT(message_of([&] { write_shortened_run(from_, to_, {{1}, 3}, false); }), HasSubstr("expected a new run"));
  EXPECT_TRUE(fs::exists(target.names_file()));
  write_shortened_run(from_, to_, {{1}, 3}, true);
  for (const std::string& file : {target.names_file(), target.measures_file(), target.embeddings_file({})}) {
    EXPECT_FALSE(fs::exists(file)) << file;
  }
  EXPECT_EQ(recipe_of(to_).projector.out, 1);
}

TEST_F(ShortenedRun, WaitsForNobodyWhoHoldsTheFolder) {
  write_shortened_run(from_, to_, {{2, 0}, 3}, false);
  write_bytes(to_ + "/names.json", "{}");
  const RunFolder held = RunFolder::open(to_);
  EXPECT_THAT(message_of([&] { write_shortened_run(from_, to_, {{1}, 3}, true); }), HasSubstr("another program holds"));
  EXPECT_TRUE(fs::exists(to_ + "/names.json"));
  EXPECT_EQ(recipe_of(to_).projector.out, 2);
}

TEST_F(ShortenedRun, RefusesBeforeAnythingIsRemoved) {
  write_shortened_run(from_, to_, {{2, 0}, 3}, false);
  const auto refused = [&](const std::string& from, const std::string& to, const KeptFeatures& kept) {
    return message_of([&] { write_shortened_run(from, to, kept, true); });
  };
  EXPECT_THAT(refused(from_, to_, {{3}, 0}), HasSubstr("expected a model with feature 3"));
  EXPECT_THAT(refused(from_, to_, {{1}, 4}), HasSubstr("expected a model of 4 features"));
  EXPECT_THAT(refused(from_, from_, {{1}, 3}), HasSubstr("another folder than the run itself"));
  EXPECT_THAT(refused(folder_ / "none", to_, {{1}, 3}), HasSubstr("expected a run folder"));
  EXPECT_TRUE(fs::exists(to_ + "/model.safetensors"));
  write_bytes(to_ + "/checkpoint/step-000000000001.safetensors", "x");
  EXPECT_THAT(refused(from_, to_, {{1}, 3}), HasSubstr("got a run that was trained"));
  write_bytes(from_ + "/run.toml", "[train]\ntask = \"finetune\"\n");
  EXPECT_THAT(refused(from_, folder_ / "other", {{1}, 3}), HasSubstr("got that of a finetune"));
}

}  // namespace
}  // namespace orthant::select
