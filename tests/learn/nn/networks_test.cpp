#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "learn/nn/encoder.h"
#include "learn/nn/ops.h"
#include "learn/nn/projector.h"
#include "learn/tiles/bf16_ops.h"
#include "orthant/core/amx.h"
#include "orthant/io/npz.h"
#include "tests/learn/nn/formula.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::message_of;
using testing::HasSubstr;

std::string golden(const std::string& name) { return std::string(ORTHANT_GOLDEN_DIR) + "/learn/" + name; }

at::Tensor read(const io::Npz& file, const std::string& name) {
  const io::Array array = file.read(name);
  const auto values = array.as<float>();
  return at::tensor(std::vector<float>(values.begin(), values.end())).view(array.shape);
}

struct GoldenCase {
  std::string backbone;
  std::string stem;
  int64_t size;
  double gradient_tolerance = 1e-3;  // PyTorch in float32 itself is 0.004 away from float64 in ResNet-50
};

// Four texts of 9, 4, 1 and 6 words, as the script makes them.
at::Tensor golden_ids() {
  const int64_t lengths[] = {9, 4, 1, 6};
  at::Tensor ids = at::full({4, 9}, -1, at::kInt);
  for (int64_t n = 0; n < 4; ++n) {
    for (int64_t t = 0; t < lengths[n]; ++t) ids[n][t] = (37 * n + 11 * t * t + 5) % 50;
  }
  return ids;
}

at::Tensor golden_input(const std::string& backbone, int64_t size) {
  if (backbone.starts_with("text-")) return golden_ids();
  return backbone == "mlp" ? picture({4, 20}) : picture({4, 3, size, size});
}

class GoldenNetwork : public testing::TestWithParam<GoldenCase> {};

TEST_P(GoldenNetwork, EqualsPyTorchInEvaluationTrainingAndGradients) {
  const auto& [backbone, stem, size, gradient_tolerance] = GetParam();
  const auto file = io::Npz::open(golden("nn_" + backbone + "_" + stem + ".npz"));
  const int64_t dims = backbone == "text-transformer" ? 32 : 20;
  const auto encoder =
      make_encoder({.name = backbone, .stem = stem, .dims = dims}, 0, {.buckets = 50, .max_words = 12});
  set_formula(*encoder);
  const at::Tensor x = golden_input(backbone, size);

  encoder->train(false);
  EXPECT_LT(relative_error(encoder->forward(x), read(file, "eval")), 1e-4);
  {
    const c10::NoGradGuard guard;
    EXPECT_LT(relative_error(encoder->forward(x), read(file, "eval")), 1e-4);
  }

  encoder->train(true);
  const at::Tensor y = encoder->forward(x);
  EXPECT_LT(relative_error(y, read(file, "train")), 1e-4);
  (y * picture(y.sizes())).sum().backward();
  encoder->visit_parameters([&](const std::string& name, at::Tensor& tensor) {
    const double expected = read(file, "grad_norm/" + name).item<double>();
    EXPECT_NEAR(tensor.grad().norm().item<double>() / expected, 1, gradient_tolerance) << name;
  });
  encoder->visit_buffers([&](const std::string& name, at::Tensor& tensor) {
    if (!file.contains("after/" + name)) return;
    EXPECT_LT(relative_error(tensor, read(file, "after/" + name)), 1e-4) << name;
  });
}

