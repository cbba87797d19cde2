#include "orthant/sources/idx.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "orthant/data/statistics.h"
#include "orthant/io/gzip.h"
#include "orthant/sources/fashion.h"
#include "tests/data/fake_dataset.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::message_of;
using test::TemporaryFolder;
using test::write_bytes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string header(const std::vector<uint32_t>& shape, char type = 8) {
  std::string bytes = {0, 0, type, static_cast<char>(shape.size())};
  for (const uint32_t size : shape) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(size >> shift);
  }
  return bytes;
}

IdxArray parse(const std::string& bytes) { return parse_idx(std::as_bytes(std::span(bytes)), "x.idx", nullptr); }

TEST(Idx, ParsesBigEndianSizes) {
  const std::string bytes = header({2, 1, 3}) + "abcdef";
  const IdxArray array = parse(bytes);
  EXPECT_THAT(array.shape, ElementsAre(2, 1, 3));
  EXPECT_EQ(array.bytes.front(), std::byte{'a'});
  EXPECT_EQ(parse(header({258}) + std::string(258, 'x')).shape[0], 258);
}

TEST(Idx, RejectsEveryTruncationAndEveryAddition) {
  const std::string bytes = header({2, 1, 3}) + "abcdef";
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(parse(bytes.substr(0, length)), IoError) << length;
  }
  EXPECT_THAT(message_of<IoError>([&] { parse(bytes + "g"); }),
              HasSubstr("[x.idx] expected 2 x 1 x 3 bytes after the header, got 7"));
}

TEST(Idx, NeverAcceptsAHeaderWithAFlippedBit) {
  const std::string bytes = header({2, 1, 3}) + "abcdef";
  for (size_t bit = 0; bit < 8 * 16; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_THROW(parse(flipped), IoError) << bit;
  }
}

TEST(Idx, RejectsSizesThatOverflowAndOtherTypes) {
  const uint32_t huge = 0xffffffff;
  EXPECT_THROW(parse(header({huge, huge, huge, huge}) + "abc"), IoError);
  EXPECT_THROW(parse(header({65536, 65536, 65536, 65536})), IoError);
  EXPECT_THAT(message_of<IoError>([&] { parse(header({1}, 13) + "abcd"); }),
              HasSubstr("expected unsigned bytes (IDX type 8), got type 13"));
  EXPECT_THROW(parse(header({1, 1, 1, 1, 1}) + "a"), IoError);
}

TEST(Idx, OpensEveryNameTheFilesGoBy) {
  for (const char* separator : {"-", "."}) {
    const TemporaryFolder folder;
    write_bytes(folder / ("train-images" + std::string(separator) + "idx3-ubyte"), header({2, 1, 2}) + "abcd");
    write_bytes(folder / ("train-labels" + std::string(separator) + "idx1-ubyte"),
                header({2}) + std::string("\3\0", 2));
    const auto train = open_idx(folder.path(), "train");
    ASSERT_EQ(train->size(), 2);
    EXPECT_THAT(train->image(1).pixels, ElementsAre('c', 'd'));
    EXPECT_EQ(train->label(0), 3);
    EXPECT_THAT(train->info().class_names, ElementsAre("0", "1", "2", "3"));
    EXPECT_THAT(message_of<IoError>([&] { open_idx(folder.path(), "test"); }),
                HasSubstr("expected t10k-images-idx3-ubyte or the same with .gz, got no such file"));
  }
}

TEST(Idx, ReadsWhatPythonGzipped) {
  const auto test = open_idx(std::string(ORTHANT_GOLDEN_DIR) + "/data", "test");
  ASSERT_EQ(test->size(), 5);
  EXPECT_EQ(test->info().height, 4);
  EXPECT_EQ(test->info().width, 6);
  EXPECT_EQ(test->image(2).at(3, 5)[0], 120 + 30 + 5);
  EXPECT_EQ(test->label(2), 9);
}

