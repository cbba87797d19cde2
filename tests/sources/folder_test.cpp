#include "orthant/sources/folder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "orthant/data/statistics.h"
#include "orthant/io/image_file.h"
#include "orthant/sources/picture_file.h"
#include "tests/data/fake_dataset.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;
using test::message_of;
using test::TemporaryFolder;
using test::write_bytes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void put(const TemporaryFolder& folder, const std::string& name, uint8_t value = 7) {
  fs::create_directories(fs::path(folder / name).parent_path());
  const Image image(3, 4, 3, value);
  if (name.ends_with("ppm")) {
    write_bytes(folder / name, "P6 4 3 255\n" + std::string(36, static_cast<char>(value)));
  } else if (name.ends_with("png") || name.ends_with("PNG")) {
    write_bytes(folder / name, io::encode_png(image));
  } else {
    const auto bytes = io::encode_jpeg(image, 90);
    write_bytes(folder / name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
}

DatasetPtr open_all(const TemporaryFolder& folder) { return open_folder(folder.path(), {.split = "all"}); }

std::vector<std::string> ids(const DatasetPtr& dataset) {
  std::vector<std::string> all;
  for (int64_t i = 0; i < dataset->size(); ++i) all.push_back(dataset->id(i));
  return all;
}

TEST(Folder, ClassesAreItsFoldersInOrder) {
  const TemporaryFolder folder;
  put(folder, "dog/b.png", 1);
  put(folder, "cat/deep/er/a.PNG", 2);
  put(folder, "cat/z.JpEg", 3);
  fs::create_directories(folder / "empty");
  write_bytes(folder / "cat/readme.txt", "no picture");
  const auto dataset = open_all(folder);
  EXPECT_THAT(ids(dataset), ElementsAre("cat/deep/er/a.PNG", "cat/z.JpEg", "dog/b.png"));
  EXPECT_THAT(dataset->info().class_names, ElementsAre("cat", "dog"));
  EXPECT_EQ(dataset->label(0), 0);
  EXPECT_EQ(dataset->label(2), 1);
  EXPECT_EQ(dataset->image(2), Image(3, 4, 3, 1));
  EXPECT_THAT(dataset->info().unreadable, IsEmpty());
}

TEST(Folder, WithoutFoldersHasNoClasses) {
  const TemporaryFolder folder;
  put(folder, "b.jpg");
  put(folder, "a.png");
  const auto dataset = open_all(folder);
  EXPECT_THAT(ids(dataset), ElementsAre("a.png", "b.jpg"));
  EXPECT_THAT(dataset->info().class_names, IsEmpty());
  EXPECT_EQ(dataset->label(0), -1);
}

TEST(Folder, PicturesBesideTheClassesHaveNone) {
  const TemporaryFolder folder;
  put(folder, "stray.png");
  put(folder, "cat/a.png");
  const auto dataset = open_all(folder);
  EXPECT_THAT(ids(dataset), ElementsAre("cat/a.png", "stray.png"));
  EXPECT_EQ(dataset->label(0), 0);
  EXPECT_EQ(dataset->label(1), -1);
}

TEST(Folder, PublishedSplitsShareTheirClasses) {
  for (const std::string second : {"test", "val"}) {
    const TemporaryFolder folder;
    put(folder, "train/dog/1.png");
    put(folder, "train/cat/2.png");
    put(folder, second + "/ant/3.png");
    put(folder, second + "/dog/4.png");
    const auto train = open_folder(folder.path(), {.split = "train"});
    const auto test = open_folder(folder.path(), {.split = "test"});
    EXPECT_THAT(ids(train), ElementsAre("train/cat/2.png", "train/dog/1.png"));
    EXPECT_THAT(ids(test), ElementsAre(second + "/ant/3.png", second + "/dog/4.png"));
    EXPECT_THAT(train->info().class_names, ElementsAre("ant", "cat", "dog"));
    EXPECT_EQ(train->info().class_names, test->info().class_names);
    EXPECT_EQ(test->label(1), 2);
    EXPECT_EQ(train->info().split, "train");
    EXPECT_EQ(open_all(folder)->size(), 4);
  }
}

TEST(Folder, CountsEverySplitAndListsTheDamageOfItsOwn) {
  const TemporaryFolder folder;
  for (const char* name : {"train/a/1.png", "train/a/2.png", "test/a/3.png"}) put(folder, name);
  write_bytes(folder / "train/a/bad.png", "x");
  write_bytes(folder / "test/a/bad.png", "x");
  const auto test = open_folder(folder.path(), {.split = "test"});
  EXPECT_EQ(test->info().splits, (std::vector<NamedCount>{{"train", 2}, {"test", 1}, {"all", 3}}));
  EXPECT_FALSE(test->info().split_made_here);
  EXPECT_THAT(test->info().unreadable, ElementsAre(HasSubstr("test/a/bad.png: ")));
  EXPECT_EQ(open_all(folder)->info().unreadable.size(), 2U);
}

TEST(Folder, WithoutSplitsSetsATenthOfEachClassApart) {
  const TemporaryFolder folder;
  for (int i = 0; i < 20; ++i) put(folder, (i < 10 ? "a/" : "b/") + std::to_string(i) + ".ppm");
  const auto test = open_folder(folder.path(), {.split = "test"});
  ASSERT_EQ(test->size(), 2);
  EXPECT_EQ(test->label(0), 0);
  EXPECT_EQ(test->label(1), 1);
  EXPECT_TRUE(test->info().split_made_here);
}

TEST(Folder, ReadsListsOfTheSplits) {
  const TemporaryFolder folder;
  for (const char* name : {"a/1.png", "a/2.png", "b/3.png", "b/4.png"}) put(folder, name);
  write_bytes(folder / "train.txt", "# names\r\na/1.png\r\n\r\n./b/3\r\nb/nowhere.png\r\n");
  const auto open = [&](const std::string& split) { return open_folder(folder.path(), {.split = split}); };
  EXPECT_THAT(ids(open("train")), ElementsAre("a/1.png", "b/3.png"));
  EXPECT_THAT(ids(open("test")), ElementsAre("a/2.png", "b/4.png"));
  EXPECT_FALSE(open("test")->info().split_made_here);
  EXPECT_THAT(open("train")->info().unreadable,
              ElementsAre("b/nowhere.png: named in line 5 of train.txt, but no such picture is there"));
  write_bytes(folder / "test.txt", "a/2.png\n");
  EXPECT_THAT(ids(open("test")), ElementsAre("a/2.png"));
  EXPECT_EQ(open("all")->size(), 4);
  EXPECT_EQ(open("all")->info().splits, (std::vector<NamedCount>{{"train", 2}, {"test", 1}, {"all", 4}}));
  write_bytes(folder / "test.txt", "a/1.png\n");
  EXPECT_THAT(message_of<IoError>([&] { open("test"); }),
              HasSubstr("expected pictures that are not in the other list, got a/1.png in line 1"));
}

TEST(Folder, TextThatNamesNoPictureIsNoList) {
  const TemporaryFolder folder;
  for (const char* name : {"a/1.png", "a/2.png"}) put(folder, name);
  write_bytes(folder / "train.txt", "Photographs for training our new staff.\n");
  const auto train = open_folder(folder.path(), {.split = "train"});
  EXPECT_TRUE(train->info().split_made_here);
  EXPECT_THAT(train->info().unreadable, IsEmpty());
}

TEST(Folder, TakesLabelsAndFactorsFromATable) {
  const TemporaryFolder folder;
  for (const char* name : {"x/1.png", "x/2.png", "3.png", "4.png"}) put(folder, name);
  write_bytes(folder / "t.csv",
              "file,size,label,colour\nx/1.png,10,dog,red\n3,9.5,,blue\nx/2.png,10.0,ant,red\n5.png,9.5,dog,red\n");
  const auto dataset = open_folder(folder.path(), {.split = "all", .labels = folder / "t.csv"});
  EXPECT_THAT(ids(dataset), ElementsAre("3.png", "x/1.png", "x/2.png"));
  EXPECT_THAT(dataset->info().class_names, ElementsAre("ant", "dog"));
  EXPECT_EQ(dataset->label(0), -1);
  EXPECT_EQ(dataset->label(1), 1);
  ASSERT_EQ(dataset->info().factors.size(), 2U);
  EXPECT_EQ(dataset->info().factors[0].name, "size");
  EXPECT_THAT(dataset->info().factors[0].values, ElementsAre(9.5F, 10.0F));
  EXPECT_THAT(dataset->info().factors[1].names, ElementsAre("blue", "red"));
  std::vector<int32_t> classes(2);
  dataset->factors(2, classes);
  EXPECT_THAT(classes, ElementsAre(1, 1));
  EXPECT_THAT(dataset->info().unreadable,
              ElementsAre(HasSubstr("5.png: has a row in "), HasSubstr("4.png: has no row")));
}

TEST(Folder, ATableWithoutLabelsKeepsTheFoldersClasses) {
  const TemporaryFolder folder;
  put(folder, "cat/1.png");
  write_bytes(folder / "t.csv", "file;x;y\ncat/1.png;1;2\n");
  const auto dataset = open_folder(folder.path(), {.split = "all", .labels = folder / "t.csv"});
  EXPECT_THAT(dataset->info().class_names, ElementsAre("cat"));
  EXPECT_EQ(dataset->info().factors.size(), 2U);
  write_bytes(folder / "t.csv", "file,animal\ncat/1.png,tom\n");
  EXPECT_THAT(open_folder(folder.path(), {.split = "all", .labels = folder / "t.csv"})->info().class_names,
              ElementsAre("tom"));
}

TEST(Folder, RejectsTablesThatDoNotFit) {
  const TemporaryFolder folder;
  put(folder, "1.png");
  const auto refused = [&](const std::string& table) {
    write_bytes(folder / "t.csv", table);
    return message_of<IoError>([&] { open_folder(folder.path(), {.split = "all", .labels = folder / "t.csv"}); });
  };
  EXPECT_THAT(refused("file,label\n1.png,a,b\n"), HasSubstr("expected 2 columns in line 2, got 3"));
  EXPECT_THAT(refused("file,label\n1.png,a\n1,b\n"), HasSubstr("expected each picture once, got 1 again in line 3"));
  EXPECT_THAT(refused("file,label,x\n1.png,a,\n"), HasSubstr("expected a value of x in line 2, got nothing"));
  EXPECT_THAT(refused("file,label\n"), HasSubstr("and a row for each picture, got 1 rows"));
  EXPECT_THAT(refused("file,label\nother.png,a\n"), HasSubstr("that cannot be read; the first: other.png"));
}

TEST(Folder, RemembersWhatItExamined) {
  const TemporaryFolder folder, memory;
  put(folder, "0.ppm");
  for (int i = 1; i < 1000; ++i) fs::copy_file(folder / "0.ppm", folder / (std::to_string(i) + ".ppm"));
  write_bytes(folder / "bad.ppm", "P6 4 3 255\n");
  const FolderOptions options{.split = "all", .memory = memory / "cache"};
  EXPECT_EQ(open_folder(folder.path(), options)->size(), 1000);
  ASSERT_EQ(std::distance(fs::directory_iterator(memory / "cache"), fs::directory_iterator()), 1);
  // Damage under the same size and time is not seen, which shows that the file was not opened; another time is.
  const auto time = fs::last_write_time(folder / "7.ppm");
  write_bytes(folder / "7.ppm", "Q6 4 3 255\n" + std::string(36, 'x'));
  fs::last_write_time(folder / "7.ppm", time);
  EXPECT_EQ(open_folder(folder.path(), options)->size(), 1000);
  EXPECT_THAT(open_folder(folder.path(), options)->info().unreadable, ElementsAre(HasSubstr("bad.ppm: ")));
  fs::last_write_time(folder / "7.ppm", time + std::chrono::seconds(1));
  EXPECT_THAT(open_folder(folder.path(), options)->info().unreadable,
              ElementsAre(HasSubstr("7.ppm: "), HasSubstr("bad.ppm: ")));
  EXPECT_EQ(open_folder(folder.path(), {.split = "all"})->size(), 999);
}

TEST(Folder, AClassCalledTrainIsAClass) {
  const TemporaryFolder folder;
  put(folder, "train/1.png");
  put(folder, "plane/2.png");
  EXPECT_THAT(open_all(folder)->info().class_names, ElementsAre("plane", "train"));
}

TEST(Folder, ListsAndSkipsWhatCannotBeRead) {
  const TemporaryFolder folder;
  put(folder, "a/good.png");
  put(folder, "a/good.jpg");
  write_bytes(folder / "a/empty.png", "");
  write_bytes(folder / "a/text.jpg", "hello");
  const std::string png = test::read_bytes(folder / "a/good.png");
  const std::string jpeg = test::read_bytes(folder / "a/good.jpg");
  write_bytes(folder / "a/cut.png", png.substr(0, png.size() - 14));
  write_bytes(folder / "a/cut.jpg", jpeg.substr(0, jpeg.size() / 2));
  write_bytes(folder / "a/trailer.jpg", jpeg + std::string(5000, 'x'));
  fs::create_symlink("nowhere", folder / "a/dangling.png");
  ASSERT_EQ(::mkfifo((folder / "a/pipe.png").c_str(), 0600), 0);
  const auto dataset = open_all(folder);
  EXPECT_THAT(ids(dataset), ElementsAre("a/good.jpg", "a/good.png", "a/trailer.jpg"));
  EXPECT_THAT(dataset->info().unreadable,
              ElementsAre(HasSubstr("a/cut.jpg: "), HasSubstr("a/cut.png: "), HasSubstr("a/dangling.png: "),
                          HasSubstr("a/empty.png: the file is empty"), HasSubstr("a/pipe.png: "),
                          HasSubstr("a/text.jpg: neither JPEG, PNG, WebP, BMP, PGM nor PPM")));
  EXPECT_THAT(message_of<IoError>([&] { open_folder(folder.path(), {.split = "all", .strict = true}); }),
              HasSubstr("expected nothing but readable pictures, got 6 that cannot be read; the first: a/cut.jpg: "));
}

// Damages the picture in the middle, in a way that decoders notice.
std::string damaged(const std::string& bytes) {
  std::string changed = bytes;
  const size_t middle = bytes.size() - 20;
  for (size_t i = middle; i < middle + 6; ++i) changed[i] = static_cast<char>(changed[i] ^ 0x5a);
  return changed;
}

TEST(Folder, SkipsPicturesThatAreDamagedInTheMiddle) {
  const TemporaryFolder folder;
  Image noisy(40, 40, 3);
  for (size_t i = 0; i < noisy.pixels.size(); ++i) noisy.pixels[i] = static_cast<uint8_t>(i * i * 7 % 251);
  const auto bytes = io::encode_jpeg(noisy, 95);
  std::string jpeg(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  write_bytes(folder / "good.jpg", jpeg);
  jpeg.replace(jpeg.size() / 2, 2, "\xff\xd3");  // a marker where none belongs
  write_bytes(folder / "middle.jpg", jpeg);
  put(folder, "good.png");
  write_bytes(folder / "middle.png", damaged(test::read_bytes(folder / "good.png")));
  const auto dataset = open_all(folder);
  EXPECT_THAT(ids(dataset), ElementsAre("good.jpg", "good.png"));
  EXPECT_THAT(dataset->info().unreadable, ElementsAre(HasSubstr("middle.jpg: expected an intact JPEG, got: "),
                                                      HasSubstr("middle.png: expected an intact PNG, got: ")));
  EXPECT_THAT(dataset_statistics(*dataset).unreadable, IsEmpty());
  EXPECT_THAT(message_of<IoError>([&] { open_folder(folder.path(), {.split = "all", .strict = true}); }),
              HasSubstr("got 2 that cannot be read; the first: middle.jpg"));
}

TEST(Folder, WhatChangesAfterwardsNamesTheFile) {
  const TemporaryFolder folder;
  put(folder, "b.png");
  const auto dataset = open_all(folder);
  write_bytes(folder / "b.png", damaged(test::read_bytes(folder / "b.png")));
  EXPECT_THAT(message_of<IoError>([&] { dataset->image(0); }), HasSubstr("b.png"));
}

TEST(Folder, ReadsOtherFormatsAndCountsWhatItDoesNotRead) {
  const TemporaryFolder folder;
  put(folder, "a/x.ppm", 9);
  fs::copy_file(fs::path(ORTHANT_GOLDEN_DIR) / "io/rgb.bmp", folder / "a/y.BMP");
  fs::copy_file(fs::path(ORTHANT_GOLDEN_DIR) / "io/lossy.webp", folder / "a/z.webp");
  write_bytes(folder / "a/moving.gif", "GIF89a");
  write_bytes(folder / "a/more.GIF", "GIF89a");
  write_bytes(folder / "scan.tiff", "II*");
  write_bytes(folder / "notes.doc", "no picture");
  const auto dataset = open_all(folder);
  EXPECT_THAT(ids(dataset), ElementsAre("a/x.ppm", "a/y.BMP", "a/z.webp"));
  EXPECT_EQ(dataset->image(0), Image(3, 4, 3, 9));
  EXPECT_EQ(dataset->image(2).width, 17);
  EXPECT_EQ(dataset->info().other_kinds, (std::vector<NamedCount>{{".gif", 2}, {".tiff", 1}}));
}

TEST(Folder, APictureIsADataSetOfOneItem) {
  const TemporaryFolder folder;
  put(folder, "cat/a.png", 4);
  put(folder, "cat/b.png", 5);
  for (const std::string split : {"all", "train"}) {
    const auto dataset = open_folder(folder / "cat/b.png", {.split = split});
    EXPECT_THAT(ids(dataset), ElementsAre("b.png"));
    EXPECT_EQ(dataset->image(0), Image(3, 4, 3, 5));
    EXPECT_THAT(dataset->info().class_names, IsEmpty());
    EXPECT_EQ(dataset->info().name, "folder:" + (folder / "cat/b.png"));
  }
  write_bytes(folder / "cat/c.png", "broken");
  EXPECT_THAT(message_of<IoError>([&] { open_folder(folder / "cat/c.png", {.split = "all"}); }),
              HasSubstr("got 1 that cannot be read; the first: c.png"));
}

TEST(Folder, FollowsLinksButNotRoundInCircles) {
  const TemporaryFolder folder, elsewhere;
  put(elsewhere, "x.png");
  put(folder, "a/y.png");
  fs::create_directory_symlink("..", folder / "a/up");
  fs::create_directory_symlink(elsewhere.path(), folder / "b");
  const auto dataset = open_all(folder);
  EXPECT_THAT(ids(dataset), ElementsAre("a/y.png", "b/x.png"));
}

TEST(Folder, PassesOverHiddenFiles) {
  const TemporaryFolder folder;
  put(folder, "a.png");
  put(folder, "._a.png");
  put(folder, ".cache/b.png");
  EXPECT_THAT(ids(open_all(folder)), ElementsAre("a.png"));
}

TEST(Folder, OfOnePictureTrainsButHasNoTest) {
  const TemporaryFolder folder;
  put(folder, "a.png");
  EXPECT_EQ(open_folder(folder.path())->size(), 1);
  EXPECT_THROW(open_folder(folder.path(), {.split = "test"}), std::invalid_argument);
}

TEST(Folder, RejectsPlacesWithoutPictures) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of<IoError>([&] { open_all(folder); }),
              HasSubstr("] expected pictures that end in .jpg, .jpeg, .png, .webp, .bmp, .ppm or .pgm, got none"));
  write_bytes(folder / "a.png", "");
  EXPECT_THAT(message_of<IoError>([&] { open_all(folder); }),
              HasSubstr("got 1 that cannot be read; the first: a.png: the file is empty"));
  EXPECT_THAT(message_of<IoError>([&] { open_folder(folder / "none"); }),
              HasSubstr("none] expected a folder, got nothing there"));
  write_bytes(folder / "a.txt", "");
  EXPECT_THAT(message_of<IoError>([&] { open_folder(folder / "a.txt"); }), HasSubstr("expected a folder, got a file"));
  EXPECT_THROW(open_folder(std::string(5000, 'x')), IoError);
}

TEST(Folder, ListsFoldersThatMayNotBeRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "permissions do not stop the superuser";
  const TemporaryFolder folder;
  put(folder, "a/x.png");
  put(folder, "b/y.png");
  fs::permissions(folder / "b", fs::perms::none);
  const auto dataset = open_all(folder);
  fs::permissions(folder / "b", fs::perms::owner_all);
  EXPECT_THAT(dataset->info().unreadable, ElementsAre(HasSubstr("b: ")));
}

}  // namespace
}  // namespace orthant
