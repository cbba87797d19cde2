#include "orthant/pairs/open_pairs.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "orthant/core/error.h"
#include "orthant/io/image_file.h"
#include "orthant/io/npy.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Counts = std::vector<NamedCount>;

class OpenPairsTest : public ::testing::Test {
 protected:
  std::string text(const std::string& name, const std::string& bytes) const {
    test::write_bytes(folder / name, bytes);
    return "text:" + (folder / name);
  }
  // Texts "text 0", "text 1", ...
  std::string lines(const std::string& name, int64_t count) const {
    std::string all;
    for (int64_t i = 0; i < count; ++i) all += "text " + std::to_string(i) + "\n";
    return text(name, all);
  }
  // Vectors of one element, which is their place.
  std::string vectors(const std::string& name, int64_t count) const {
    std::vector<float> values(static_cast<size_t>(count));
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    io::write_npy(folder / name, io::array_from<float>(values, {count, 1}));
    return "npy:" + (folder / name);
  }
  // A folder of the pictures NAME.png, grey levels 0, 1, ...
  std::string pictures(const std::vector<std::string>& names) const {
    std::filesystem::create_directories(folder / "pictures");
    for (size_t i = 0; i < names.size(); ++i) {
      io::write_png(folder / ("pictures/" + names[i] + ".png"), Image(8, 8, 1, static_cast<uint8_t>(i)));
    }
    return "folder:" + (folder / "pictures");
  }
  static std::string refusal(const std::string& a, const std::string& b) {
    return message_of([&] { open_pairs(a, b, {.split = "all"}); });
  }

  test::TemporaryFolder folder;
};

