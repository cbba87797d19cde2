#include "orthant/sources/folder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "../support/temporary_folder.h"
#include "orthant/data/statistics.h"
#include "orthant/io/image_file.h"
#include "orthant/sources/picture_file.h"
#include "tests/data/fake_dataset.h"

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
  if (name.ends_with("png") || name.ends_with("PNG")) {
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
                          HasSubstr("a/text.jpg: neither a JPEG nor a PNG file")));
  EXPECT_THAT(message_of<IoError>([&] { open_folder(folder.path(), {.split = "all", .strict = true}); }),
              HasSubstr("expected nothing but readable pictures, got 6 that cannot be read; the first: a/cut.jpg: "));
}

TEST(Folder, DamageInsideIsFoundWhenDecodedAndNamesTheFile) {
  const TemporaryFolder folder;
  put(folder, "a.png");
  std::string png = test::read_bytes(folder / "a.png");
  png[png.size() - 20] = static_cast<char>(png[png.size() - 20] ^ 0x40);
  write_bytes(folder / "b.png", png);
  const auto dataset = open_all(folder);
  EXPECT_THAT(message_of<IoError>([&] { dataset->image(1); }), HasSubstr("b.png"));
  EXPECT_THAT(dataset_statistics(*dataset).unreadable, ElementsAre(HasSubstr("b.png: ")));
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
              HasSubstr("] expected pictures that end in .jpg, .jpeg or .png, got none"));
  write_bytes(folder / "a.png", "");
  EXPECT_THAT(message_of<IoError>([&] { open_all(folder); }),
              HasSubstr("got 1 that cannot be read; the first: a.png: the file is empty"));
  EXPECT_THAT(message_of<IoError>([&] { open_folder(folder / "none"); }),
              HasSubstr("none] expected a folder, got nothing there"));
  EXPECT_THAT(message_of<IoError>([&] { open_folder(folder / "a.png"); }), HasSubstr("expected a folder, got a file"));
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