std::string gzipped(const std::string& text) {
  const auto bytes = io::gzip(std::as_bytes(std::span(text)), 9);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(Idx, GzipBombsAreRefusedByTheirHeader) {
  const TemporaryFolder folder;
  const std::string path = folder / "bomb.gz";
  write_bytes(path, gzipped(header({2, 1, 3}) + std::string(5'000'000, '\0')));
  EXPECT_THAT(message_of<IoError>([&] { read_idx(path); }), HasSubstr("expected the 22 bytes its header promises"));
  write_bytes(path, gzipped(header({200, 1000, 1000}) + std::string(1000, '\0')));
  EXPECT_THAT(message_of<IoError>([&] { read_idx(path); }), HasSubstr("a header that promises 200 x 1000 x 1000"));
  write_bytes(path, gzipped(std::string(1'000'000, 'x')));
  EXPECT_THAT(message_of<IoError>([&] { read_idx(path); }), HasSubstr("expected an IDX file, got something else"));
  write_bytes(path, gzipped(header({3, 1000, 1000}) + std::string(3'000'000, '\0')));
  EXPECT_EQ(read_idx(path).bytes.size(), 3'000'000U);
}

TEST(Idx, ColourAndMissingLabelsAreFine) {
  const TemporaryFolder folder;
  write_bytes(folder / "train-images-idx4-ubyte", header({1, 1, 2, 3}) + "rgbRGB");
  const auto train = open_idx(folder.path(), "train");
  EXPECT_THAT(train->image(0).at(0, 1), ElementsAre('R', 'G', 'B'));
  EXPECT_EQ(train->label(0), -1);
  EXPECT_TRUE(train->info().class_names.empty());
}

TEST(Idx, AllHasTheClassesOfBothSplits) {
  const TemporaryFolder folder;
  write_bytes(folder / "train-images-idx3-ubyte", header({1, 1, 1}) + "a");
  write_bytes(folder / "train-labels-idx1-ubyte", header({1}) + "\1");
  write_bytes(folder / "t10k-images-idx3-ubyte", header({1, 1, 1}) + "b");
  write_bytes(folder / "t10k-labels-idx1-ubyte", header({1}) + "\2");
  const auto all = open_idx(folder.path(), "all");
  EXPECT_EQ(all->info().class_names.size(), 3);
  EXPECT_EQ(all->label(1), 2);
}

TEST(Idx, RejectsFilesThatDoNotFitTogether) {
  const TemporaryFolder folder;
  write_bytes(folder / "train-images-idx3-ubyte", header({2, 1, 2}) + "abcd");
  write_bytes(folder / "train-labels-idx1-ubyte", header({3}) + "\1\1\1");
  EXPECT_THAT(message_of<IoError>([&] { open_idx(folder.path(), "train"); }),
              HasSubstr("expected 2 labels, one for each image, got 3"));
  write_bytes(folder / "train-images-idx3-ubyte", header({0, 28, 28}));
  EXPECT_THAT(message_of<IoError>([&] { open_idx(folder.path(), "train"); }),
              HasSubstr("expected images N x H x W or N x H x W x 3, got 0 x 28 x 28"));
  EXPECT_THROW(open_idx(folder / "train-images-idx3-ubyte", "train"), IoError);
}

// The published mean and deviation of the training pictures.
TEST(Fashion, HasTheKnownStatistics) {
  if (!std::filesystem::exists("/usr/share/datasets/fashion-mnist")) GTEST_SKIP() << "no package dataset-fashion-mnist";
  const auto train = open_fashion("train");
  EXPECT_EQ(train->info().class_names.at(9), "Ankle boot");
  EXPECT_EQ(train->label(0), 9);
  const auto statistics = dataset_statistics(*train);
  EXPECT_THAT(statistics.per_class, ::testing::Each(6000));
  EXPECT_NEAR(statistics.mean[0], 0.2860, 1e-4);
  EXPECT_NEAR(statistics.deviation[0], 0.3530, 1e-4);
}

}  // namespace
}  // namespace orthant
