#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "learn/train/embed.h"
#include "learn/train/online_classifier.h"
#include "learn/train/statistics.h"
#include "tests/learn/train/support.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::Clusters;
using test::message_of;
using ::testing::HasSubstr;

TEST(FeatureStatistics, ByHand) {
  // Rows of length 5, 2, 0, 1; feature 3 is dead.
  const Matrix features(4, 4, {3, 4, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0});
  const std::vector<int64_t> labels = {0, 1, 1, 1};
  const FeatureStatistics s = feature_statistics(features, labels);
  EXPECT_DOUBLE_EQ(s.consistency, (1.0 + 0.5) / 2);            // features 0 and 1; feature 2 is never positive
  EXPECT_DOUBLE_EQ(s.consistency_abs, (1.0 + 0.5 + 1.0) / 3);  // and feature 2
  EXPECT_DOUBLE_EQ(s.sparsity, 12.0 / 16);
  EXPECT_DOUBLE_EQ(s.non_negative, 15.0 / 16);
  EXPECT_EQ(s.active_features, 3);
  EXPECT_EQ(s.dead_features, 1);
  EXPECT_EQ(s.zero_rows, 1);
  // Columns (0.6), (0.8, 1), (-1): the first two have cosine 0.48 / (0.6 * sqrt 1.64).
  EXPECT_NEAR(s.correlation, 2 * 0.48 / (0.6 * std::sqrt(1.64)) / 9, 1e-6);
}

TEST(FeatureStatistics, TheRankOfOrthogonalFeaturesIsTheLogarithmOfTheirNumber) {
  Matrix features(8, 8);
  for (int64_t i = 0; i < 8; ++i) features(i, i) = static_cast<float>(i + 1);
  EXPECT_NEAR(feature_statistics(features, {}).effective_rank, std::log(8.0), 1e-4);
  const Matrix one(3, 2, {1, 1, 2, 2, 3, 3});
  EXPECT_NEAR(feature_statistics(one, {}).effective_rank, 0, 1e-4);
}

TEST(FeatureStatistics, RefusesWhatDoesNotFit) {
  EXPECT_THAT(message_of([] { feature_statistics(Matrix(0, 3), {}); }), HasSubstr("expected features"));
  const std::vector<int64_t> two = {0, 1};
  EXPECT_THAT(message_of([&] { feature_statistics(Matrix(3, 1), two); }), HasSubstr("3 labels or none, got 2"));
}

TEST(OnlineClassifier, LearnsSeparableClassesAndPassesOverTheUnknown) {
  OnlineClassifier classifier(2, 2);
  const at::Tensor features = at::tensor({1.0F, 0.0F, 0.0F, 1.0F, 9.0F, 9.0F}).view({3, 2});
  const std::vector<int64_t> labels = {0, 1, -1};
  const auto first = classifier.learn(features, labels, 0.5);
  EXPECT_NEAR(first.loss, std::log(2.0), 1e-6);
  EXPECT_EQ(first.counted, 2);
  OnlineClassifier::Result last;
  for (int step = 0; step < 50; ++step) last = classifier.learn(features, labels, 0.5);
  EXPECT_EQ(last.correct, 2);
  EXPECT_LT(last.loss, 0.1);
}

TEST(OnlineClassifier, NeverReachesTheEncoder) {
  OnlineClassifier classifier(2, 2);
  const at::Tensor features = at::ones({2, 2}).requires_grad_(true);
  classifier.learn(features, std::vector<int64_t>{0, 1}, 0.5);
  EXPECT_FALSE(features.grad().defined());
}

ModelOptions tiny_model(const std::string& activation) {
  ModelOptions options;
  options.backbone = {.name = "mlp", .dims = 6, .hidden = 16, .depth = 1};
  options.projector = {.hidden = 16, .out = 12, .depth = 2};
  options.activation.name = activation;
  return options;
}

TEST(Embed, AppliesWhatTheModelSaysAndKeepsWhatIsKnownOfTheItems) {
  const auto data = std::make_shared<Clusters>(30, 6, 4);
  Model model(tiny_model("relu"), 5);
  const Embeddings embeddings = embed(model, data, {.batch = 7});
  embeddings.validate();
  EXPECT_EQ(embeddings.rows(), 30);
  EXPECT_EQ(embeddings.cols(), 12);
  EXPECT_EQ(embeddings.labels[5], 1);
  EXPECT_EQ(embeddings.ids[5], data->id(5));
  EXPECT_EQ(embeddings.how.at("activation"), "relu");
  EXPECT_EQ(embeddings.how.at("temperature"), "0.2");
  const Matrix dense = embeddings.sparse() ? std::get<SparseMatrix>(embeddings.features).to_dense()
                                           : std::get<Matrix>(embeddings.features);
  for (const float x : dense.values()) EXPECT_GE(x, 0);
  const Embeddings again = embed(model, data, {.batch = 30});
  EXPECT_EQ(again.rows(), 30);
}

TEST(Embed, IsSparseOnlyWhereThatPays) {
  const auto data = std::make_shared<Clusters>(30, 6, 4);
  ModelOptions few = tiny_model("topk");
  few.activation.topk = 2;
  Model sparse(few, 5);
  EXPECT_TRUE(embed(sparse, data).sparse());
  Model dense(tiny_model("none"), 5);
  EXPECT_FALSE(embed(dense, data).sparse());
  EXPECT_EQ(embed(dense, data, {.layer = "backbone"}).cols(), 16);
}

TEST(Embed, RefusesAnotherLayerAndOtherData) {
  Model model(tiny_model("relu"), 5);
  const auto data = std::make_shared<Clusters>(30, 6, 4);
  EXPECT_THAT(message_of([&] { embed(model, data, {.layer = "head"}); }), HasSubstr("got 'head'"));
  EXPECT_THAT(message_of([&] { embed(model, std::make_shared<Clusters>(30, 5, 4)); }),
              HasSubstr("expected vectors of 6 for this model, got vectors of 5"));
}

}  // namespace
}  // namespace orthant