INSTANTIATE_TEST_SUITE_P(Backbones, GoldenNetwork,
                         testing::Values(GoldenCase{"resnet18", "small", 32}, GoldenCase{"resnet34", "small", 32, 2e-2},
                                         GoldenCase{"resnet50", "small", 32, 2e-2},
                                         GoldenCase{"resnet18", "imagenet", 64}, GoldenCase{"conv-mini", "small", 32},
                                         GoldenCase{"vit-tiny", "small", 32}, GoldenCase{"mlp", "small", 0},
                                         GoldenCase{"text-bag", "small", 0},
                                         GoldenCase{"text-transformer", "small", 0}),
                         [](const auto& test) {
                           std::string name = test.param.backbone + "_" + test.param.stem;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(Mlp, StandardisesWhatItIsToldTo) {
  const BackboneOptions plain{.name = "mlp", .dims = 3, .hidden = 8, .depth = 1};
  BackboneOptions scaling = plain;
  scaling.standardise = true;
  const auto one = make_encoder(plain, 5);
  const auto other = make_encoder(scaling, 5);
  std::vector<std::string> buffers;
  const at::Tensor mean = at::tensor({1.0F, 20.0F, -300.0F});
  const at::Tensor deviation = at::tensor({0.5F, 10.0F, 100.0F});
  other->visit_buffers([&](const std::string& name, at::Tensor& tensor) {
    buffers.push_back(name);
    tensor.copy_(name == kInputMean ? mean : deviation);
  });
  EXPECT_THAT(buffers, ::testing::ElementsAre("input.mean", "input.deviation"));
  const at::Tensor x = at::arange(12, at::kFloat).reshape({4, 3});
  EXPECT_TRUE(at::allclose(other->forward(x * deviation + mean), one->forward(x), 1e-4, 1e-5));
  EXPECT_FALSE(at::allclose(other->forward(x), one->forward(x)));
}

TEST(ResNet, HasTorchvisionsNamesAndShapes) {
  std::ifstream list(golden("nn_names.txt"));
  std::map<std::string, std::map<std::string, std::string>> expected;
  for (std::string line; std::getline(list, line);) {
    std::istringstream words(line);
    std::string backbone;
    std::string name;
    std::string shape;
    words >> backbone >> name >> shape;
    expected[backbone][name] = shape;
  }
  ASSERT_EQ(expected.size(), 3U);
  for (const auto& [backbone, names] : expected) {
    std::map<std::string, std::string> got;
    const TensorVisitor visit = [&](const std::string& name, at::Tensor& tensor) {
      std::string shape;
      for (const int64_t size : tensor.sizes()) {
        if (!shape.empty()) shape += ',';
        shape += std::to_string(size);
      }
      got[name] = shape;
    };
    const auto encoder = make_encoder({.name = backbone});
    encoder->visit_parameters(visit);
    encoder->visit_buffers(visit);
    EXPECT_EQ(got, names) << backbone;
  }
}

TEST(ResNet, HasTorchvisionsVarianceAtTheStart) {
  make_encoder({.name = "resnet18"})->visit_parameters([](const std::string& name, at::Tensor& tensor) {
    if (name != "layer4.1.conv2.weight") return;
    EXPECT_NEAR(tensor.std().item<double>(), std::sqrt(2.0 / (9 * 512)), 1e-4);
    EXPECT_NEAR(tensor.mean().item<double>(), 0, 1e-4);
  });
}

TEST(ResNet, CountsItsFlops) {
  // 2 * (27 * 64 * 1024 + 4 * 36864 * 1024 + ...), which is twice the 0.5556 G multiply-adds known of this network.
  EXPECT_NEAR(make_encoder({.name = "resnet18"})->flops(32), 2 * 0.5556e9, 1e6);
}

TEST(ResNet, TakesTheStemPaddingOfTheOfficialCode) {
  const auto encoder = make_encoder({.name = "resnet18", .stem_padding = 2});
  EXPECT_EQ(encoder->forward(picture({2, 3, 8, 8})).sizes(), (std::vector<int64_t>{2, 512}));
}

const std::vector<BackboneOptions> kAll = {
    {.name = "resnet18"}, {.name = "resnet34"},        {.name = "conv-mini"},
    {.name = "vit-tiny"}, {.name = "mlp", .dims = 48}, {.name = "conv-mini", .channels = 1, .width = 24},
};

at::Tensor input_for(const Encoder& encoder, int64_t items) {
  std::vector<int64_t> shape = encoder.input_shape();
  for (int64_t& size : shape) size = size < 0 ? 8 : size;
  shape.insert(shape.begin(), items);
  return picture(shape);
}

TEST(Encoders, GiveFeaturesAndAGradientToEveryParameter) {
  for (const BackboneOptions& options : kAll) {
    const auto encoder = make_encoder(options, 3);
    const at::Tensor y = encoder->forward(input_for(*encoder, 3));
    ASSERT_EQ(y.sizes(), (std::vector<int64_t>{3, encoder->features()})) << options.name;
    (y * picture(y.sizes())).sum().backward();
    encoder->visit_parameters([&](const std::string& name, at::Tensor& tensor) {
      ASSERT_TRUE(tensor.grad().defined()) << options.name << " " << name;
      EXPECT_TRUE(tensor.grad().isfinite().all().item<bool>()) << options.name << " " << name;
    });
  }
}

TEST(Encoders, ThoseThatEndInAReluAreNeverNegative) {
  for (const BackboneOptions& options : kAll) {
    const auto encoder = make_encoder(options, 3);
    const bool never = encoder->forward(input_for(*encoder, 9)).min().item<float>() >= 0;
    EXPECT_EQ(never, ends_in_relu(options)) << options.name;
  }
}

TEST(Encoders, AreTheSameForTheSameSeedAndAnotherForAnother) {
  const at::Tensor x = picture({2, 3, 8, 8});
  const auto features = [&](uint64_t seed) { return make_encoder({.name = "conv-mini"}, seed)->forward(x); };
  EXPECT_TRUE(features(1).equal(features(1)));
  EXPECT_FALSE(features(1).equal(features(2)));
}

TEST(Encoders, InEvaluationDoNotDependOnTheRestOfTheBatchNorChangeTheirStatistics) {
  for (const BackboneOptions& options : kAll) {
    const auto encoder = make_encoder(options);
    const at::Tensor x = input_for(*encoder, 4);
    encoder->forward(x);
    encoder->train(false);
    const at::Tensor whole = encoder->forward(x);
    EXPECT_LT(relative_error(encoder->forward(x.narrow(0, 0, 2)), whole.narrow(0, 0, 2)), 1e-4) << options.name;
    EXPECT_TRUE(encoder->forward(x).equal(whole)) << options.name;
  }
}

TEST(Encoders, DoNotMindTheMemoryFormat) {
  const auto encoder = make_encoder({.name = "conv-mini"});
  encoder->train(false);
  const at::Tensor x = picture({2, 3, 16, 16});
  EXPECT_TRUE(encoder->forward(x).equal(encoder->forward(x.contiguous(at::MemoryFormat::ChannelsLast))));
}

TEST(Encoders, RefuseWhatIsNoInputAndWhatIsNoNetwork) {
  const auto resnet = make_encoder({.name = "resnet18"});
  EXPECT_THAT(message_of([&] {
                resnet->forward(picture({2, 1, 8, 8}));
              }),
              HasSubstr("expected images [N, 3, H, W] with sides of at least 3, got shape [2, 1, 8, 8]"));
  EXPECT_THAT(message_of([&] { resnet->forward(picture({2, 3, 8, 8}).to(at::kDouble)); }), HasSubstr("float32"));
  EXPECT_THAT(message_of([] { make_encoder({.name = "resnet19"}); }), HasSubstr("got 'resnet19'"));
  EXPECT_THAT(message_of([] { make_encoder({.name = "mlp"}); }), HasSubstr("backbone.dims"));
  EXPECT_THAT(message_of([] { make_encoder({.name = "conv-mini", .width = 20}); }), HasSubstr("multiple of 8"));
  EXPECT_THAT(message_of([] { make_encoder({.name = "vit-tiny", .image_size = 30}); }),
              HasSubstr("multiple of the patch"));
  EXPECT_THAT(message_of([] {
                make_encoder({.name = "conv-mini"})->forward(picture({1, 3, 8, 8}));
              }),
              HasSubstr("more than one value per channel"));
}

TEST(BatchNorm, FusedWithReluAndResidualEqualsTorch) {
  const int64_t channels = 32;
  const at::Tensor x = picture({3, channels, 5, 7}).requires_grad_();
  const at::Tensor residual = (picture({3, channels, 5, 7}) * 2 - 0.3).flip(0).requires_grad_();
  const at::Tensor gamma = (picture({channels}) + 1.5).requires_grad_();
  const at::Tensor beta = picture({channels}).requires_grad_();
  const at::Tensor upstream = picture({3, channels, 5, 7}).flip(1);
  for (const bool relu : {false, true}) {
    for (const bool with_residual : {false, true}) {
      const at::Tensor rest = with_residual ? residual : at::Tensor();
      std::vector<at::Tensor> inputs = {x, gamma, beta};
      if (with_residual) inputs.push_back(residual);
      const auto gradients = [&](const at::Tensor& y) {
        for (const at::Tensor& input : inputs) input.mutable_grad().reset();
        (y * upstream).sum().backward();
        std::vector<at::Tensor> result;
        for (const at::Tensor& input : inputs) result.push_back(input.grad().clone());
        return result;
      };
      at::Tensor expected = at::batch_norm(x, gamma, beta, {}, {}, true, 0.1, 1e-5, false);
      if (with_residual) expected = expected + residual;
      if (relu) expected = at::relu(expected);
      const auto got = ops::batch_norm_train(x, gamma, beta, rest, relu, 1e-5);
      EXPECT_LT(relative_error(got.y, expected), 1e-5);
      const auto expected_gradients = gradients(expected);
      const auto got_gradients = gradients(got.y);
      for (size_t i = 0; i < inputs.size(); ++i) {
        EXPECT_LT(relative_error(got_gradients[i], expected_gradients[i]), 1e-4) << i << relu << with_residual;
      }
    }
  }
}

TEST(Conv, EqualsTorchWhicheverWayItIsComputed) {
  struct Case {
    int64_t in, out, kernel, stride, padding;
  };
  for (const Case& c : {Case{16, 32, 3, 1, 1}, Case{32, 16, 1, 2, 0}, Case{16, 16, 1, 1, 0}, Case{16, 32, 2, 2, 0},
                        Case{16, 16, 3, 2, 1}, Case{3, 16, 4, 2, 1}, Case{20, 16, 3, 1, 1}}) {
    const at::Tensor x = picture({2, c.in, 8 + c.kernel % 2, 10}).requires_grad_();
    const at::Tensor w = picture({c.out, c.in, c.kernel, c.kernel}).requires_grad_();
    const at::Tensor expected = at::conv2d(x, w, {}, c.stride, c.padding);
    const at::Tensor upstream = picture(expected.sizes());
    (expected * upstream).sum().backward();
    const at::Tensor dx = x.grad().clone();
    const at::Tensor dw = w.grad().clone();
    x.mutable_grad().reset();
    w.mutable_grad().reset();
    const at::Tensor got = ops::conv2d(x, w, c.stride, c.padding);
    (got * upstream).sum().backward();
    EXPECT_LT(relative_error(got, expected), 1e-5) << c.kernel << " " << c.stride;
    EXPECT_LT(relative_error(x.grad(), dx), 1e-5) << c.kernel << " " << c.stride;
    EXPECT_LT(relative_error(w.grad(), dw), 2e-5) << c.kernel << " " << c.stride;
  }
}

at::Tensor noise(at::IntArrayRef shape, uint64_t seed) {
  at::manual_seed(seed);
  return at::randn(shape);
}

TEST(Bf16Scope, RoundsConvolutionsAndLinearLayersForAsLongAsItLives) {
  if (!missing_amx().empty()) GTEST_SKIP() << "needs AMX bf16 tiles, got " << missing_amx();
  const at::Tensor x = noise({40, 32, 9, 7}, 1).requires_grad_();
  const at::Tensor w = noise({48, 32, 3, 3}, 2).requires_grad_();
  const at::Tensor rows = noise({5, 6, 32}, 3).requires_grad_();
  const at::Tensor matrix = noise({20, 32}, 4).requires_grad_();
  const at::Tensor bias = noise({20}, 5).requires_grad_();
  const std::vector<at::Tensor> inputs = {x, w, rows, matrix, bias};
  const auto results = [&](const std::string& precision) {
    std::vector<at::Tensor> list;
    {
      const ops::Bf16Scope scope(precision);
      list = {ops::conv2d(x, w, 2, 1), ops::linear(rows, matrix, bias)};
    }
    // The gradients are taken behind the scope.
    (list[0].square().sum() + list[1].square().sum()).backward();
    for (const at::Tensor& input : inputs) {
      list.push_back(input.grad().clone());
      input.mutable_grad().reset();
    }
    return list;
  };
  const auto plain = results("float32");
  const auto rounded = results("bfloat16");
  const auto after = results("float32");
  for (size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(rounded[i].sizes(), plain[i].sizes()) << i;
    // Each operand is off by up to 2^-9 of itself, 0.0011 in the mean square; the gradients are of rounded outputs.
    EXPECT_LT(relative_error(rounded[i], plain[i]), 0.01) << i;
    EXPECT_FALSE(rounded[i].equal(plain[i])) << i;
    EXPECT_TRUE(after[i].equal(plain[i])) << i;
  }
}

TEST(Bf16Scope, LeavesTheColoursOfAPictureAndAnEmptyBatchAlone) {
  if (!missing_amx().empty()) GTEST_SKIP() << "needs AMX bf16 tiles, got " << missing_amx();
  const at::Tensor colours = noise({2, 3, 8, 8}, 1);
  const at::Tensor w = noise({16, 3, 4, 4}, 2);
  const at::Tensor plain = ops::conv2d(colours, w, 2, 1);
  const ops::Bf16Scope scope("bfloat16");
  EXPECT_TRUE(ops::conv2d(colours, w, 2, 1).equal(plain));
  EXPECT_EQ(ops::linear(at::empty({0, 32}), at::ones({4, 32}), at::ones({4})).sizes(), (at::IntArrayRef{0, 4}));
}

TEST(Bf16Scope, IsRefusedWhereThereIsNoAmx) {
  if (missing_amx().empty()) GTEST_SKIP() << "needs a machine without AMX bf16 tiles";
  EXPECT_THAT(message_of([] { const ops::Bf16Scope scope("bfloat16"); }),
              HasSubstr("[train.precision] expected a machine with AMX bf16 tiles for bfloat16, got "));
}

TEST(Bf16Scope, GivesTheGradientsOfFloat32ButForRounding) {
  if (!missing_amx().empty()) GTEST_SKIP() << "needs AMX bf16 tiles, got " << missing_amx();
  for (const auto& [name, tolerance] : {std::pair("conv-mini", 0.2), std::pair("resnet18", 0.35)}) {
    const at::Tensor x = noise({32, 3, 16, 16}, 1);
    const auto network = make_encoder({.name = name, .width = 32}, 1);
    const at::Tensor upstream = noise({32, network->features()}, 2);
    const auto gradients = [&](const std::string& precision) {
      const ops::Bf16Scope scope(precision);
      (network->forward(x) * upstream).sum().backward();
      std::vector<at::Tensor> list;
      network->visit_parameters([&](const std::string&, at::Tensor& tensor) {
        list.push_back(tensor.grad().flatten().clone());
        tensor.mutable_grad().reset();
      });
      return at::cat(list);
    };
    // Rounding by 0.3 % in every layer turns ReLUs on and off, more of them in deeper networks. PyTorch, its
    // convolutions made to round their operands, is 0.15 and 0.25 from itself.
    EXPECT_LT(relative_error(gradients("bfloat16"), gradients("float32")), tolerance) << name;
  }
}

TEST(Projector, HasTheNamesOfASequential) {
  const auto names = [](const ProjectorOptions& options) {
    std::vector<std::string> result;
    Projector(8, options, 0).visit_parameters([&](const std::string& name, at::Tensor&) { result.push_back(name); });
    return result;
  };
  EXPECT_EQ(names({.hidden = 4, .out = 2}), (std::vector<std::string>{"0.weight", "0.bias", "2.weight", "2.bias"}));
  EXPECT_EQ(names({.hidden = 4, .out = 2, .batch_norm = true}),
            (std::vector<std::string>{"0.weight", "0.bias", "1.weight", "1.bias", "3.weight", "3.bias"}));
  EXPECT_TRUE(names({.depth = 0}).empty());
}

TEST(Projector, OfDepthZeroPassesFeaturesOnAndRefusesOthers) {
  Projector none(8, {.depth = 0}, 0);
  EXPECT_TRUE(none.forward(picture({2, 8})).equal(picture({2, 8})));
  EXPECT_EQ(none.out(), 8);
  EXPECT_THAT(message_of([&] {
                none.forward(picture({2, 9}));
              }),
              HasSubstr("expected features [N, 8], got shape [2, 9]"));
}

}  // namespace
}  // namespace orthant
