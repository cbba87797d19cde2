#include "orthant/core/embeddings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/message_of.h"

namespace orthant {
namespace {

using ::testing::HasSubstr;

std::string rejection(const Embeddings& embeddings) {
  return test::message_of([&] { embeddings.validate(); });
}

Embeddings three_items() {
  Embeddings e;
  e.features = Matrix(3, 2);
  e.labels = {0, 1, -1};
  e.class_names = {"cat", "dog"};
  e.factors = {{"size", {0.5F, 1.0F}, {0, 1, 1}}};
  e.ids = {"a", "b", "c"};
  return e;
}

TEST(Embeddings, AcceptsUnknownLabelsAndMissingParts) {
  EXPECT_EQ(rejection(three_items()), "nothing was thrown");
  Embeddings bare;
  bare.features = SparseMatrix::from_dense(Matrix(3, 2));
  EXPECT_EQ(rejection(bare), "nothing was thrown");
  EXPECT_TRUE(bare.sparse());
  EXPECT_EQ(bare.rows(), 3);
  EXPECT_EQ(bare.cols(), 2);
}

TEST(Embeddings, NamesThePartThatDoesNotFit) {
  Embeddings e = three_items();
  e.labels.pop_back();
  EXPECT_THAT(rejection(e), HasSubstr("expected 3 labels, got 2"));
  e = three_items();
  e.labels[1] = 2;
  EXPECT_THAT(rejection(e), HasSubstr("expected label 1 to be -1 or one of 2 classes, got 2"));
  e = three_items();
  e.labels[1] = -2;
  EXPECT_THAT(rejection(e), HasSubstr("got -2"));
  e = three_items();
  e.ids.emplace_back("d");
  EXPECT_THAT(rejection(e), HasSubstr("expected 3 ids, got 4"));
  e = three_items();
  e.factors[0].classes = {0, 1};
  EXPECT_THAT(rejection(e), HasSubstr("expected 3 values of factor size, got 2"));
  e = three_items();
  e.factors[0].classes[0] = 2;
  EXPECT_THAT(rejection(e), HasSubstr("classes of factor size from 0 to 2 - 1, got 2"));
  e = three_items();
  e.feature_names = {"wheel"};
  EXPECT_THAT(rejection(e), HasSubstr("expected 2 names of features, got 1"));
  e.feature_names = {"", ""};
  EXPECT_EQ(rejection(e), "nothing was thrown");
  e.feature_names = {"wheel", "wheel"};
  EXPECT_THAT(rejection(e), HasSubstr("a name of its own, got 'wheel' for features 0 and 1"));
}

}  // namespace
}  // namespace orthant
