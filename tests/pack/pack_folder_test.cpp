#include "orthant/sources/pack_folder.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "orthant/core/error.h"
#include "orthant/sources/open.h"
#include "tests/pack/pictures.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;
using test::message_of;
using test::put_picture;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;
using ::testing::HasSubstr;

// All that a command can ask of a data set.
void expect_same(const Dataset& a, const Dataset& b) {
  ASSERT_EQ(a.size(), b.size());
  const DatasetInfo& x = a.info();
  const DatasetInfo& y = b.info();
  EXPECT_EQ(x.split, y.split);
  EXPECT_EQ(x.class_names, y.class_names);
  EXPECT_EQ(x.splits, y.splits);
  EXPECT_EQ(x.split_made_here, y.split_made_here);
  EXPECT_EQ(x.unreadable, y.unreadable);
  EXPECT_EQ(x.other_kinds, y.other_kinds);
  EXPECT_EQ(x.asked_for, y.asked_for);
  EXPECT_EQ(x.height, y.height);
  ASSERT_EQ(x.factors.size(), y.factors.size());
  for (size_t k = 0; k < x.factors.size(); ++k) {
    EXPECT_EQ(x.factors[k].name, y.factors[k].name);
    EXPECT_EQ(x.factors[k].values, y.factors[k].values);
    EXPECT_EQ(x.factors[k].names, y.factors[k].names);
    EXPECT_EQ(x.factors[k].period, y.factors[k].period);
  }
  std::vector<int32_t> p(x.factors.size());
  std::vector<int32_t> q(x.factors.size());
  for (int64_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a.id(i), b.id(i));
    EXPECT_EQ(a.label(i), b.label(i));
    EXPECT_EQ(a.image(i), b.image(i));
    EXPECT_EQ(a.image_for(i, 1), b.image_for(i, 1));
    a.factors(i, p);
    b.factors(i, q);
    EXPECT_EQ(p, q);
  }
  EXPECT_THROW(b.label(a.size()), std::invalid_argument);
  EXPECT_THROW(b.image(-1), std::invalid_argument);
}

// In every split, and in a subset.
void expect_same_as_folder(const std::string& folder_spec, const std::string& output) {
  pack_folder(folder_spec, output);
  for (const char* split : {"train", "test", "all"}) {
    for (const int64_t size : {0, 3, 1'000}) {
      SCOPED_TRACE(std::string(split) + " " + std::to_string(size));
      const DataOptions options{.split = split, .size = size, .seed = 5};
      expect_same(*open_dataset(folder_spec, options), *open_dataset("pack:" + output, options));
    }
  }
}

TEST(PackFolder, IsTheFolderItWasMadeFrom) {
  const TemporaryFolder folder;
  for (int i = 0; i < 31; ++i) {
    const char* ending = i % 3 == 0 ? ".ppm" : i % 3 == 1 ? ".png" : ".jpg";
    put_picture(folder / ("d/" + std::string(i % 2 ? "cat/" : "dog/deep/") + std::to_string(i) + ending),
                static_cast<uint8_t>(i));
  }
  put_picture(folder / "d/stray.png");
  write_bytes(folder / "d/cat/empty.jpg", "");
  write_bytes(folder / "d/cat/none.png", "no picture");
  write_bytes(folder / "d/cat/moving.gif", "GIF89a");
  expect_same_as_folder("folder:" + (folder / "d"), folder / "d.pack");
}

TEST(PackFolder, HasTheSplitsOfItsFolders) {
  const TemporaryFolder folder;
  for (const char* name : {"train/a/1.png", "train/b/2.png", "val/a/3.png", "val/c/4.ppm", "elsewhere.png"}) {
    put_picture(folder / (std::string("d/") + name));
  }
  write_bytes(folder / "d/train/a/bad.png", "x");
  write_bytes(folder / "d/val/a/bad.png", "y");
  expect_same_as_folder("folder:" + (folder / "d"), folder / "d.pack");
}

TEST(PackFolder, HasTheSplitsOfListsAndWhatATableSays) {
  const TemporaryFolder folder;
  for (const char* name : {"1.png", "2.png", "3.png", "4.png", "5.png", "6.png"}) {
    put_picture(folder / (std::string("d/") + name));
  }
  write_bytes(folder / "d/bad.png", "x");
  write_bytes(folder / "d/train.txt", "1.png\n2.png\nnowhere.png\n");
  write_bytes(folder / "d/test.txt", "3.png\nbad.png\n");
  write_bytes(folder / "d/table.csv",
              "file,label,colour,size\n1,x,red,2.5\n2,,blue,30\n3,y,red,1\n4,x,red,1\n5,x,blue,1\nbad,x,red,1\n");
  expect_same_as_folder("folder:" + (folder / "d") + ",labels=table.csv", folder / "d.pack");
}

TEST(PackFolder, TakesASinglePicture) {
  const TemporaryFolder folder;
  put_picture(folder / "one.png", 3);
  const std::string spec = "folder:" + (folder / "one.png");
  pack_folder(spec, folder / "p");
  for (const char* split : {"train", "all"}) {
    expect_same(*open_dataset(spec, {.split = split}), *open_dataset("pack:" + (folder / "p"), {.split = split}));
  }
  EXPECT_THAT(message_of([&] { open_dataset("pack:" + (folder / "p"), {.split = "test"}); }),
              HasSubstr("expected at least 2 items to set some apart for the test, got 1"));
}

TEST(PackFolder, IsStrictWhereItIsAskedToBe) {
  const TemporaryFolder folder;
  put_picture(folder / "d/a.png");
  put_picture(folder / "d/c.png");
  write_bytes(folder / "d/b.png", "x");
  const std::string spec = "folder:" + (folder / "d");
  const std::string expected = "expected nothing but readable pictures, got 1 that cannot be read; the first: b.png: ";
  EXPECT_THAT(message_of([&] { pack_folder(spec, folder / "p", {.strict = true}); }), HasSubstr(expected));
  EXPECT_FALSE(fs::exists(folder / "p"));
  EXPECT_EQ(pack_folder(spec, folder / "p").resumed, 3) << "what was refused was examined";
  EXPECT_THAT(message_of([&] { open_dataset("pack:" + (folder / "p"), {.strict = true}); }), HasSubstr(expected));
}

TEST(PackFolder, RefusesWhatIsNoFolderOfPictures) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "empty");
  const auto message = [&](const std::string& spec) { return message_of([&] { pack_folder(spec, folder / "p"); }); };
  EXPECT_THAT(message("sprites"), HasSubstr("[pack] expected folder:DIR[,labels=FILE], got sprites"));
  EXPECT_THAT(message("folder:/nowhere"), HasSubstr("expected a folder, got nothing there"));
  EXPECT_THAT(message("folder:" + (folder / "empty")), HasSubstr("expected pictures that end in .jpg"));
  write_bytes(folder / "empty/a.jpg", "x");
  EXPECT_THAT(message("folder:" + (folder / "empty")), HasSubstr("got 1 that cannot be read; the first: a.jpg: "));
  EXPECT_FALSE(fs::exists(folder / "p"));
  fs::create_directories(folder / "p");
  put_picture(folder / "empty/b.png");
  EXPECT_THAT(message("folder:" + (folder / "empty")), HasSubstr("expected a file to write, got a folder"));
}

