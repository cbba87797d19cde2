#include "orthant/texts/text_source.h"

#include <gmock/gmock.h>

#include "orthant/core/error.h"
#include "orthant/io/gzip.h"
#include "orthant/sources/open.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Counts = std::vector<NamedCount>;

class TextSourceTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) const {
    test::write_bytes(folder / name, bytes);
    return folder / name;
  }
  static DatasetPtr open(const std::string& path, const std::string& split = "all") {
    return open_dataset("text:" + path, {.split = split});
  }
  static std::string refusal(const std::string& path, const std::string& split = "all") {
    return message_of([&] { open(path, split); });
  }

  test::TemporaryFolder folder;
};

TEST_F(TextSourceTest, EachLineIsAnItem) {
  const auto data = open(write("a.txt", "\xef\xbb\xbfone\r\ntwo words\nthree"));
  ASSERT_EQ(data->size(), 3);
  EXPECT_TRUE(data->info().text);
  EXPECT_TRUE(data->info().split_made_here);
  EXPECT_THAT(data->texts(0), ElementsAre("one"));
  EXPECT_THAT(data->texts(2), ElementsAre("three"));
  EXPECT_EQ(data->id(1), "1");
  EXPECT_EQ(data->label(1), -1);
  EXPECT_THAT(message_of([&] { data->texts(3); }), HasSubstr("3"));
  EXPECT_THAT(message_of([&] { data->image(0); }), HasSubstr("expected a data set of images, got texts"));
}

TEST_F(TextSourceTest, TextsOfOneIdAreOneItemInTheOrderOfItsFirst) {
  const std::string texts = write("a.txt", "b1\na1\nb2\na2\nc1\n");
  const auto data = open(texts + ",ids=" + write("ids.txt", "b\na\nb\na\nc\n"));
  ASSERT_EQ(data->size(), 3);
  EXPECT_EQ(data->id(0), "b");
  EXPECT_THAT(data->texts(0), ElementsAre("b1", "b2"));
  EXPECT_THAT(data->texts(1), ElementsAre("a1", "a2"));
  EXPECT_THAT(data->texts(2), ElementsAre("c1"));
}

const char* const kTable =
    "file\tpart\ttext\tkind\n"
    "x\ttrain\tan x\tletter\n"
    "1\tdev\ta one\tdigit\n"
    "x\ttrain\tanother x\tletter\n"
    "y\ttest\ta \"y\"\tletter\n"
    "2\ttrain\ta two\tdigit\n";

TEST_F(TextSourceTest, TablesNameTheirColumns) {
  const auto data = open(write("t.tsv", kTable) + ",column=text,id=file,label=kind,split=part");
  ASSERT_EQ(data->size(), 4);
  EXPECT_THAT(data->info().class_names, ElementsAre("digit", "letter"));
  EXPECT_EQ(data->info().splits, (Counts{{"train", 2}, {"test", 2}, {"all", 4}}));
  EXPECT_FALSE(data->info().split_made_here);
  EXPECT_THAT(data->texts(0), ElementsAre("an x", "another x"));
  EXPECT_EQ(data->label(0), 1);
  EXPECT_EQ(data->id(1), "2") << "train comes before test";
  EXPECT_EQ(data->id(3), "y");
  EXPECT_THAT(data->texts(3), ElementsAre("a \"y\""));
}

TEST_F(TextSourceTest, TheSplitOfATableIsItsOwn) {
  const std::string source = write("t.tsv", kTable) + ",column=text,id=file,split=part";
  const auto test = open(source, "test");
  ASSERT_EQ(test->size(), 2);
  EXPECT_EQ(test->id(0), "1") << "dev counts as test";
  EXPECT_EQ(open(source, "train")->size(), 2);
  EXPECT_THAT(refusal(write("u.tsv", "s\tt\ntrain\ta\n") + ",column=t,split=s", "test"),
              HasSubstr("expected items of the split test, got none"));
}

TEST_F(TextSourceTest, ReadsWhatGzipCompressed) {
  const std::string plain = "one\ntwo\n";
  const auto packed = io::gzip(std::as_bytes(std::span(plain)));
  const auto data = open(write("a.txt.gz", std::string(reinterpret_cast<const char*>(packed.data()), packed.size())));
  EXPECT_THAT(data->texts(1), ElementsAre("two"));
}

