#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "orthant/core/rng.h"
#include "orthant/io/npy.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::Finished;
using test::run_orthant;

int run_python(const std::string& arguments) {
  const int status = std::system(("/usr/bin/python3 " + arguments + " 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// A model to rebuild: the folder of its run, and what differs from the defaults.
struct Trained {
  std::string run;
  std::string data;
  std::vector<std::string> flags;
};

// Trained for a few steps, so that batch norm has seen something, and embedded on both layers.
void train_and_embed(const Trained& trained, const std::string& run) {
  std::vector<std::string> words = {"pretrain",   "--data",
                                    trained.data, "-o",
                                    run,          "--epochs",
                                    "1",          "--batch",
                                    "8",          "--quiet",
                                    "--set",      "projector.hidden=24",
                                    "--set",      "projector.out=12",
                                    "--set",      "data.split=all",
                                    "--threads",  "1"};
  words.insert(words.end(), trained.flags.begin(), trained.flags.end());
  const Finished made = run_orthant(words);
  ASSERT_EQ(made.code, 0) << made.errors;
  for (const char* layer : {"backbone", "projector"}) {
    const Finished embed = run_orthant({"embed", run, "--split", "all", "--layer", layer, "-o",
                                        run + "/" + layer + ".npy", "--threads", "1", "--quiet"});
    ASSERT_EQ(embed.code, 0) << embed.errors;
  }
}

TEST(PyTorch, RebuildsEveryBackboneAsTheDocumentationSays) {
  if (run_python("-c 'import numpy, torch'") != 0) {
    GTEST_SKIP() << "Python with NumPy and PyTorch (python3-numpy, python3-torch) is not installed";
  }
  const test::TemporaryFolder folder;
  Rng rng(5);
  std::vector<uint8_t> pixels(size_t{16} * 16 * 16 * 3);
  for (uint8_t& pixel : pixels) pixel = static_cast<uint8_t>(rng.below(256));
  io::write_npy(folder / "pictures.npy", io::array_from<uint8_t>(std::move(pixels), {16, 16, 16, 3}));
  std::vector<float> values(size_t{16} * 6);
  for (float& value : values) value = static_cast<float>(rng.normal());
  io::write_npy(folder / "vectors.npy", io::array_from<float>(std::move(values), {16, 6}));

  const std::string pictures = "npy:" + (folder / "pictures.npy");
  const std::vector<Trained> all = {
      {"conv-mini", pictures, {"--backbone", "conv-mini", "--set", "projector.batch_norm=true"}},
      {"vit-tiny", pictures, {"--backbone", "vit-tiny", "--activation", "topk", "--set", "activation.topk=3"}},
      {"resnet18", pictures, {"--backbone", "resnet18", "--method", "cl", "--importance", "learned"}},
      {"resnet34", pictures, {"--backbone", "resnet34", "--set", "backbone.stem=imagenet", "--activation", "softplus"}},
      {"resnet50", pictures, {"--backbone", "resnet50", "--set", "backbone.stem_padding=2"}},
      {"mlp", "npy:" + (folder / "vectors.npy"), {"--activation", "leaky_relu", "--set", "projector.depth=3"}},
      {"bare", "npy:" + (folder / "vectors.npy"), {"--activation", "exp", "--set", "projector.depth=0"}},
  };
  for (const Trained& trained : all) ASSERT_NO_FATAL_FAILURE(train_and_embed(trained, folder / trained.run));
  const std::string script = ORTHANT_SOURCE_DIR "/tests/cli/check_torch.py";
  EXPECT_EQ(run_python("'" + script + "' '" ORTHANT_SOURCE_DIR "/docs/networks.md' '" + folder.path().string() + "'"),
            0);
}

}  // namespace
}  // namespace orthant