struct Stopped {};

// Stops after the first files; the pack is then finished by another call.
void stop_early(const std::string& spec, const std::string& output) {
  const auto stop = [](int64_t, int64_t) { throw Stopped(); };
  EXPECT_THROW(pack_folder(spec, output, {.progress = stop}), Stopped);
  EXPECT_FALSE(fs::exists(output));
}

TEST(PackFolder, ReadsAgainWhatHasChangedSinceItWasStopped) {
  const TemporaryFolder folder;
  for (int i = 0; i < 9; ++i) put_picture(folder / ("d/" + std::to_string(i) + ".ppm"), 1);
  const std::string spec = "folder:" + (folder / "d");
  stop_early(spec, folder / "p");
  put_picture(folder / "d/4.ppm", 2);
  fs::last_write_time(folder / "d/4.ppm", fs::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_EQ(pack_folder(spec, folder / "p").resumed, 4);
  EXPECT_EQ(open_dataset("pack:" + (folder / "p"), {.split = "all"})->image(4).pixels[0], 2);
}

TEST(PackFolder, BeginsAnewIfOtherFilesAreThere) {
  const TemporaryFolder folder;
  for (int i = 0; i < 5; ++i) put_picture(folder / ("d/" + std::to_string(i) + ".ppm"), 1);
  const std::string spec = "folder:" + (folder / "d");
  stop_early(spec, folder / "p");
  put_picture(folder / "d/00.ppm", 9);
  const PackedFolder packed = pack_folder(spec, folder / "p");
  EXPECT_EQ(packed.resumed, 0);
  EXPECT_EQ(packed.items, 6);
  pack_folder(spec, folder / "q");
  EXPECT_EQ(read_bytes(folder / "p"), read_bytes(folder / "q"));
}

TEST(PackFolder, DoesNotDependOnTheNumberOfThreads) {
  const TemporaryFolder folder;
  for (int i = 0; i < 40; ++i) put_picture(folder / ("d/" + std::to_string(i) + ".jpg"), static_cast<uint8_t>(i));
  pack_folder("folder:" + (folder / "d"), folder / "p", {.threads = 1});
  pack_folder("folder:" + (folder / "d"), folder / "q", {.threads = 7});
  EXPECT_EQ(read_bytes(folder / "p"), read_bytes(folder / "q"));
}

}  // namespace
}  // namespace orthant
