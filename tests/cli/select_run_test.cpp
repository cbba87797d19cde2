#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "orthant/core/importance.h"
#include "orthant/core/rng.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/npy.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::Finished;
using test::run_orthant;
using ::testing::HasSubstr;

Matrix dense_of(const Embeddings& embeddings) {
  return embeddings.sparse() ? std::get<SparseMatrix>(embeddings.features).to_dense()
                             : std::get<Matrix>(embeddings.features).to_owned();
}

TEST(SelectRun, TheShortenedModelEmbedsIntoTheKeptFeaturesAndIsNotResumed) {
  const test::TemporaryFolder folder;
  std::vector<float> values;
  Rng rng(1);
  for (int i = 0; i < 200 * 6; ++i) values.push_back(static_cast<float>(rng.normal()));
  io::write_npy(folder / "vectors.npy", io::array_from<float>(std::move(values), {200, 6}));
  const auto good = [](const std::vector<std::string>& words) {
    const Finished finished = run_orthant(words);
    EXPECT_EQ(finished.code, 0) << words[0] << ": " << finished.errors;
  };
  const std::string run = folder / "run";
  const std::string shorter = folder / "short";
  good({"pretrain",
        "--data",
        "npy:" + (folder / "vectors.npy"),
        "-o",
        run,
        "--batch",
        "20",
        "--epochs",
        "1",
        "--threads",
        "1",
        "--quiet",
        "--set",
        "backbone.hidden=16",
        "--set",
        "projector.hidden=16",
        "--set",
        "projector.out=12",
        "--set",
        "projector.batch_norm=true"});
  good({"embed", run, "-o", folder / "all.safetensors", "--quiet"});
  good({"select", folder / "all.safetensors", "--keep", "5", "-o", folder / "kept.safetensors", "--quiet"});
  good({"select", folder / "all.safetensors", "--keep", "5", "--apply", run, "-o", shorter, "--quiet"});
  good({"embed", shorter, "-o", folder / "direct.safetensors", "--quiet"});
  good({"pretrain", "--recipe", shorter + "/run.toml", "-o", folder / "again", "--dry-run", "--quiet"});
  good({"info", shorter});

  const Matrix kept = dense_of(io::read_embeddings(folder / "kept.safetensors"));
  const Matrix direct = dense_of(io::read_embeddings(folder / "direct.safetensors"));
  ASSERT_EQ(direct.cols(), 5);
  ASSERT_EQ(direct.rows(), kept.rows());
  // A product of another width may be summed in another order.
  for (int64_t k = 0; k < kept.size(); ++k) EXPECT_NEAR(direct.data()[k], kept.data()[k], 1e-6);
  EXPECT_TRUE(std::ranges::any_of(kept.values(), [](float x) { return x > 0; }));

  const Finished resumed = run_orthant({"resume", shorter});
  EXPECT_EQ(resumed.code, 1);
  EXPECT_THAT(resumed.errors, HasSubstr("got a model shortened from"));
  good({"select", folder / "all.safetensors", "--keep", "4", "--apply", run, "-o", shorter, "--overwrite", "--quiet"});
}

