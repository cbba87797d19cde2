#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

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

}  // namespace
}  // namespace orthant
