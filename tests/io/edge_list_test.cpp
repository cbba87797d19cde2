#include "orthant/io/edge_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "tests/support/temporary_folder.h"

namespace orthant::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(EdgeList, ReadsNamesWeightsCommentsAndNodesAlone) {
  const EdgeList list = parse_edge_list("# a graph\nb a\n\n  a   c\t2.5  \nlonely\n% more\nb a 0.5", "text");
  EXPECT_THAT(list.nodes, ElementsAre("b", "a", "c", "lonely"));
  EXPECT_THAT(list.from, ElementsAre(0, 1, 0));
  EXPECT_THAT(list.to, ElementsAre(1, 2, 1));
  EXPECT_THAT(list.weights, ElementsAre(1, 2.5, 0.5));
}

TEST(EdgeList, TheFirstEdgeDecidesTheSeparator) {
  EXPECT_THAT(parse_edge_list("New York\tLos Angeles, CA\t3\nRome\tParis", "text").nodes,
              ElementsAre("New York", "Los Angeles, CA", "Rome", "Paris"));
  EXPECT_THAT(parse_edge_list("New York , Rome, 2\nParis,Rome", "text").nodes,
              ElementsAre("New York", "Rome", "Paris"));
}

TEST(EdgeList, ReadsWindowsFilesLikeOthers) {
  EXPECT_EQ(parse_edge_list("\xef\xbb\xbf"
                            "1 2\r\n2 3 4\r\n",
                            "text"),
            parse_edge_list("1 2\n2 3 4", "text"));
}

TEST(EdgeList, NamesFileAndLineOfWhatIsWrong) {
  const auto parsing = [](std::string text) { return [=] { parse_edge_list(text, "g.txt"); }; };
  EXPECT_THAT(
      parsing("a b\na b c d\n"),
      ThrowsMessage<IoError>("[g.txt line 2] expected two names and at most a weight, got more fields: 'a b c d'"));
  EXPECT_THAT(parsing("a b\n\na b x\n"), ThrowsMessage<IoError>("[g.txt line 3] expected a number as weight, got 'x'"));
  EXPECT_THAT(parsing("source,target,weight\na,b,1\n"),
              ThrowsMessage<IoError>(HasSubstr("got 'weight'; begin a line of column names with '#'")));
  EXPECT_THAT(parsing("a b -1"), ThrowsMessage<IoError>("[g.txt line 1] expected a weight of 0 or more, got -1"));
  EXPECT_THAT(parsing("a b nan"), ThrowsMessage<IoError>(HasSubstr("got 'nan'")));
  EXPECT_THAT(parsing("a b inf"), ThrowsMessage<IoError>(HasSubstr("got 'inf'")));
  EXPECT_THAT(parsing("a b 1e999"), ThrowsMessage<IoError>(HasSubstr("got '1e999'")));
  EXPECT_THAT(parsing("a b 1x"), ThrowsMessage<IoError>(HasSubstr("got '1x'")));
  EXPECT_THAT(parsing("a,b\na,,2"),
              ThrowsMessage<IoError>("[g.txt line 2] expected a node's name, got an empty field"));
  EXPECT_THAT(parsing(std::string("a b\n\0\x01 c", 8)), ThrowsMessage<IoError>(HasSubstr("got a control character")));
  EXPECT_THAT(parsing(""), ThrowsMessage<IoError>(HasSubstr("expected at least one edge")));
  EXPECT_THAT(parsing("# nothing\nalone\n"), ThrowsMessage<IoError>(HasSubstr("expected at least one edge")));
}

TEST(EdgeList, RandomBytesAreReadOrRefusedButNeverCrash) {
  const std::string alphabet("ab1. ,\t\n\r#%-\0\xff", 14);
  Rng rng(1);
  for (int round = 0; round < 3000; ++round) {
    std::string text(rng.below(40), ' ');
    for (char& c : text) c = alphabet[rng.below(alphabet.size())];
    try {
      const EdgeList list = parse_edge_list(text, "random");
      EXPECT_EQ(list.from.size(), list.weights.size());
      EXPECT_EQ(list.to.size(), list.weights.size());
      for (const int32_t node : list.to) EXPECT_LT(static_cast<size_t>(node), list.nodes.size());
    } catch (const IoError&) {
    }
  }
}

TEST(EdgeList, ReadsAFileAndRefusesAMissingOne) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder / "g.txt", "x y 2\n");
  EXPECT_THAT(read_edge_list(folder / "g.txt").weights, ElementsAre(2));
  EXPECT_THROW(read_edge_list(folder / "none.txt"), IoError);
}

}  // namespace
}  // namespace orthant::io
