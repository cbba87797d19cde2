#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "learn/nn/model.h"
#include "orthant/io/safetensors.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::message_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;

const std::vector<float> kImportance = {0.5F, 2, 0.5F, 1, 2.5F, 0.25F};
const std::vector<int64_t> kOrder = {4, 1, 3, 0, 2, 5};

ModelOptions small_model(const std::string& sigma) {
  ModelOptions options;
  options.backbone = {.name = "mlp", .dims = 8, .hidden = 16, .depth = 1};
  options.projector = {.hidden = 16, .out = 6};
  options.activation = {.name = sigma};
  if (sigma == "rep_relu") options.activation.sparsity = 0.7;
  return options;
}

TEST(WeighedModel, GivesFeaturesTimesTheRootOfTheirImportance) {
  Model model(small_model("none"), 3);
  const at::Tensor x = at::ones({2, 8});
  const at::Tensor plain = model.forward(x);
  model.weigh(at::tensor(kImportance));
  EXPECT_TRUE(at::allclose(model.forward(x), plain * at::tensor(kImportance).sqrt()));
}

TEST(WeighedModel, AFileHasItInTheLastLayerAndFeaturesInItsOrder) {
  for (const std::string sigma : {"none", "relu", "rep_relu", "leaky_relu"}) {
    const TemporaryFolder folder;
    Model model(small_model(sigma), 3);
    at::manual_seed(5);
    for (int step = 0; step < 50; ++step) model.forward(at::randn({64, 8}));
    model.weigh(at::tensor(kImportance));
    model.save(folder / "model");
    Model loaded = Model::load(folder / "model");
    EXPECT_EQ(loaded.stated_importance(), (std::vector<float>{2.5F, 2, 1, 0.5F, 0.5F, 0.25F}));
    EXPECT_TRUE(model.stated_importance().empty());
    const EvalScope eval(model);
    const EvalScope loaded_eval(loaded);
    const at::Tensor x = at::randn({256, 8});
    const at::Tensor expected = model.forward(x).index_select(1, at::tensor(kOrder));
    EXPECT_TRUE(at::allclose(expected, loaded.forward(x), 1e-4, 1e-5)) << sigma;
  }
}

TEST(WeighedModel, ItsWeightsStartAnotherWithoutTheImportance) {
  const TemporaryFolder folder;
  Model model(small_model("none"), 3);
  model.weigh(at::tensor(kImportance));
  model.save(folder / "model");
  Model next(small_model("none"), 4);
  next.load_weights(folder / "model");
  next.save(folder / "next");
  EXPECT_FALSE(io::SafeTensors::open(folder / "next").contains("importance"));
  const at::Tensor x = at::ones({2, 8});
  EXPECT_TRUE(at::allclose(next.forward(x), model.forward(x).index_select(1, at::tensor(kOrder)), 1e-4, 1e-6));
}

TEST(WeighedModel, RefusesAFileWithAnImportanceThatCannotBe) {
  const TemporaryFolder folder;
  Model(small_model("none"), 3).save(folder / "model");
  const auto file = io::SafeTensors::open(folder / "model");
  std::map<std::string, io::Tensor> tensors;
  for (const std::string& name : file.names()) tensors[name] = file.tensor(name);
  const auto refused = [&](const std::vector<float>& values) {
    tensors["importance"] = {"F32", {std::ssize(values)}, std::as_bytes(std::span(values)), nullptr};
    io::write_safetensors(folder / "other", tensors, file.metadata());
    return message_of([&] { Model::load(folder / "other"); });
  };
  EXPECT_THAT(refused(std::vector<float>(5, 1.0F)), HasSubstr("other] expected importance of shape (6), got (5"));
  EXPECT_THAT(refused(std::vector<float>(6, -1.0F)), HasSubstr("finite and not negative, got -1"));
  EXPECT_THAT(refused(std::vector<float>(6, NAN)), HasSubstr("finite and not negative, got"));
}

TEST(WeighedModel, RefusesAnImportanceThatDoesNotFit) {
  Model model(small_model("none"), 3);
  EXPECT_THAT(message_of([&] { model.weigh(at::ones({5})); }),
              HasSubstr("expected an importance for each of 6 features, got 5 numbers"));
  ModelOptions options = small_model("none");
  options.projector.depth = 0;
  Model without(options, 3);
  EXPECT_THAT(message_of([&] { without.weigh(at::ones({16})); }), HasSubstr("takes importance in, got none"));
}

}  // namespace
}  // namespace orthant