TEST(SelectRun, TheFirstFeaturesOfALearnedImportanceAreThoseThatItSelects) {
  const test::TemporaryFolder folder;
  std::vector<float> values;
  Rng rng(1);
  for (int i = 0; i < 200 * 6; ++i) values.push_back(static_cast<float>(rng.normal()));
  io::write_npy(folder / "vectors.npy", io::array_from<float>(std::move(values), {200, 6}));
  const std::string run = folder / "run";
  const std::vector<std::string> words = {"pretrain",
                                          "--data",
                                          "npy:" + (folder / "vectors.npy"),
                                          "--batch",
                                          "20",
                                          "--threads",
                                          "1",
                                          "--quiet",
                                          "--importance",
                                          "learned",
                                          "--set",
                                          "backbone.hidden=16",
                                          "--set",
                                          "projector.hidden=16",
                                          "--set",
                                          "projector.out=12"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return run_orthant(more);
  };
  const auto good = [](const Finished& finished) { EXPECT_EQ(finished.code, 0) << finished.errors; };
  good(with({"--epochs", "2", "-o", run}));
  good(run_orthant({"embed", run, "-o", folder / "all.safetensors", "--quiet"}));
  good(run_orthant({"select", folder / "all.safetensors", "--keep", "5", "--by", "importance", "-o",
                    folder / "kept.safetensors", "--quiet"}));
  good(run_orthant({"select", folder / "all.safetensors", "--keep", "5", "--by", "importance", "--apply", run, "-o",
                    folder / "short", "--quiet"}));
  good(run_orthant({"embed", folder / "short", "-o", folder / "direct.safetensors", "--quiet"}));
  const Embeddings kept = io::read_embeddings(folder / "kept.safetensors");
  EXPECT_EQ(kept.how.at("features"), "0,1,2,3,4");
  const std::vector<float> importance = importance_of(kept);
  EXPECT_TRUE(std::ranges::is_sorted(importance, std::greater<>()));
  EXPECT_GT(importance.front(), importance.back());
  EXPECT_EQ(importance_of(io::read_embeddings(folder / "direct.safetensors")), importance);
  EXPECT_THAT(run_orthant({"info", run}).output, HasSubstr("loss.importance"));
  std::ifstream log(run + "/metrics.jsonl");
  const std::string lines((std::istreambuf_iterator<char>(log)), std::istreambuf_iterator<char>());
  EXPECT_THAT(lines, HasSubstr("\"important_features\":"));

  const Finished refused = with({"--loss", "byol", "-o", folder / "byol"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.errors, HasSubstr("[loss] expected infonce or spectral to learn importance by, got byol"));
  EXPECT_FALSE(std::filesystem::exists(folder / "byol"));
}

// Features that are on by themselves come out of the shorter adapter as they did before.
TEST(SelectRun, AnAdaptedRunIsShortenedWhereFeaturesDoNotDependOnEachOther) {
  const test::TemporaryFolder folder;
  std::vector<float> values;
  Rng rng(2);
  for (int i = 0; i < 300 * 8; ++i) values.push_back(static_cast<float>(rng.normal()));
  io::write_npy(folder / "vectors.npy", io::array_from<float>(std::move(values), {300, 8}));
  const auto good = [](const Finished& finished) { EXPECT_EQ(finished.code, 0) << finished.errors; };
  for (const std::string method : {"batch", "jump", "topk"}) {
    const std::string run = folder / method;
    const std::string all = run + "-all.safetensors";
    good(run_orthant({"adapt", folder / "vectors.npy", "--features", "24", "--active", "4", "--method", method,
                      "--epochs", "3", "-o", run, "--quiet"}));
    good(run_orthant({"embed", run, "-o", all, "--quiet"}));
    const std::string shorter = run + "-short";
    const Finished finished = run_orthant({"select", all, "--keep", "7", "--apply", run, "-o", shorter, "--quiet"});
    if (method == "topk") {
      EXPECT_EQ(finished.code, 1);
      EXPECT_THAT(finished.errors, HasSubstr("expected the gate batch or jump"));
      EXPECT_FALSE(std::filesystem::exists(shorter));
      continue;
    }
    good(finished);
    good(run_orthant({"select", all, "--keep", "7", "-o", run + "-kept.safetensors", "--quiet"}));
    good(run_orthant({"embed", shorter, "-o", run + "-direct.safetensors", "--quiet"}));
    const Matrix kept = dense_of(io::read_embeddings(run + "-kept.safetensors"));
    const Matrix direct = dense_of(io::read_embeddings(run + "-direct.safetensors"));
    ASSERT_EQ(direct.cols(), 7);
    ASSERT_EQ(direct.rows(), kept.rows());
    for (int64_t k = 0; k < kept.size(); ++k) EXPECT_NEAR(direct.data()[k], kept.data()[k], 1e-5) << method;
    EXPECT_TRUE(std::ranges::any_of(kept.values(), [](float x) { return x > 0; }));
    good(run_orthant({"info", shorter}));
    const Finished resumed = run_orthant({"resume", shorter});
    EXPECT_EQ(resumed.code, 1);
    EXPECT_THAT(resumed.errors, HasSubstr("got a model shortened from"));
  }
}

}  // namespace
}  // namespace orthant
