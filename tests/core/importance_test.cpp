#include "orthant/core/importance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/message_of.h"

namespace orthant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Embeddings three_columns() {
  Embeddings embeddings;
  embeddings.features = Matrix(2, 3);
  return embeddings;
}

TEST(LearnedImportance, ReadsBackWhatItWroteToTheLastBit) {
  Embeddings embeddings = three_columns();
  EXPECT_THAT(importance_of(embeddings), IsEmpty());
  const std::vector<float> numbers = {1.7F, 1.0F / 3, 3e-30F};
  put_importance(embeddings, numbers);
  EXPECT_EQ(importance_of(embeddings), numbers);
  put_importance(embeddings, std::vector<float>{2, 1, 0});
  EXPECT_EQ(embeddings.how.at("learned_importance"), "2,1,0");
  put_importance(embeddings, {});
  EXPECT_FALSE(embeddings.how.contains("learned_importance"));
}

TEST(LearnedImportance, RefusesWhatIsNoListOfThatManyNumbers) {
  Embeddings embeddings = three_columns();
  for (const std::string text :
       {"", "1,2", "1,2,3,4", "1,2,3,", "1;2;3", "1,2,x", "1,2,-3", "1,2,nan", "1,inf,2", "1,2,1e99"}) {
    embeddings.how["learned_importance"] = text;
    EXPECT_THAT(test::message_of([&] { importance_of(embeddings); }),
                HasSubstr("expected how.learned_importance to list 3 numbers"))
        << text;
  }
}

}  // namespace
}  // namespace orthant
