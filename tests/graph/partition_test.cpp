#include "orthant/graph/partition.h"

#include <gmock/gmock.h>

#include <set>

#include "orthant/sources/open.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using ::testing::HasSubstr;

TEST(Partition, HasTheEdgesThatWereAskedForAndEachOnce) {
  const PartitionOptions options{.nodes = 2000, .groups = 5, .inside = 8, .outside = 4};
  const auto data = make_partition(options, "all");
  double inside = 0;
  double outside = 0;
  for (int64_t i = 0; i < data->size(); ++i) {
    for (const Linked& other : data->links(i)) {
      EXPECT_NE(other.item, i);
      EXPECT_EQ(other.weight, 1) << "twice the same edge";
      (data->label(i) == data->label(other.item) ? inside : outside) += 1.0 / 2000;
    }
  }
  EXPECT_NEAR(inside, 8, 0.3);
  EXPECT_NEAR(outside, 4, 0.3);
}

TEST(Partition, ReachesEveryGroupFromEveryOther) {
  const auto data = make_partition({.nodes = 60, .groups = 3, .inside = 2, .outside = 30, .features = 0}, "all");
  std::set<std::pair<int64_t, int64_t>> seen;
  for (int64_t i = 0; i < data->size(); ++i) {
    for (const Linked& other : data->links(i)) seen.insert({data->label(i), data->label(other.item)});
  }
  EXPECT_EQ(seen.size(), 9);
  EXPECT_EQ(data->info().nodes, 60);
}

TEST(Partition, FeaturesPointToTheGroup) {
  const auto data = make_partition({.nodes = 1000, .groups = 10, .features = 12, .signal = 2}, "all");
  double own = 0;
  double other = 0;
  for (int64_t i = 0; i < data->size(); ++i) {
    own += static_cast<double>(data->vector(i)[static_cast<size_t>(data->label(i))]) / 1000;
    other += static_cast<double>(data->vector(i)[11]) / 1000;
  }
  EXPECT_NEAR(own, 2, 0.15);
  EXPECT_NEAR(other, 0, 0.15);
}

TEST(Partition, SnrIsOneAtTheThreshold) {
  // Two groups: (a - b)^2 = 2 (a + b) with a, b the means of edges per pair of groups times two.
  EXPECT_NEAR(partition_snr({.groups = 2, .inside = 4.5, .outside = 1.5}), 9.0 / 6, 1e-12);
  EXPECT_GT(partition_snr({}), 1);
}

TEST(Partition, IsADataSetOfItsOwn) {
  EXPECT_EQ(open_dataset("partition", {.split = "all"})->size(), 4000);
  EXPECT_EQ(open_dataset("partition:200", {.split = "all"})->info().name, "partition:200");
  EXPECT_TRUE(is_graph("partition:200"));
  EXPECT_FALSE(is_graph("npy:partition"));
  EXPECT_THAT(test::message_of([] { open_dataset("partition:many"); }), HasSubstr("expected partition:NODES"));
  EXPECT_THAT(test::message_of([] { open_dataset("partition:15"); }), HasSubstr("expected groups of equal size"));
  EXPECT_THAT(test::message_of([] { make_partition({.inside = 4000}, "all"); }), HasSubstr("expected fewer edges"));
}

}  // namespace
}  // namespace orthant
