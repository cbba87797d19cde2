#include "orthant/pack/pack_file.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <random>

#include "orthant/core/error.h"
#include "orthant/pack/bytes.h"
#include "orthant/pack/pack_writer.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::pack {
namespace {

using test::message_of;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;
using ::testing::AnyOf;
using ::testing::HasSubstr;

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

// Items "a", "bc", "" (empty is no picture, but is a text) with two classes and a factor.
void write_small(const std::string& path) {
  PackWriter writer(path, 1);
  writer.keep(0);
  writer.append({}, bytes_of("a"));
  writer.append({.reason = "no picture"}, {});
  writer.append({}, bytes_of("bc"));
  Contents contents;
  contents.info.class_names = {"x", "y"};
  contents.info.factors = {{"size", {1.5F, 2.5F}, {"small", "large"}}};
  contents.info.left_out = {{Where::kTest, "bad.jpg: no picture"}};
  contents.info.other_kinds = {{".gif", 3}};
  contents.items = {{"one.jpg", 1, {0}}, {"two/\xff.jpg", -1, {1}}};
  contents.train = {1};
  contents.test = {0};
  writer.finish(contents);
}

TEST(PackFile, HoldsWhatWasWrittenToTheByte) {
  const TemporaryFolder folder;
  write_small(folder / "p");
  const std::string file = read_bytes(folder / "p");
  EXPECT_EQ(file.substr(0, 8), "orthpk1\n");
  EXPECT_EQ(file.substr(68, 3), "abc");
  const PackFile pack(folder / "p");
  const Index& index = pack.index();
  EXPECT_EQ(index.size(), 2);
  EXPECT_EQ(index.id(0), "one.jpg");
  EXPECT_EQ(index.id(1), "two/\xff.jpg") << "ids are bytes, whatever they mean";
  EXPECT_EQ(index.item(0).label, 1);
  EXPECT_EQ(index.item(1).label, -1);
  EXPECT_EQ(index.factor(1, 0), 1);
  EXPECT_EQ(index.train(0), 1);
  EXPECT_EQ(index.test(0), 0);
  EXPECT_EQ(index.info().factors[0].names, (std::vector<std::string>{"small", "large"}));
  EXPECT_EQ(left_out_of(index.info(), "test"), std::vector<std::string>{"bad.jpg: no picture"});
  EXPECT_TRUE(left_out_of(index.info(), "train").empty());
  EXPECT_EQ(index.info().other_kinds[0].count, 3);
  EXPECT_EQ(pack.read(1), (std::vector<std::byte>{std::byte{'b'}, std::byte{'c'}}));
  for (const char* left : {"p.partial", "p.journal"}) EXPECT_FALSE(std::filesystem::exists(folder / left)) << left;
}

// Touches all there is; what it throws is what a user would read.
void read_all(const std::string& path) {
  const PackFile pack(path);
  const Index& index = pack.index();
  for (int64_t i = 0; i < index.size(); ++i) {
    static_cast<void>(index.id(i));
    static_cast<void>(index.factor(i, 0));
    pack.read(i);
  }
  for (int64_t k = 0; k < index.header().train; ++k) static_cast<void>(index.train(k));
  for (int64_t k = 0; k < index.header().test; ++k) static_cast<void>(index.test(k));
}

TEST(PackFile, RefusesEveryWrongBit) {
  const TemporaryFolder folder;
  write_small(folder / "p");
  const std::string file = read_bytes(folder / "p");
  for (size_t at = 0; at < file.size(); ++at) {
    for (const int bit : {1, 128}) {
      std::string damaged = file;
      damaged[at] = static_cast<char>(damaged[at] ^ bit);
      write_bytes(folder / "d", damaged);
      const std::string message = message_of([&] { read_all(folder / "d"); });
      ASSERT_THAT(message, AnyOf(HasSubstr("the file is damaged"), HasSubstr("expected a pack of pictures"))) << at;
      ASSERT_EQ(message.find('\n'), std::string::npos);
    }
  }
}

TEST(PackFile, RefusesAnythingCutOffOrAddedWhenItIsOpened) {
  const TemporaryFolder folder;
  write_small(folder / "p");
  const std::string file = read_bytes(folder / "p");
  for (size_t length = 0; length < file.size(); ++length) {
    write_bytes(folder / "d", file.substr(0, length));
    EXPECT_THROW(PackFile(folder / "d"), IoError) << length;
  }
  write_bytes(folder / "d", file.substr(0, 100));
  EXPECT_THAT(message_of([&] { PackFile(folder / "d"); }),
              HasSubstr("expected " + std::to_string(file.size()) + " bytes, got 100: the file is cut off"));
  write_bytes(folder / "d", file + "x");
  EXPECT_THAT(message_of([&] { PackFile(folder / "d"); }), HasSubstr("something was added to the file"));
  EXPECT_THAT(message_of([&] { PackFile(folder / "none"); }), HasSubstr("no such file"));
  EXPECT_THAT(message_of([&] { PackFile(folder.path()); }), HasSubstr("expected a regular file, got a folder"));
}

// Sizes that a person could have written, with checksums to match.
TEST(PackFile, RefusesSizesThatDoNotFit) {
  const TemporaryFolder folder;
  for (const Header& header : {Header{.items = INT64_MAX}, Header{.items = -1}, Header{.index_begin = 3, .items = 1},
                               Header{.items = 1, .train = 2}, Header{.items = 1, .id_bytes = INT64_MAX},
                               Header{.items = kMaxItems, .factors = UINT32_MAX}}) {
    write_bytes(folder / "d", header_text(header));
    EXPECT_THROW(PackFile(folder / "d"), IoError);
  }
}

// An index of several blocks: 24 bytes a record.
TEST(PackFile, LooksAtABlockOfTheIndexOnlyWhenItIsTouched) {
  const TemporaryFolder folder;
  constexpr int64_t kItems = 9'000;
  PackWriter writer(folder / "p", 1);
  writer.keep(0);
  Contents contents;
  for (int64_t i = 0; i < kItems; ++i) {
    writer.append({}, bytes_of(std::to_string(i)));
    contents.items.push_back({"id " + std::to_string(i)});
  }
  writer.finish(contents);
  const PackFile whole(folder / "p");
  for (const int64_t i : {int64_t{0}, int64_t{2'730}, int64_t{2'731}, kItems - 1}) {
    const auto read = whole.read(i);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(read.data()), read.size()), std::to_string(i));
    EXPECT_EQ(whole.index().id(i), "id " + std::to_string(i));
  }
  std::string damaged = read_bytes(folder / "p");
  char& bit = damaged[static_cast<size_t>(whole.index().header().index_begin + 4'000 * kRecordBytes)];
  bit = static_cast<char>(bit ^ 1);
  write_bytes(folder / "d", damaged);
  const PackFile pack(folder / "d");
  EXPECT_EQ(pack.read(0).size(), 1U);
  EXPECT_THAT(message_of([&] { pack.read(4'000); }), HasSubstr("got another in bytes "));
}

TEST(PackWriter, IsAloneAtItsFile) {
  const TemporaryFolder folder;
  const PackWriter writer(folder / "p", 1);
  EXPECT_THAT(message_of([&] { PackWriter(folder / "p", 1); }), HasSubstr("got another program at work"));
}

TEST(PackWriter, RefusesContentsThatDoNotFitTheEntries) {
  const TemporaryFolder folder;
  PackWriter writer(folder / "p", 1);
  writer.keep(0);
  EXPECT_THAT(message_of([&] { writer.finish({}); }), HasSubstr("expected 0 items, at least one"));
  writer.append({}, bytes_of("a"));
  EXPECT_THAT(message_of([&] { writer.finish({}); }), HasSubstr("expected 1 items"));
  EXPECT_FALSE(std::filesystem::exists(folder / "p"));
}

// What is there is kept as far as its bytes are those of the journal.
TEST(PackWriter, GoesOnBehindWhatIsSound) {
  const TemporaryFolder folder;
  const auto begin = [&] {
    PackWriter writer(folder / "p", 1);
    writer.keep(0);
    for (const char* bytes : {"one", "two", "three"}) writer.append({}, bytes_of(bytes));
    writer.flush();
  };
  const auto kept = [&](int64_t wanted) {
    PackWriter writer(folder / "p", 1);
    writer.keep(wanted);
    return writer.entries().size();
  };
  begin();
  EXPECT_EQ(kept(9), 3U);
  EXPECT_EQ(kept(2), 2U);
  EXPECT_EQ(kept(9), 2U) << "the rest was cut off";
  begin();
  std::string data = read_bytes(folder / "p.partial");
  data[static_cast<size_t>(kHeaderBytes) + 4] = '!';
  write_bytes(folder / "p.partial", data);
  EXPECT_EQ(kept(9), 1U);
  begin();
  write_bytes(folder / "p.partial", read_bytes(folder / "p.partial").substr(0, kHeaderBytes + 7));
  EXPECT_EQ(kept(9), 2U);
  begin();
  std::filesystem::remove(folder / "p.partial");
  EXPECT_EQ(kept(9), 0U);
  begin();
  PackWriter other(folder / "p", 2);
  EXPECT_TRUE(other.entries().empty()) << "of something else";
}

}  // namespace
}  // namespace orthant::pack
