#include "orthant/io/atomic_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "orthant/core/error.h"
#include "orthant/io/mapped_file.h"
#include "orthant/io/npz.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::io {
namespace {

using test::message_of;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;
using ::testing::AllOf;
using ::testing::HasSubstr;

size_t files_in(const std::filesystem::path& folder) {
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(AtomicFile, AppearsOnlyOnCommit) {
  const TemporaryFolder folder;
  {
    AtomicFile file(folder / "a");
    file.write("hello ");
    EXPECT_FALSE(std::filesystem::exists(folder / "a"));
    file.write("world");
    EXPECT_EQ(file.size(), 11);
    file.commit();
  }
  EXPECT_EQ(read_bytes(folder / "a"), "hello world");
  EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(AtomicFile, LeavesNothingBehindWithoutCommit) {
  const TemporaryFolder folder;
  write_bytes(folder / "a", "old");
  {
    AtomicFile file(folder / "a");
    file.write(std::string(1 << 20, 'x'));
    EXPECT_EQ(files_in(folder.path()), 2U);
  }
  EXPECT_EQ(read_bytes(folder / "a"), "old");
  EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(AtomicFile, WritesPiecesOfAnySizeInOrder) {
  const TemporaryFolder folder;
  std::string all;
  AtomicFile file(folder / "a");
  for (size_t size = 1; size < 400'000; size = size * 3 + 1) {
    const std::string piece(size, static_cast<char>('a' + size % 26));
    file.write(piece);
    all += piece;
  }
  file.write_at(5, std::as_bytes(std::span("12", 2)));
  all.replace(5, 2, "12");
  file.write_at(file.size(), std::as_bytes(std::span("end", 3)));
  file.commit();
  EXPECT_EQ(read_bytes(folder / "a"), all + "end");
}

TEST(AtomicFile, HonoursTheUmask) {
  const TemporaryFolder folder;
  const mode_t before = ::umask(0027);
  write_file(folder / "a", "x");
  ::umask(before);
  struct stat status = {};
  ASSERT_EQ(::stat((folder / "a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640U);
}

TEST(AtomicFile, KeepsThePermissionsOfAFileThatItReplaces) {
  const TemporaryFolder folder;
  for (const mode_t mode : {0600U, 0664U, 0444U}) {
    write_bytes(folder / "a", "old");
    ASSERT_EQ(::chmod((folder / "a").c_str(), mode), 0);
    AtomicFile file(folder / "a");
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      EXPECT_EQ(static_cast<mode_t>(entry.status().permissions()), mode) << "the unfinished one is as private";
    }
    file.commit();
    struct stat status = {};
    ASSERT_EQ(::stat((folder / "a").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, mode);
    std::filesystem::remove(folder / "a");
  }
}

TEST(AtomicFile, RemovesWhatKilledWritersLeftInTheFolder) {
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    AtomicFile file(folder / "a");
    ::_exit(0);  // no destructor, as if it had been killed
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_EQ(files_in(folder.path()), 1U);
  write_bytes(folder / ".orthant-mine.tmp", "of another kind");
  write_file(folder / "b", "x");
  EXPECT_EQ(files_in(folder.path()), 2U);
  EXPECT_TRUE(std::filesystem::exists(folder / ".orthant-mine.tmp"));
}

TEST(AtomicFile, LeavesTheTemporaryFilesOfLivingWritersAlone) {
  const TemporaryFolder folder;
  AtomicFile first(folder / "a");
  first.write("first");
  write_file(folder / "b", "second");
  first.commit();
  EXPECT_EQ(read_bytes(folder / "a"), "first");
}

TEST(AtomicFile, KeepsASymbolicLinkALink) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "real");
  write_bytes(folder / "real/a", "old");
  std::filesystem::create_symlink("real/a", folder / "link");
  write_file(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_bytes(folder / "real/a"), "new");
}

TEST(AtomicFile, AcceptsTheLongestNames) {
  const TemporaryFolder folder;
  const std::string path = folder / std::string(255, 'n');
  write_file(path, "x");
  EXPECT_EQ(read_bytes(path), "x");
}

TEST(AtomicFile, RefusesFoldersDevicesAndMissingFolders) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of([&] { write_file(folder.path().string(), "x"); }), HasSubstr("got a folder"));
  EXPECT_THAT(message_of([&] { write_file(folder / "new/", "x"); }), HasSubstr("expected the name of a file"));
  EXPECT_THAT(message_of([&] { write_file("/dev/null", "x"); }),
              HasSubstr("[/dev/null] expected a file to write, got a device"));
  EXPECT_THAT(message_of([&] { write_file(folder / "no/such/a", "x"); }),
              AllOf(HasSubstr("no/such/a] expected a folder"), HasSubstr("no such file or directory")));
  EXPECT_THROW(write_file("", "x"), IoError);
}

TEST(AtomicFile, RefusesAFolderThatCannotBeWritten) {
  // Even root cannot create files here.
  EXPECT_THAT(message_of([] { write_file("/proc/self/orthant-test", "x"); }),
              HasSubstr("[/proc/self/orthant-test] expected a folder to write to, got: "));
}

// Runs `body` in a child process, whose limits and mounts are its own; true if it returned true.
template <class Body>
bool in_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    bool passed = false;
    try {
      passed = body();
    } catch (...) {
    }
    ::_exit(passed ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(AtomicFile, LeavesNothingBehindWhenWritingFails) {
  const TemporaryFolder folder;
  write_bytes(folder / "a.npz", "old");
  const std::string path = folder / "a.npz";
  EXPECT_TRUE(in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {100'000, 100'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::string plain = message_of([&] { write_file(path, std::string(200'000, 'x')); });
    const auto array = array_from(std::vector<uint8_t>(200'000, 7), {200'000});
    const std::string zipped = message_of([&] { write_npz(path, {{"a", array}}); });
    const std::string reason = "a.npz] expected to write";
    return plain.find(reason) != plain.npos && zipped.find(reason) != zipped.npos &&
           zipped.find("file too large") != zipped.npos;
  }));
  EXPECT_EQ(read_bytes(path), "old");
  EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(AtomicFile, SaysThatTheDiskIsFull) {
  const TemporaryFolder folder;
  if (::mount("none", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "a small file system can only be mounted by root";
  }
  const std::string message = message_of([&] { write_file(folder / "a", std::string(1 << 20, 'x')); });
  const size_t left = files_in(folder.path());
  ::umount(folder.path().c_str());
  EXPECT_THAT(message, AllOf(HasSubstr("/a] expected to write"), HasSubstr("no space left on device")));
  EXPECT_EQ(left, 0U);
}

TEST(MappedFile, ShowsTheBytesOfAFile) {
  const TemporaryFolder folder;
  write_bytes(folder / "a", "hello");
  const auto file = MappedFile::open(folder / "a");
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()), "hello");
  EXPECT_EQ(file->path(), folder / "a");
  write_bytes(folder / "empty", "");
  EXPECT_TRUE(MappedFile::open(folder / "empty")->bytes().empty());
}

TEST(MappedFile, KeepsTheOldContentWhenAFileIsReplaced) {
  const TemporaryFolder folder;
  write_file(folder / "a", std::string(10'000, 'o'));
  const auto file = MappedFile::open(folder / "a");
  write_file(folder / "a", "new");
  EXPECT_EQ(file->bytes()[9'999], std::byte{'o'});
}

TEST(MappedFile, TellsWhichFileAnAddressBelongsTo) {
  const TemporaryFolder folder;
  write_bytes(folder / "a", std::string(5000, 'a'));
  write_bytes(folder / "b", "b");
  auto a = MappedFile::open(folder / "a");
  const auto b = MappedFile::open(folder / "b");
  EXPECT_STREQ(MappedFile::path_at(a->bytes().data() + 4999), (folder / "a").c_str());
  EXPECT_STREQ(MappedFile::path_at(b->bytes().data()), (folder / "b").c_str());
  EXPECT_EQ(MappedFile::path_at(&folder), nullptr);
  const void* gone = a->bytes().data();
  a.reset();
  EXPECT_EQ(MappedFile::path_at(gone), nullptr);
}

TEST(MappedFile, RefusesWhatIsNotAReadableFile) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of([&] { MappedFile::open(folder / "none"); }),
              HasSubstr("none] expected a readable file, got: no such file or directory"));
  EXPECT_THAT(message_of([&] { MappedFile::open(folder.path().string()); }),
              HasSubstr("expected a regular file, got a folder"));
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(message_of([&] { MappedFile::open(folder / "pipe"); }), HasSubstr("got a pipe"));
  EXPECT_THAT(message_of([&] { MappedFile::open("/dev/zero"); }), HasSubstr("got a device"));
}

TEST(MappedFile, SaysThatPermissionIsDenied) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TemporaryFolder folder;
  write_bytes(folder / "a", "x");
  ::chmod((folder / "a").c_str(), 0);
  EXPECT_THAT(message_of([&] { MappedFile::open(folder / "a"); }), HasSubstr("permission denied"));
}

}  // namespace
}  // namespace orthant::io