TEST_F(TextSourceTest, EmptyRowsArePassedOverOnRequest) {
  const std::string table = write("t.tsv", "a\tb\tc\n1\tx\tone\n2\t\ttwo\n3\ty\t \n4\tz\tfour\n");
  EXPECT_THAT(refusal(table + ",column=c"),
              HasSubstr("[" + table +
                        "] expected a text in the column c of every row, got 1 that is empty: line 4; "
                        "empty=skip passes over rows with an empty cell"));
  const auto b = open(table + ",column=b,empty=skip");
  const auto c = open(table + ",column=c,id=a,empty=skip");
  ASSERT_EQ(b->size(), 2);
  ASSERT_EQ(c->size(), 2) << "the same rows, whichever column is read";
  EXPECT_THAT(b->texts(1), ElementsAre("z"));
  EXPECT_THAT(c->texts(1), ElementsAre("four"));
  EXPECT_THAT(refusal(write("e.tsv", "a\tb\n\tx\n") + ",column=b,empty=skip"),
              HasSubstr("expected rows without an empty cell, got none"));
}

TEST_F(TextSourceTest, RefusesLinesThatAreNoText) {
  const std::string empty = write("e.txt", "one\n\ntwo\n \t\n");
  EXPECT_THAT(refusal(empty), HasSubstr("[" + empty +
                                        "] expected a text in every line, got 2 that are empty, the first "
                                        "in line 2; ,empty=skip behind the file's name passes over them"));
  EXPECT_THAT(refusal(write("l.txt", "one\ntw\xff\n")), HasSubstr("expected text in UTF-8, got other bytes in line 2"));
  EXPECT_THAT(refusal(write("n.txt", "")), HasSubstr("expected at least one line of text, got an empty file"));
  EXPECT_THAT(refusal(write("z.txt", std::string("a\0b\n", 4))), HasSubstr("expected text, got other content"));
  EXPECT_THROW(open("/nowhere/at/all"), IoError);
}

TEST_F(TextSourceTest, RefusesLabelsAndIdsThatDoNotFit) {
  const std::string texts = write("a.txt", "one\ntwo\n");
  const std::string few = write("few.txt", "1\n");
  EXPECT_THAT(refusal(texts + ",ids=" + few),
              HasSubstr("[" + few + "] expected 2 ids, one for each line of " + texts + ", got 1"));
  EXPECT_THAT(refusal(texts + "," + few), HasSubstr("[" + few + "] expected 2 labels, one for each line of " + texts));
  const std::string gap = write("gap.txt", "1\n\n");
  EXPECT_THAT(refusal(texts + ",ids=" + gap), HasSubstr("expected an id in every line, got 1 that is empty: line 2"));
  EXPECT_THAT(refusal(texts + "," + gap), HasSubstr("expected a label in every line, got 1 that is empty: line 2"));
}

TEST_F(TextSourceTest, LabelsOfLinesAreNamesInTheOrderOfTheAlphabetOrNumbersInTheirs) {
  const std::string texts = write("a.txt", "one\ntwo\nthree\n");
  const auto named = open(texts + "," + write("l.txt", "sea\nlaw\nsea\n"));
  EXPECT_THAT(named->info().class_names, ElementsAre("law", "sea"));
  EXPECT_EQ(named->label(0), 1);
  const auto numbered = open(texts + "," + write("n.txt", "10\n2\n10\n") + ",ids=" + write("i.txt", "a\nb\nc\n"));
  EXPECT_THAT(numbered->info().class_names, ElementsAre("2", "10"));
  EXPECT_EQ(numbered->label(1), 0);
  EXPECT_EQ(numbered->id(2), "c");
}

TEST_F(TextSourceTest, EmptyLinesArePassedOverOnRequest) {
  const std::string texts = write("e.txt", "one\n\ntwo\n \n");
  const auto data = open(texts + "," + write("l.txt", "a\nb\nc\nd\n") + ",empty=skip");
  ASSERT_EQ(data->size(), 2);
  EXPECT_THAT(data->texts(1), ElementsAre("two"));
  EXPECT_EQ(data->info().class_names[static_cast<size_t>(data->label(1))], "c") << "labels keep their lines";
  EXPECT_THAT(refusal(write("b.txt", " \n\n") + ",empty=skip"),
              HasSubstr("expected lines of text, got empty ones only"));
}

