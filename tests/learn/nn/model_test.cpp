#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "learn/nn/model.h"
#include "orthant/core/error.h"
#include "orthant/io/safetensors.h"
#include "tests/learn/nn/formula.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::message_of;
using test::read_bytes;
using test::TemporaryFolder;
using testing::HasSubstr;

ModelOptions small_model() {
  ModelOptions options;
  options.backbone = {.name = "conv-mini", .width = 16};
  options.projector = {.hidden = 32, .out = 24};
  options.activation.name = "relu";
  options.preprocessing.size = 16;
  options.preprocessing.mean = {0.1, 1.0 / 3, 0.7};
  options.temperature = 0.07;
  options.method = "ncl";
  options.notes = {{"data", "sprites"}};
  return options;
}

// Every tensor of the model as the file of save() has it, then changed by `change`.
std::string rewritten(
    const TemporaryFolder& folder, Model& model,
    const std::function<void(std::map<std::string, io::Tensor>&, std::map<std::string, std::string>&)>& change) {
  model.save(folder / "original");
  const auto file = io::SafeTensors::open(folder / "original");
  std::map<std::string, io::Tensor> tensors;
  for (const std::string& name : file.names()) tensors[name] = file.tensor(name);
  auto metadata = file.metadata();
  change(tensors, metadata);
  io::write_safetensors(folder / "changed", tensors, metadata);
  return folder / "changed";
}

TEST(Model, GivesNonNegativeFeatures) {
  Model model(small_model());
  const at::Tensor z = model.forward(picture({4, 3, 16, 16}));
  EXPECT_EQ(z.sizes(), (std::vector<int64_t>{4, 24}));
  EXPECT_GE(z.min().item<float>(), 0.0F);
  EXPECT_LT(model.project(model.backbone(picture({4, 3, 16, 16}))).min().item<float>(), 0.0F);
}

TEST(Model, IsTheSameAfterSavingAndLoading) {
  const TemporaryFolder folder;
  Model model(small_model(), 5);
  model.forward(picture({4, 3, 16, 16}));
  model.save(folder / "a");
  Model loaded = Model::load(folder / "a");
  EXPECT_EQ(loaded.options(), model.options());
  EXPECT_FALSE(loaded.training());
  loaded.save(folder / "b");
  EXPECT_EQ(read_bytes(folder / "a"), read_bytes(folder / "b"));
  const EvalScope eval(model);
  EXPECT_TRUE(model.forward(picture({2, 3, 16, 16})).equal(loaded.forward(picture({2, 3, 16, 16})).detach()));
}

TEST(Model, CountsParametersAndFlops) {
  ModelOptions options;
  options.backbone = {.name = "mlp", .dims = 10, .hidden = 20, .depth = 1};
  options.projector = {.hidden = 30, .out = 5};
  Model model(options);
  EXPECT_EQ(model.parameter_count(), 10 * 20 + 20 + 20 * 30 + 30 + 30 * 5 + 5);
  EXPECT_DOUBLE_EQ(model.flops(), 2.0 * (10 * 20 + 20 * 30 + 30 * 5));
}

TEST(Model, LoadsATorchvisionBackboneAsItIs) {
  const TemporaryFolder folder;
  ModelOptions options;
  options.projector = {.hidden = 8, .out = 4};
  Model source(options, 1);
  const std::vector<float> classes(10, 0.5F);
  const std::string path = rewritten(folder, source, [&](auto& tensors, auto& metadata) {
    std::erase_if(tensors, [](const auto& entry) { return entry.first.starts_with("projector."); });
    tensors["fc.bias"] = io::tensor_of(io::array_of<float>(classes, {10}));
    metadata.clear();
  });
  Model target(options, 2);
  target.load_weights(path);
  target.train(false);
  source.train(false);
  const at::Tensor x = picture({1, 3, 8, 8});
  EXPECT_TRUE(target.backbone(x).equal(source.backbone(x)));
  EXPECT_FALSE(target.project(target.backbone(x)).equal(source.project(source.backbone(x))));
  EXPECT_THAT(message_of([&] { Model::load(path); }), HasSubstr("expected a model of the format orthant-model-1"));
}

TEST(Model, LeavesTheProjectorOfAFileWhereItIsNotWanted) {
  const TemporaryFolder folder;
  Model source(small_model(), 1);
  source.save(folder / "source");
  ModelOptions wider = small_model();
  wider.projector.out += 3;
  Model target(wider, 2);
  EXPECT_THROW(target.load_weights(folder / "source"), IoError);
  target.load_backbone(folder / "source");
  const EvalScope eval(target);
  const EvalScope same(source);
  EXPECT_TRUE(target.backbone(picture({1, 3, 16, 16})).equal(source.backbone(picture({1, 3, 16, 16}))));
  EXPECT_EQ(target.forward(picture({1, 3, 16, 16})).size(1), wider.projector.out);
}

TEST(Model, RefusesFilesThatDoNotFitAndStaysAsItWas) {
  const TemporaryFolder folder;
  Model model(small_model(), 1);
  const std::vector<float> few(3, 0.0F);
  const auto missing = [](auto& tensors, auto&) { tensors.erase("stage2.bn.running_var"); };
  const auto unknown = [&](auto& t, auto&) { t["stage9.weight"] = io::tensor_of(io::array_of<float>(few, {3})); };
  const auto misshapen = [&](auto& t, auto&) { t["stage1.bn.bias"] = io::tensor_of(io::array_of<float>(few, {3})); };
  const auto load = [&](const auto& change) {
    const std::string path = rewritten(folder, model, change);
    return message_of([&] { Model::load(path); });
  };
  EXPECT_THAT(load(missing), HasSubstr("expected the tensor stage2.bn.running_var of conv-mini, got none"));
  EXPECT_THAT(load(unknown), HasSubstr("got stage9.weight"));
  EXPECT_THAT(load(misshapen), HasSubstr("expected stage1.bn.bias of shape (16,), got (3,)"));
  EXPECT_THAT(load([](auto&, auto& m) { m["activation.name"] = "tanh"; }), HasSubstr("got 'tanh'"));
  EXPECT_THAT(load([](auto&, auto& m) { m["projector.out"] = "-4"; }), HasSubstr("projector.out"));
  EXPECT_THAT(load([](auto&, auto& m) { m.erase("temperature"); }), HasSubstr("expected temperature in the metadata"));

  Model other(small_model(), 2);
  const at::Tensor before = other.forward(picture({2, 3, 16, 16}));
  EXPECT_THROW(other.load_weights(rewritten(folder, model, misshapen)), IoError);
  EXPECT_TRUE(other.forward(picture({2, 3, 16, 16})).equal(before));
}

TEST(Model, RefusesAnUnknownActivation) {
  ModelOptions options = small_model();
  options.activation.name = "tanh";
  EXPECT_THAT(message_of([&] { Model model(options); }), HasSubstr("tanh"));
}

TEST(EvalScope, TurnsTrainingAndGradientsOffForAWhile) {
  Model model(small_model());
  {
    const EvalScope eval(model);
    EXPECT_FALSE(model.training());
    EXPECT_FALSE(model.forward(picture({1, 3, 16, 16})).requires_grad());
  }
  EXPECT_TRUE(model.training());
  EXPECT_TRUE(model.forward(picture({2, 3, 16, 16})).requires_grad());
}

}  // namespace
}  // namespace orthant
