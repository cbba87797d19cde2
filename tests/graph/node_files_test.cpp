#include "orthant/graph/node_files.h"

#include <gmock/gmock.h>

#include "tests/support/message_of.h"

namespace orthant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

std::string refused_features(const std::string& text) {
  return test::message_of([&] { parse_node_features(text, "f.txt"); });
}
std::string refused_labels(const std::string& text) {
  return test::message_of([&] { parse_node_labels(text, "l.txt"); });
}

TEST(NodeFeatures, AreWhatIsNotZero) {
  const NodeFeatures found = parse_node_features("# features\nb 3:1.5 0:-2\n\na\r\nc 1:1e-3\n", "f.txt");
  EXPECT_THAT(found.nodes, ElementsAre("b", "a", "c"));
  EXPECT_EQ(found.dims, 4);
  EXPECT_THAT(found.rows[0], ElementsAre(Pair(0, -2), Pair(3, 1.5)));
  EXPECT_TRUE(found.rows[1].empty());
}

TEST(NodeFeatures, RefusesWhatIsNoFeature) {
  EXPECT_THAT(refused_features("a 1:1\na 2:1\n"), HasSubstr("[f.txt line 2] expected each node once, got a again"));
  EXPECT_THAT(refused_features("a 1\n"), HasSubstr("[f.txt line 1] expected number:value, got 1"));
  EXPECT_THAT(refused_features("a x:1\n"), HasSubstr("expected number:value, got x:1"));
  EXPECT_THAT(refused_features("a 1:nan\n"), HasSubstr("expected a finite value, got 1:nan"));
  EXPECT_THAT(refused_features("a -1:1\n"), HasSubstr("expected a feature from 0 to 1048575, got -1"));
  EXPECT_THAT(refused_features("a 99999999:1\n"), HasSubstr("got 99999999"));
  EXPECT_THAT(refused_features("a 2:1 2:3\n"), HasSubstr("expected each feature once, got 2 again"));
  EXPECT_THAT(refused_features("a\n"), HasSubstr("expected features of nodes ('node i:v ...'), got none"));
  EXPECT_THAT(refused_features("a\xff 1:1\n"), HasSubstr("expected text in UTF-8"));
  EXPECT_THAT(refused_features(std::string("a\0 1:1\n", 7)), HasSubstr("expected text, got a zero byte"));
}

TEST(NodeLabels, MayHaveASplit) {
  const NodeLabels found = parse_node_labels("x,cat,train\ny,dog,dev\nz,cat,none\n", "l.txt");
  ASSERT_EQ(found.rows.size(), 3);
  EXPECT_EQ(found.rows[1].label, "dog");
  EXPECT_EQ(found.rows[1].split, "val");
  EXPECT_EQ(parse_node_labels("x\tblue fish\n", "l.txt").rows[0].label, "blue fish");
}

TEST(NodeLabels, RefusesWhatIsNoLabel) {
  EXPECT_THAT(refused_labels("x\n"),
              HasSubstr("[l.txt line 1] expected a node, its label and at most a split, got 1 field"));
  EXPECT_THAT(refused_labels("x,,train\n"), HasSubstr("expected a label, got an empty field"));
  EXPECT_THAT(refused_labels("x a holdout\n"), HasSubstr("expected the split train, test, val or none, got holdout"));
  EXPECT_THAT(refused_labels("x a train\ny b\n"),
              HasSubstr("[l.txt line 2] expected a split in every line or in none"));
  EXPECT_THAT(refused_labels("x a\nx b\n"), HasSubstr("expected each node once, got x again"));
  EXPECT_THAT(refused_labels(""), HasSubstr("expected labels of nodes ('node label [split]'), got none"));
}

TEST(NodeFiles, AreToldApartByTheirFirstLine) {
  EXPECT_TRUE(looks_like_node_features("# x\na 1:2\n"));
  EXPECT_FALSE(looks_like_node_features("a cat\n"));
  EXPECT_FALSE(looks_like_node_features("a\n"));
  EXPECT_FALSE(looks_like_node_features("\xff\n"));
}

}  // namespace
}  // namespace orthant
