#include "orthant/graph/graph_source.h"

#include <gmock/gmock.h>

#include "orthant/core/error.h"
#include "orthant/io/npy.h"
#include "orthant/sources/open.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Counts = std::vector<NamedCount>;

class GraphSourceTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) const {
    test::write_bytes(folder / name, bytes);
    return folder / name;
  }
  std::string write_rows(const std::string& name, std::vector<float> values, int64_t dims) const {
    const auto rows = static_cast<int64_t>(values.size()) / dims;
    io::write_npy(folder / name, io::array_from(std::move(values), {rows, dims}));
    return folder / name;
  }
  static DatasetPtr open(const std::string& path, const std::string& split = "all") {
    return open_dataset("edges:" + path, {.split = split});
  }
  static std::string refusal(const std::string& path) {
    return test::message_of([&] { open(path); });
  }

  test::TemporaryFolder folder;
};

TEST_F(GraphSourceTest, NodesWithFeaturesAreThemAndTheMeanOfTheirNeighbours) {
  const std::string edges = write("e.txt", "a b 3\nb c 1\nc c 5\n");
  const auto data = open(edges + "," + write("f.txt", "a 0:1\nb 1:2\nc 0:4 1:4\nd 0:9\n"));
  ASSERT_EQ(data->size(), 4);
  EXPECT_EQ(data->info().dims, 4);
  EXPECT_TRUE(data->info().graph);
  EXPECT_THAT(data->vector(0), ElementsAre(1, 0, 0, 2));
  EXPECT_THAT(data->vector(1), ElementsAre(0, 2, 1.75, 1)) << "by the weights of the edges";
  EXPECT_THAT(data->vector(2), ElementsAre(4, 4, 0, 2)) << "an edge to itself makes no neighbour";
  EXPECT_THAT(data->vector(3), ElementsAre(9, 0, 0, 0)) << "without an edge";
  EXPECT_THAT(data->links(1), ElementsAre(Linked{0, 3}, Linked{2, 1}));
  EXPECT_EQ(data->info().facts, (Counts{{"edges", 3}, {"edges of a node to itself", 1}, {"nodes without an edge", 1}}));
  ASSERT_NE(data->positives(), nullptr);
  EXPECT_EQ(data->positives()->size(), 3);
}

TEST_F(GraphSourceTest, NodesWithoutFeaturesAreTheirNumbersInOrder) {
  const auto data = open(write("e.txt", "10 2\n2 0\n"));
  ASSERT_EQ(data->size(), 3);
  EXPECT_EQ(data->id(2), "10");
  EXPECT_EQ(data->info().nodes, 3);
  EXPECT_THAT(data->vector(2), ElementsAre(2));
  EXPECT_THAT(data->links(2), ElementsAre(Linked{1, 1}));
}

TEST_F(GraphSourceTest, LabelsAndSplitsAreThoseOfTheFile) {
  const std::string edges = write("e.txt", "0 1\n1 2\n2 3\n");
  const std::string labels = write("l.txt", "0 10 train\n1 2 val\n2 10 test\n3 2 none\n");
  const auto all = open(edges + "," + labels);
  EXPECT_THAT(all->info().class_names, ElementsAre("2", "10"));
  EXPECT_EQ(all->label(0), 1);
  EXPECT_EQ(all->info().splits, (Counts{{"train", 1}, {"test", 1}, {"all", 4}}));
  const auto test = open(edges + "," + labels, "test");
  ASSERT_EQ(test->size(), 1);
  EXPECT_EQ(test->id(0), "2");
  EXPECT_TRUE(test->links(0).empty()) << "its neighbours are not here";
  EXPECT_EQ(test->positives(), nullptr);
  const auto val = open(edges + "," + write("v.txt", "0 a train\n1 b val\n"), "test");
  EXPECT_EQ(val->id(0), "1") << "val is the test where there is none";
}

TEST_F(GraphSourceTest, RowsOfAnArrayAreNodesByTheirNumber) {
  const std::string edges = write("e.txt", "1 0\n");
  const std::string rows = write_rows("f.npy", {1, 2, 3, 4, 5, 6}, 2);
  const auto data = open(edges + "," + rows + "," + write("l.txt", "2 x\n0 y\n"));
  ASSERT_EQ(data->size(), 3) << "row 2 is a node without an edge";
  EXPECT_THAT(data->vector(0), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(data->label(1), -1);
  EXPECT_THAT(refusal(write("far.txt", "0 3\n") + "," + rows),
              HasSubstr("[" + rows + "] expected nodes from 0 to 2, as it has rows, got 3"));
  EXPECT_THAT(refusal(write("named.txt", "0 b\n") + "," + rows), HasSubstr("expected nodes called by the number"));
  EXPECT_THAT(refusal(edges + "," + write_rows("n.npy", {1, NAN}, 1)),
              HasSubstr("expected finite features, got NaN or infinity"));
  EXPECT_THAT(refusal(edges + "," + rows + "," + write("m.txt", "7 x\n")),
              HasSubstr("expected nodes from 0 to 2, as " + rows + " has rows, got 7"));
}

TEST_F(GraphSourceTest, RefusesWhatIsNoGraph) {
  EXPECT_THAT(refusal(folder / "none.txt"), HasSubstr("none.txt"));
  EXPECT_THAT(refusal(write("b.txt", std::string("\x7f"
                                                 "ELF\x01\x00",
                                                 6))),
              HasSubstr("control character"));
  EXPECT_THAT(refusal("/a,b,c,d"), HasSubstr("expected edges:FILE[,FEATURES][,LABELS]"));
  const std::string edges = write("e.txt", "0 1\n");
  EXPECT_THAT(refusal(edges + "," + (folder / "gone.txt")), HasSubstr("gone.txt"));
  EXPECT_EQ(absolute_spec("edges:/e.txt,/f.npy,/l.txt"), "edges:/e.txt,/f.npy,/l.txt");
}

}  // namespace
}  // namespace orthant