TEST_F(OpenPairsTest, SpritesGoWithCaptions) {
  for (const std::string split : {"train", "test"}) {
    const auto [a, b] = open_pairs("sprites", "captions", {.split = split, .size = 200, .seed = 3});
    ASSERT_EQ(a->size(), 200);
    ASSERT_EQ(b->size(), 200);
    EXPECT_EQ(b->info().split, split);
    const auto captions = open_dataset("captions", {.split = split, .size = 200, .seed = 3});
    for (int64_t i = 0; i < 200; ++i) {
      EXPECT_EQ(a->label(i), b->label(i));
      EXPECT_EQ(b->texts(i), captions->texts(i));
    }
  }
  EXPECT_EQ(open_pairs("sprites", "captions", {.split = "all"}).a->size(), 60'000);
}

TEST_F(OpenPairsTest, WithoutIdsAndSplitsPlacesDecide) {
  const std::string a = vectors("v.npy", 100);
  const std::string b = lines("t.txt", 100);
  const auto train = open_pairs(a, b, {.split = "train"});
  const auto test = open_pairs(a, b, {.split = "test"});
  ASSERT_EQ(train.a->size(), 90);
  ASSERT_EQ(test.b->size(), 10);
  EXPECT_TRUE(train.b->info().split_made_here);
  EXPECT_EQ(train.b->info().splits, (Counts{{"train", 90}, {"test", 10}, {"all", 100}}));
  std::set<float> seen;
  for (const auto& [one, other] : {train, test}) {
    for (int64_t i = 0; i < one->size(); ++i) {
      const float place = one->vector(i)[0];
      seen.insert(place);
      EXPECT_THAT(other->texts(i), ElementsAre("text " + std::to_string(static_cast<int64_t>(place))));
    }
  }
  EXPECT_EQ(seen.size(), 100U);
}

TEST_F(OpenPairsTest, VectorsGoWithVectorsAndTextsWithTexts) {
  const auto [v, w] = open_pairs(vectors("v.npy", 12), vectors("w.npy", 12), {.split = "all"});
  EXPECT_EQ(v->vector(7)[0], w->vector(7)[0]);
  const auto [s, t] = open_pairs(lines("s.txt", 12), lines("t.txt", 12), {.split = "all"});
  EXPECT_EQ(s->texts(7), t->texts(7));
}

TEST_F(OpenPairsTest, IdsDecideWhereTextsHaveThem) {
  const auto [a, b] = open_pairs(
      pictures({"p", "q", "r"}),
      text("t.tsv", "f\tt\nr.png\tan r\np.png\ta p\nq.png\ta q\np.png\ttwo p\n") + ",column=t,id=f", {.split = "all"});
  ASSERT_EQ(a->size(), 3);
  EXPECT_EQ(a->id(0), "p.png");
  EXPECT_THAT(b->texts(0), ElementsAre("a p", "two p"));
  EXPECT_THAT(b->texts(2), ElementsAre("an r"));

  const auto [c, d] =
      open_pairs(vectors("v.npy", 3),
                 text("n.txt", "two\nzero\none\n") + ",ids=" + text("i.txt", "2\n0\n1\n").substr(5), {.split = "all"});
  EXPECT_EQ(c->vector(2)[0], 2);
  EXPECT_THAT(d->texts(2), ElementsAre("two")) << "by the numbers of the vectors";
}

TEST_F(OpenPairsTest, TheSplitOfOneIsThatOfBoth) {
  const std::string a = pictures({"p", "q", "r", "s"});
  const std::string b =
      text("t.tsv", "f\tt\ts\ns.png\tan s\ttrain\nr.png\tan r\tdev\np.png\ta p\ttrain\nq.png\ta q\ttest\n") +
      ",column=t,id=f,split=s";
  const auto train = open_pairs(a, b, {.split = "train"});
  ASSERT_EQ(train.a->size(), 2);
  EXPECT_EQ(train.a->info().splits, (Counts{{"train", 2}, {"test", 2}, {"all", 4}}));
  EXPECT_FALSE(train.a->info().split_made_here);
  EXPECT_EQ(train.a->info().split, "train");
  for (int64_t i = 0; i < 2; ++i) EXPECT_EQ(train.a->id(i), train.b->id(i));
  const auto test = open_pairs(a, b, {.split = "test"});
  EXPECT_EQ(std::set({test.a->id(0), test.a->id(1)}), std::set<std::string>({"q.png", "r.png"}));
  EXPECT_EQ(open_pairs(a, b, {.split = "all"}).b->size(), 4);
  const auto turned = open_pairs(b, a, {.split = "test"});
  EXPECT_EQ(turned.a->id(0), turned.b->id(0)) << "either may come first";
}

TEST_F(OpenPairsTest, APublishedSplitTakesLinesByTheirPlace) {
  const auto test = open_pairs("sprites", lines("t.txt", 60'000), {.split = "test"});
  ASSERT_EQ(test.a->size(), 10'000);
  EXPECT_THAT(test.b->texts(5), ElementsAre("text 50005")) << "all is train followed by test";
}

TEST_F(OpenPairsTest, PartnersAreCalledAlikeHoweverTheyWereFound) {
  const std::string a = pictures({"cat", "dog", "owl"});
  for (const std::string& b : {lines("t.txt", 3), vectors("v.npy", 3)}) {
    const auto pairs = open_pairs(a, b, {.split = "all"});
    EXPECT_EQ(pairs.a->id(1), "dog.png");
    EXPECT_EQ(pairs.b->id(1), "dog.png");
  }
  const auto test = open_pairs("sprites", lines("many.txt", 60'000), {.split = "test"});
  EXPECT_EQ(test.b->id(5), test.a->id(5));
}

TEST_F(OpenPairsTest, RowsOfATableAreNoNames) {
  std::string table = "t\ts\n";
  for (int i = 0; i < 8; ++i) table += "text " + std::to_string(i) + (i < 6 ? "\ttrain\n" : "\ttest\n");
  const std::string rows = text("rows.tsv", table) + ",column=t,split=s";
  const auto test = open_pairs(rows, rows, {.split = "test"});
  EXPECT_THAT(test.b->texts(0), ElementsAre("text 6"));
}

TEST_F(OpenPairsTest, BothSplitsMustAgree) {
  const std::string table = "i\tt\ts\n1\tone\ttrain\n2\ttwo\ttest\n";
  const std::string other = "i\tt\ts\n1\tone\ttest\n2\ttwo\ttrain\n";
  EXPECT_THAT(message_of([&] {
                open_pairs(text("a.tsv", table) + ",column=t,id=i,split=s",
                           text("b.tsv", other) + ",column=t,id=i,split=s", {.split = "train"});
              }),
              HasSubstr("and none for 1 ids, the first of them 1"));
}

TEST_F(OpenPairsTest, ClassesAreThoseOfWhicheverHasThem) {
  const std::string table = text("t.tsv", "c\ts\tb\nx\ts0\tb0\ny\ts1\tb1\nx\ts2\tb2\n");
  for (const bool first : {true, false}) {
    const auto [a, b] = open_pairs(table + ",column=s" + (first ? ",label=c" : ""),
                                   table + ",column=b" + (first ? "" : ",label=c"), {.split = "all"});
    EXPECT_EQ(a->info().class_names, b->info().class_names);
    for (int64_t i = 0; i < 3; ++i) {
      EXPECT_EQ(a->label(i), i % 2);
      EXPECT_EQ(b->label(i), i % 2);
    }
  }
}

TEST_F(OpenPairsTest, TheSplitTakesATenthOfEachClass) {
  std::string table = "c\ts\tb\n";
  for (int i = 0; i < 100; ++i) table += std::string(i < 50 ? "x" : "y") + "\ts\tb\n";
  const auto [a, b] =
      open_pairs(text("t.tsv", table) + ",column=s", text("u.tsv", table) + ",column=b,label=c", {.split = "test"});
  int64_t ones = 0;
  for (int64_t i = 0; i < a->size(); ++i) ones += a->label(i);
  EXPECT_EQ(a->size(), 10);
  EXPECT_EQ(ones, 5);
}

TEST_F(OpenPairsTest, RowsWithEmptyCellsLeaveBothSides) {
  const std::string table = text("t.tsv", "s\tb\ns0\tb0\n\tb1\ns2\t\ns3\tb3\n");
  EXPECT_THAT(refusal(table + ",column=s", table + ",column=b"), HasSubstr("empty=skip"));
  const auto [a, b] = open_pairs(table + ",column=s,empty=skip", table + ",column=b,empty=skip", {.split = "all"});
  ASSERT_EQ(a->size(), 2);
  EXPECT_THAT(a->texts(1), ElementsAre("s3"));
  EXPECT_THAT(b->texts(1), ElementsAre("b3"));
}

TEST_F(OpenPairsTest, SizeTakesTheSamePairs) {
  const auto [a, b] = open_pairs(vectors("v.npy", 100), lines("t.txt", 100), {.split = "train", .size = 20, .seed = 9});
  ASSERT_EQ(a->size(), 20);
  for (int64_t i = 0; i < 20; ++i) {
    EXPECT_THAT(b->texts(i), ElementsAre("text " + std::to_string(static_cast<int64_t>(a->vector(i)[0]))));
  }
  const auto all = open_pairs(vectors("v.npy", 100), lines("t.txt", 100), {.split = "train", .size = 91});
  EXPECT_EQ(all.a->size(), 90);
  EXPECT_EQ(all.b->info().asked_for, 91);
}

TEST_F(OpenPairsTest, CorruptionsConcernThePictures) {
  const auto plain = open_pairs("sprites", "captions", {.size = 4});
  const auto [a, b] = open_pairs("sprites", "captions", {.size = 4, .corrupt = "fog:3"});
  EXPECT_NE(a->image(0).pixels, plain.a->image(0).pixels);
  EXPECT_EQ(b->texts(0), plain.b->texts(0));
  EXPECT_THAT(message_of([&] { open_pairs(lines("s.txt", 4), lines("t.txt", 4), {.corrupt = "fog"}); }),
              HasSubstr("[pairs] expected pictures to corrupt, got none in either"));
}

TEST_F(OpenPairsTest, RefusesOtherCountsNamingBoth) {
  EXPECT_THAT(refusal(vectors("v.npy", 5), lines("t.txt", 4)),
              ::testing::AllOf(HasSubstr("[pairs] expected as many items in "), HasSubstr(", got 5 and 4")));
  EXPECT_THAT(message_of([&] { open_pairs("sprites", lines("t.txt", 4), {.split = "train"}); }),
              HasSubstr("got 60000 and 4"));
  EXPECT_THROW(open_pairs(vectors("v.npy", 5), lines("t.txt", 4)), IoError);
}

TEST_F(OpenPairsTest, RefusesCaptionsOfUnknownIdsAndItemsWithoutCaptions) {
  const std::string images = pictures({"p", "q"});
  EXPECT_THAT(
      refusal(images, text("t.tsv", "f\tt\np.png\tone\nx.png\ttwo\nq.png\tthree\ny.png\tfour\n") + ",column=t,id=f"),
      HasSubstr("[" + images + "] expected a picture for each of the 4 items of text:" + (folder / "t.tsv") +
                ",column=t,id=f by their ids, got 2 items and none for 2 ids, the first of them x.png"));
  EXPECT_THAT(refusal(images, text("u.tsv", "f\tt\np.png\tone\n") + ",column=t,id=f"),
              HasSubstr("expected texts for each of the 2 items of " + images +
                        " by their ids, got 1 items and none for 1 ids, the first of them q.png"));
}

}  // namespace
}  // namespace orthant
