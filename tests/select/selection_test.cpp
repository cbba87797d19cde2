#include "orthant/select/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orthant/core/importance.h"
#include "tests/support/message_of.h"

namespace orthant::select {
namespace {

using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Embeddings example(bool sparse) {
  Embeddings embeddings;
  const Matrix x(3, 4, {3, 0, 4, 1, 0, 0, 0, 2, 5, 6, 0, 0});
  if (sparse) {
    embeddings.features = SparseMatrix::from_dense(x);
  } else {
    embeddings.features = x;
  }
  embeddings.labels = {0, 1, 1};
  embeddings.class_names = {"a", "b"};
  embeddings.ids = {"x", "y", "z"};
  embeddings.factors = {{"size", {0, 1}, {0, 1, 0}}};
  embeddings.feature_names = {"fur", "", "wheel", "sky"};
  embeddings.how["model"] = "m";
  return embeddings;
}

Matrix dense_of(const Embeddings& embeddings) {
  return embeddings.sparse() ? std::get<SparseMatrix>(embeddings.features).to_dense()
                             : std::get<Matrix>(embeddings.features);
}

TEST(Selection, KeepsColumnsInTheOrderGivenAndEverythingElse) {
  for (const bool sparse : {false, true}) {
    const Embeddings from = example(sparse);
    const Embeddings kept = select_features(from, std::vector<int64_t>{2, 0});
    EXPECT_EQ(kept.sparse(), sparse);
    EXPECT_EQ(dense_of(kept), Matrix(3, 2, {4, 3, 0, 0, 0, 5}));
    EXPECT_EQ(kept.labels, from.labels);
    EXPECT_EQ(kept.ids, from.ids);
    EXPECT_EQ(kept.factors, from.factors);
    EXPECT_EQ(kept.class_names, from.class_names);
    EXPECT_THAT(kept.feature_names, ElementsAre("wheel", "fur"));
    EXPECT_EQ(kept.how.at("model"), "m");
    EXPECT_EQ(kept.how.at("features"), "2,0");
    kept.validate();
  }
}

TEST(Selection, RenormalisedRowsHaveUnitLengthAndZeroRowsStay) {
  for (const bool sparse : {false, true}) {
    const Embeddings kept = select_features(example(sparse), std::vector<int64_t>{0, 2}, {.renormalise = true});
    EXPECT_EQ(dense_of(kept), Matrix(3, 2, {0.6F, 0.8F, 0, 0, 1, 0}));
  }
}

TEST(Selection, OfASelectionStillNamesTheOriginalFeatures) {
  const Embeddings first = select_features(example(true), std::vector<int64_t>{3, 1, 0});
  const Embeddings second = select_features(first, std::vector<int64_t>{2, 0});
  EXPECT_EQ(second.how.at("features"), "0,3");
  EXPECT_THAT(original_features(second), ElementsAre(0, 3));
  EXPECT_EQ(dense_of(second), Matrix(3, 2, {3, 1, 0, 2, 5, 0}));
}

TEST(Selection, TheImportanceOfColumnsStaysWithThem) {
  Embeddings embeddings;
  embeddings.features = Matrix(2, 3);
  put_importance(embeddings, std::vector<float>{3, 2, 1});
  const Embeddings kept = select_features(embeddings, std::vector<int64_t>{2, 0});
  EXPECT_THAT(importance_of(kept), ElementsAre(1, 3));
}

TEST(Selection, RefusesColumnsThatAreNotThere) {
  const Embeddings from = example(false);
  const auto select = [&](std::vector<int64_t> columns) { return message_of([&] { select_features(from, columns); }); };
  EXPECT_THAT(select({}), HasSubstr("at least one feature"));
  EXPECT_THAT(select({4}), HasSubstr("columns below 4, got 4"));
  EXPECT_THAT(select({-1}), HasSubstr("got -1"));
  EXPECT_THAT(select({1, 2, 1}), HasSubstr("got 1 twice"));
}

TEST(Selection, RefusesAListOfFeaturesThatDoesNotFit) {
  for (const char* text : {"", "1,2,3", "1,2,3,4,5", "1,2,3,x", "1,2,3,-4", "1;2;3;4"}) {
    Embeddings from = example(false);
    from.how["features"] = text;
    EXPECT_THAT(message_of([&] { original_features(from); }), HasSubstr("the numbers of 4 features")) << text;
  }
}

}  // namespace
}  // namespace orthant::select
