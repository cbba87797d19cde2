#include "orthant/io/npz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

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
using test::TemporaryFolder;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

Npz parse(const std::string& text) {
  const auto owner = std::make_shared<const std::string>(text);
  return Npz::parse(std::as_bytes(std::span(*owner)), "test.npz", owner);
}

void read_all(const std::string& text) {
  const Npz archive = parse(text);
  for (const std::string& name : archive.names()) archive.read(name);
}

TEST(Npz, ReadsWhatNumpyWrites) {
  for (const std::string file : {"stored.npz", "deflated.npz", "streamed.npz"}) {
    const Npz archive = Npz::open(golden(file));
    EXPECT_TRUE(archive.contains("labels")) << file;
    EXPECT_THAT(archive.read("labels").as<int64_t>(), ElementsAre(0, 2, 1)) << file;
    EXPECT_THAT(archive.read("features").shape, ElementsAre(3, 4)) << file;
    EXPECT_EQ(archive.read("features").as<float>()[11], 11.0F) << file;
  }
  EXPECT_THAT(Npz::open(golden("stored.npz")).names(), ElementsAre("features", "labels"));
  EXPECT_EQ(Npz::open(golden("deflated.npz")).read("zeros").size(), 3000);
}

TEST(Npz, RefusesAnArrayOnlyWhenItIsAskedFor) {
  const Npz archive = Npz::open(golden("with_object.npz"));
  EXPECT_EQ(archive.read("anything").size(), 6);
  EXPECT_EQ(archive.header("metadata").descr, "|O");
  EXPECT_THAT(message_of([&] { archive.read("metadata"); }), HasSubstr("with_object.npz: metadata] expected integers"));
  EXPECT_THAT(message_of([&] { archive.read("none"); }), HasSubstr("expected an array 'none'"));
}

TEST(Npz, RefusesNamesThatOccurTwiceAndOtherMethods) {
  EXPECT_THAT(message_of([] { Npz::open(golden("refused_twice.npz")); }), HasSubstr("refused_twice.npz] expected"));
  EXPECT_THAT(message_of([] { Npz::open(golden("refused_bzip2.npz")).read("a"); }),
              HasSubstr("expected a stored or deflated entry, got method 12"));
}

TEST(Npz, RoundTripsRandomArrays) {
  const TemporaryFolder folder;
  Rng rng(11);
  for (const bool deflate : {false, true}) {
    std::vector<std::pair<std::string, Array>> arrays;
    std::vector<std::vector<float>> values;
    for (int64_t i = 0; i < 12; ++i) {
      const int64_t rows = i, cols = 1 + static_cast<int64_t>(rng.below(3000));
      values.emplace_back(static_cast<size_t>(rows * cols));
      for (float& value : values.back()) value = static_cast<float>(rng.below(8));
      arrays.emplace_back("array " + std::to_string(i), array_from(values.back(), {rows, cols}));
    }
    write_npz(folder / "a.npz", arrays, {.deflate = deflate});
    const Npz archive = Npz::open(folder / "a.npz");
    ASSERT_EQ(archive.names().size(), arrays.size());
    for (size_t i = 0; i < arrays.size(); ++i) {
      const Array array = archive.read(arrays[i].first);
      EXPECT_EQ(array.shape, arrays[i].second.shape);
      EXPECT_THAT(array.as<float>(), ElementsAreArray(values[i]));
    }
  }
}

TEST(Npz, WritesEqualBytesForEqualArrays) {
  const TemporaryFolder folder;
  const Array array = array_from(std::vector<int32_t>{1, 2, 3}, {3});
  write_npz(folder / "a.npz", {{"x", array}}, {.deflate = true});
  write_npz(folder / "b.npz", {{"x", array}}, {.deflate = true});
  EXPECT_EQ(read_bytes(folder / "a.npz"), read_bytes(folder / "b.npz"));
}

