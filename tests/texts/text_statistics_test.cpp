#include "orthant/texts/text_statistics.h"

#include <gtest/gtest.h>

#include "orthant/sources/open.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

TEST(TextStatistics, CountsByHand) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder / "a.txt", "A star.\na red star\n...\nThe star is a STAR!\n");
  const auto data = open_dataset("text:" + (folder / "a.txt"), {.split = "all"});
  const TextStatistics statistics = text_statistics(*data);
  EXPECT_EQ(statistics.texts, 4);
  EXPECT_EQ(statistics.words, 10);
  EXPECT_EQ(statistics.vocabulary, 5);
  EXPECT_EQ(statistics.median_words, 2);
  EXPECT_EQ(statistics.most_words, 5);
}

TEST(TextStatistics, ThreadsDoNotChangeThem) {
  const auto data = open_dataset("captions", {.size = 2'000});
  const TextStatistics one = text_statistics(*data, 1);
  const TextStatistics two = text_statistics(*data, 3);
  EXPECT_EQ(one.words, two.words);
  EXPECT_EQ(one.vocabulary, two.vocabulary);
  EXPECT_EQ(one.median_words, two.median_words);
}

}  // namespace
}  // namespace orthant
