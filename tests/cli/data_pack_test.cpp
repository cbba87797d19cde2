#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "orthant/io/image_file.h"
#include "orthant/io/npz.h"
#include "tests/support/program.h"
#include "tests/support/running.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using nlohmann::json;
using test::Finished;
using test::run_orthant;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;

// Twelve pictures of two classes, and a file that is none.
void put_pictures(const TemporaryFolder& folder) {
  for (int i = 0; i < 12; ++i) {
    const std::string name = folder / ("d/" + std::string(i % 2 ? "cat/" : "dog/") + std::to_string(i) + ".png");
    std::filesystem::create_directories(std::filesystem::path(name).parent_path());
    io::write_png(name, Image(5, 6, 3, static_cast<uint8_t>(20 * i)));
  }
  test::write_bytes(folder / "d/cat/bad.png", "no picture");
}

TEST(DataPack, WritesWhatEveryCommandTakesForTheFolder) {
  const TemporaryFolder folder;
  put_pictures(folder);
  const Finished packed = run_orthant({"data", "pack", "folder:" + (folder / "d"), "-o", folder / "d.pack"});
  EXPECT_EQ(packed.code, 0) << packed.errors;
  EXPECT_THAT(packed.errors, AllOf(HasSubstr("1 file left out because it cannot be used; the first: cat/bad.png: "),
                                   HasSubstr("d.pack: 12 pictures, ")));
  const auto info = [](const std::string& spec) {
    json report = json::parse(run_orthant({"data", "info", spec, "--split", "all", "--json"}).output);
    report.erase("name");
    return report;
  };
  EXPECT_EQ(info("pack:" + (folder / "d.pack")), info("folder:" + (folder / "d")));
  const auto exported = [&](const std::string& spec) {
    const Finished finished = run_orthant({"data", "export", spec, "--overwrite", "-o", folder / "x.npz"});
    EXPECT_EQ(finished.code, 0) << finished.errors;
    const io::Array images = io::Npz::open(folder / "x.npz").read("images");
    return std::vector<std::byte>(images.bytes.begin(), images.bytes.end());
  };
  EXPECT_TRUE(exported("pack:" + (folder / "d.pack")) == exported("folder:" + (folder / "d")));
}

TEST(DataPack, RefusesInOneLineAndLeavesWhatIsThere) {
  const TemporaryFolder folder;
  put_pictures(folder);
  const std::string spec = "folder:" + (folder / "d");
  const auto refused = [](const std::vector<std::string>& words) {
    const Finished finished = run_orthant(words);
    EXPECT_EQ(finished.code, 1);
    EXPECT_EQ(std::ranges::count(finished.errors, '\n'), 1) << finished.errors;
    return finished.errors;
  };
  EXPECT_THAT(refused({"data", "pack", spec, "-o", folder / "d.pack", "--strict"}), HasSubstr("cat/bad.png"));
  EXPECT_FALSE(std::filesystem::exists(folder / "d.pack"));
  EXPECT_THAT(refused({"data", "pack", "sprites", "-o", folder / "d.pack"}), HasSubstr("expected folder:DIR"));
  ASSERT_EQ(run_orthant({"data", "pack", spec, "-o", folder / "d.pack", "--quiet"}).errors, "");
  EXPECT_THAT(refused({"data", "pack", spec, "-o", folder / "d.pack"}), HasSubstr("--overwrite"));

  const std::string whole = test::read_bytes(folder / "d.pack");
  const std::string pack = "pack:" + (folder / "bad.pack");
  test::write_bytes(folder / "bad.pack", whole.substr(0, whole.size() / 2));
  EXPECT_THAT(refused({"data", "info", pack}), HasSubstr("the file is cut off"));
  std::string damaged = whole;
  damaged[100] = static_cast<char>(damaged[100] ^ 1);  // of the first picture
  test::write_bytes(folder / "bad.pack", damaged);
  EXPECT_THAT(refused({"data", "export", pack, "--split", "all", "-o", folder / "x.npz", "--quiet"}),
              HasSubstr("bad.pack: cat/1.png] expected bytes with the checksum of the index, got another"));
  EXPECT_FALSE(std::filesystem::exists(folder / "x.npz"));
}

// A disk that is full: the work so far is kept, and the same command ends in the same bytes.
TEST(DataPack, GoesOnWhenThereIsRoomAgain) {
  const TemporaryFolder folder;
  put_pictures(folder);
  const std::vector<std::string> words = {"data", "pack", "folder:" + (folder / "d"), "-o", folder / "d.pack"};
  const Finished full = run_orthant(words, {.file_bytes = 1'000});
  EXPECT_NE(full.code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder / "d.pack"));
  EXPECT_EQ(run_orthant(words).code, 0);
  run_orthant({"data", "pack", "folder:" + (folder / "d"), "-o", folder / "e.pack"});
  EXPECT_EQ(test::read_bytes(folder / "d.pack"), test::read_bytes(folder / "e.pack"));
}

TEST(DataPack, StopsAtASignalAndGoesOn) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "d");
  for (int i = 0; i < 3'000; ++i) {
    test::write_bytes(folder / ("d/" + std::to_string(i) + ".pgm"), "P5 40 40 255\n" + std::string(1'600, 'x'));
  }
  const std::vector<std::string> words = {"data", "pack", "folder:" + (folder / "d"), "-o", folder / "d.pack"};
  test::Running running(words, folder / "errors");
  test::wait_for_content(folder / "d.pack.journal");
  const int code = running.end(SIGINT);
  if (code != 0) {
    EXPECT_EQ(code, 128 + SIGINT);
    EXPECT_EQ(test::read_bytes(folder / "errors"), "orthant: stopped; the same command goes on where it was\n");
    EXPECT_FALSE(std::filesystem::exists(folder / "d.pack"));
    EXPECT_EQ(run_orthant(words).code, 0);
  }
  EXPECT_EQ(run_orthant({"data", "info", "pack:" + (folder / "d.pack"), "--split", "all"}).code, 0);
}

}  // namespace
}  // namespace orthant
