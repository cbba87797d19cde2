#include "orthant/io/gzip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "tests/io/golden.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::io {
namespace {

using test::golden;
using test::message_of;
using test::read_bytes;
using ::testing::HasSubstr;

std::string unzip(const std::string& text, size_t limit = 1 << 24) {
  const auto bytes = gunzip(std::as_bytes(std::span(text)), "test.gz", limit);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string zip(const std::string& text) {
  z_stream stream = {};
  deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
  std::string result(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

TEST(Gzip, JoinsMembersAndIgnoresPadding) {
  const std::string two = read_bytes(golden("two_members.gz"));
  EXPECT_EQ(unzip(two), "hello world");
  EXPECT_EQ(unzip(two + std::string(100, '\0')), "hello world");
}

TEST(Gzip, UndoesZlibForAnyLength) {
  Rng rng(3);
  for (const size_t length : {size_t{0}, size_t{1}, size_t{65535}, size_t{65536}, size_t{65537}, size_t{300'000}}) {
    std::string text(length, ' ');
    for (char& c : text) c = static_cast<char>(rng.below(4));
    EXPECT_EQ(unzip(zip(text)), text) << length;
  }
}

TEST(Gzip, WritesWhatItReadsTheSameEveryTime) {
  Rng rng(4);
  for (const size_t length : {size_t{0}, size_t{1}, size_t{65536}, size_t{300'000}}) {
    std::string text(length, ' ');
    for (char& c : text) c = static_cast<char>(rng.below(256));
    const auto packed = gzip(std::as_bytes(std::span(text)));
    EXPECT_EQ(unzip({reinterpret_cast<const char*>(packed.data()), packed.size()}), text) << length;
    EXPECT_EQ(gzip(std::as_bytes(std::span(text))), packed);
  }
  EXPECT_LT(gzip(std::vector<std::byte>(100'000)).size(), 200U);
  EXPECT_THAT(message_of([] { gzip({}, 10); }), HasSubstr("a level from 1 to 9, got 10"));
}

TEST(Gzip, RefusesEveryTruncation) {
  const std::string whole = zip("some text, some more text, some other text");
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(unzip(whole.substr(0, length)), IoError) << length;
  }
  EXPECT_THAT(message_of([&] { unzip(whole.substr(0, 20)); }),
              HasSubstr("[test.gz] expected a complete gzip file, got one that is cut off"));
}

TEST(Gzip, NeverGivesOtherTextForFlippedBits) {
  const std::string text = "some text, some more text, some other text";
  const std::string whole = zip(text);
  for (size_t bit = 8 * 10; bit < 8 * whole.size(); ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    try {
      EXPECT_EQ(unzip(flipped), text) << bit;  // a few bits of padding mean nothing
    } catch (const IoError& error) {
      EXPECT_THAT(error.what(), HasSubstr("[test.gz] expected"));
    }
  }
}

TEST(Gzip, RefusesTrailingGarbageAndOtherContent) {
  EXPECT_THROW(unzip(zip("text") + "garbage"), IoError);
  EXPECT_THAT(message_of([] { unzip("hello"); }), HasSubstr("expected a gzip file"));
}

TEST(Gzip, StopsAtTheLimit) {
  const std::string bomb = zip(std::string(10 << 20, '\0'));
  EXPECT_THAT(message_of([&] { unzip(bomb, 1 << 20); }), HasSubstr("expected at most 1048576 bytes"));
  EXPECT_EQ(unzip(bomb, 10 << 20).size(), size_t{10} << 20);
  EXPECT_THROW(unzip(bomb, (10 << 20) - 1), IoError);
}

TEST(Gzip, StopsWhereTheContentsHeaderSaysItEnds) {
  const std::string bomb = zip("head" + std::string(10 << 20, '\0'));
  std::vector<size_t> heads;
  const auto unzip_promising = [&](size_t promised) {
    return gunzip(std::as_bytes(std::span(bomb)), "test.gz", size_t{1} << 30, [&](std::span<const std::byte> head) {
      heads.push_back(head.size());
      EXPECT_EQ(head[0], std::byte{'h'});
      return promised;
    });
  };
  EXPECT_THAT(message_of([&] { unzip_promising(100); }), HasSubstr("[test.gz] expected the 100 bytes its header"));
  EXPECT_THAT(message_of([&] { unzip_promising(1 << 20); }), HasSubstr("expected at most 1048576 bytes"));
  EXPECT_EQ(unzip_promising(4 + (10 << 20)).size(), 4 + (size_t{10} << 20));
  ASSERT_EQ(heads.size(), 3U);
  EXPECT_GE(heads[0], kGzipHead);
  EXPECT_LE(heads[0], size_t{1} << 16);
}

}  // namespace
}  // namespace orthant::io