TEST(Npz, RefusesNamesThatAreNotPlain) {
  const TemporaryFolder folder;
  const Array array = array_from(std::vector<uint8_t>{1}, {1});
  for (const std::string name : {"", "a/b", "..\\b", "a\nb"}) {
    EXPECT_THROW(write_npz(folder / "a.npz", {{name, array}}), std::invalid_argument) << name;
  }
  EXPECT_THAT(message_of([&] { write_npz(folder / "a.npz", {{"x", array}, {"x", array}}); }), HasSubstr("'x' twice"));
  EXPECT_THROW(write_npz(folder / "a.npz", {}), std::invalid_argument);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.npz"));
}

TEST(Npz, ReadsFromSeveralThreads) {
  const Npz archive = Npz::open(golden("deflated.npz"));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) EXPECT_THAT(archive.read("labels").as<int64_t>(), ElementsAre(0, 2, 1));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Npz, RefusesBombs) {
  const TemporaryFolder folder;
  const auto zeros = array_from(std::vector<uint8_t>(kMaxUncheckedNpzBytes + 1), {kMaxUncheckedNpzBytes + 1});
  write_npz(folder / "bomb.npz", {{"a", zeros}}, {.deflate = true});
  EXPECT_LT(std::filesystem::file_size(folder / "bomb.npz"), 100'000U);
  EXPECT_THAT(message_of([&] { Npz::open(folder / "bomb.npz").read("a"); }),
              HasSubstr("bomb.npz: a] expected at most 400 times its"));
}

TEST(Npz, RefusesEntriesWhoseHeaderPromisesMore) {
  const TemporaryFolder folder;
  write_npz(folder / "a.npz", {{"x", array_from(std::vector<uint8_t>(100), {100})}});
  std::string text = read_bytes(folder / "a.npz");
  // The promise alone, without mending the checksum: it must be refused before the checksum is reached.
  text.replace(text.find("(100,), }"), 9, "(999999,)");
  text[text.find("(999999,)") + 9] = '}';
  EXPECT_THAT(message_of([&] { read_all(text); }),
              HasSubstr("expected the bytes of '|u1' of shape (999999,), got 100"));
}

TEST(Npz, RefusesNumbersOfEntriesThatCannotBe) {
  // A zip64 end record that promises 2^31 entries, its locator, and an end record that refers to it.
  std::string text = "PK\x06\x06";
  text += std::string("\x2c\0\0\0\0\0\0\0\x2d\0\x2d\0\0\0\0\0\0\0\0\0", 20);
  text += std::string("\0\0\0\x80\0\0\0\0\0\0\0\x80\0\0\0\0", 16) + std::string(16, '\0');
  text += "PK\x06\x07" + std::string(12, '\0') + std::string("\1\0\0\0", 4);
  text += std::string("PK\x05\x06\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0", 22);
  EXPECT_THAT(message_of([&] { parse(text); }), HasSubstr("[test.npz] expected a .npz (zip) archive, got: "));
}

TEST(Npz, RefusesEveryTruncation) {
  for (const std::string file : {"stored.npz", "deflated.npz"}) {
    const std::string whole = read_bytes(golden(file));
    for (size_t length = 0; length < whole.size(); ++length) {
      EXPECT_THROW(read_all(whole.substr(0, length)), IoError) << file << " " << length;
    }
  }
}

TEST(Npz, NoticesFlippedBitsOfTheArrays) {
  const std::string whole = read_bytes(golden("deflated.npz"));
  const auto expected = Npz::open(golden("deflated.npz")).read("features");
  for (size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    try {
      const Npz archive = parse(flipped);
      for (const std::string& name : archive.names()) {
        const Array array = archive.read(name);
        EXPECT_TRUE(name != "features" || std::ranges::equal(array.bytes, expected.bytes)) << bit;
      }
    } catch (const IoError& error) {
      EXPECT_THAT(error.what(), AnyOf(HasSubstr("[test.npz] expected"), HasSubstr("[test.npz: ")));
    }
  }
}

}  // namespace
}  // namespace orthant::io