TEST_F(TextSourceTest, RefusesTablesWithHoles) {
  const std::string table = write("t.tsv", kTable);
  EXPECT_THAT(refusal(table + ",column=body"),
              HasSubstr("expected one column called body, got none among file, part, text, kind"));
  EXPECT_THAT(refusal(write("d.tsv", "a\ta\n1\t2\n") + ",column=a"), HasSubstr("got several among a, a"));
  EXPECT_THAT(refusal(write("r.tsv", "a\tb\n1\t2\n1\t2\t3\n") + ",column=a"),
              HasSubstr("expected 2 cells between tabs in line 3, as the first line has, got 3"));
  EXPECT_THAT(refusal(write("h.tsv", "a\tb\n") + ",column=a"), HasSubstr("expected rows below the names"));
  EXPECT_THAT(refusal(write("l.tsv", "a\tb\nx\t1\ny\t\n") + ",column=a,label=b"),
              HasSubstr("expected a value of b in line 3, got nothing"));
  EXPECT_THAT(refusal(write("i.tsv", "a\tb\nx\t\n") + ",column=a,id=b"), HasSubstr("a value of b in line 2"));
  EXPECT_THAT(refusal(write("s.tsv", "a\tb\nx\tholdout\n") + ",column=a,split=b"),
              HasSubstr("expected the split train or test (or dev, val, valid, validation) in line 2, got holdout"));
}

TEST_F(TextSourceTest, RefusesItemsOfTwoClassesOrSplits) {
  const std::string table = write("t.tsv", "i\tl\tt\n1\ta\tone\n2\tb\ttwo\n1\tb\tmore\n");
  EXPECT_THAT(refusal(table + ",column=t,id=i,label=l"),
              HasSubstr("expected one class for all texts of 1, got a in line 2 and b in line 4"));
  const std::string splits = write("s.tsv", "i\ts\tt\n1\ttrain\tone\n1\tdev\ttwo\n");
  EXPECT_THAT(refusal(splits + ",column=t,id=i,split=s"), HasSubstr("expected one split for all texts of 1"));
}

TEST_F(TextSourceTest, RefusesOptionsThatItDoesNotKnow) {
  EXPECT_THAT(refusal("/t.tsv,colum=a"),
              HasSubstr("expected column=, id=, label=, split=, ids= or empty=, got colum=a"));
  EXPECT_THAT(refusal("/t.tsv,column=a,column=b"), HasSubstr("expected column once and with a value"));
  EXPECT_THAT(refusal("/t.tsv,column="), HasSubstr("expected column once and with a value"));
  EXPECT_THAT(refusal("/t.tsv,id=a"), HasSubstr("expected column=NAME, which column has the texts"));
  EXPECT_THAT(refusal("/t.tsv,column=a,empty=keep"), HasSubstr("expected empty=skip, got empty=keep"));
  EXPECT_THAT(refusal("/t.tsv,ids.txt,column=a"), HasSubstr("expected a table without a second file of labels"));
}

TEST_F(TextSourceTest, ACommaOfAFileNameSeparatesNothing) {
  const auto data = open(write("a,b=c.txt", "one\ntwo\n"));
  EXPECT_EQ(data->size(), 2);
}

TEST_F(TextSourceTest, ItsNameHoldsInEveryFolder) {
  const std::string here = std::filesystem::current_path().string();
  EXPECT_EQ(absolute_spec("text:t.tsv,column=a,label=b"), "text:" + here + "/t.tsv,column=a,label=b");
  EXPECT_EQ(absolute_spec("text:t.txt,i.txt"), "text:" + here + "/t.txt," + here + "/i.txt");
  EXPECT_EQ(absolute_spec("text:/t.tsv,column=a,id=i,split=s,empty=skip"),
            "text:/t.tsv,column=a,id=i,split=s,empty=skip");
}

}  // namespace
}  // namespace orthant
