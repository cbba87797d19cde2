#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/frame/interrupt.h"
#include "orthant/io/mapped_file.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::Finished;
using test::run_orthant;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

void expect_one_line(const Finished& finished) {
  EXPECT_THAT(finished.errors, StartsWith("orthant: "));
  EXPECT_EQ(std::ranges::count(finished.errors, '\n'), 1) << finished.errors;
  EXPECT_EQ(finished.output, "");
}

TEST(Usage, HelpIsNotAnError) {
  const Finished help = run_orthant({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.output, AllOf(HasSubstr("data"), HasSubstr("doctor"), HasSubstr("Exit code")));
  EXPECT_EQ(help.errors, "");
  EXPECT_EQ(run_orthant({"data", "preview", "--help"}).code, 0);
  EXPECT_THAT(run_orthant({"--version"}).output, StartsWith("orthant "));
}

TEST(Usage, MisuseIsOneLineAndCodeTwo) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{},
                                             {"fly"},
                                             {"data"},
                                             {"data", "info"},
                                             {"data", "info", "sprites", "--split", "middle"},
                                             {"data", "info", "sprites", "--size", "-1"},
                                             {"data", "info", "sprites", "--threads", "many"},
                                             {"data", "preview", "sprites"},
                                             {"doctor", "--unknown"}}) {
    const Finished finished = run_orthant(words);
    EXPECT_EQ(finished.code, 2);
    expect_one_line(finished);
  }
}

TEST(Usage, MisspeltCommandsAndFlagsGetASuggestion) {
  const auto misused = [](const std::vector<std::string>& words) {
    const Finished finished = run_orthant(words);
    EXPECT_EQ(finished.code, 2);
    expect_one_line(finished);
    return finished.errors;
  };
  EXPECT_EQ(misused({"trian"}), "orthant: expected a command, got 'trian' (did you mean 'pretrain'?); see '--help'\n");
  EXPECT_THAT(misused({"data", "prevew", "sprites"}), HasSubstr("got 'prevew' (did you mean 'preview'?)"));
  EXPECT_THAT(misused({"measure", "a.npy", "--lables", "b.npy"}),
              HasSubstr("expected a flag of measure, got '--lables' (did you mean '--labels'?)"));
  EXPECT_THAT(misused({"data", "preview", "sprites", "--sede=3"}), HasSubstr("'--seed'"))
      << "before what is missing: -o is required";
  EXPECT_EQ(misused({"photograph"}), "orthant: expected a command, got 'photograph'; see '--help'\n");
  EXPECT_THAT(misused({"doctor", "--unknown"}), HasSubstr("expected a flag of doctor, got '--unknown'; see"));
}

TEST(Usage, WhatIsNotThereIsCalledARunOrAFile) {
  for (const char* command : {"measure", "select"}) {
    const Finished finished = run_orthant({command, "/no/such", "--keep", "3", "-o", "/no/such.npy"});
    EXPECT_EQ(finished.code, 1);
    expect_one_line(finished);
    EXPECT_THAT(finished.errors, HasSubstr("[/no/such] expected a run or a file, got: no such run or file"));
  }
}

TEST(Usage, MemoryThatIsNotThereIsToldWithTheFileAndItsSize) {
  const test::TemporaryFolder folder;
  const std::string header = "{'descr': '<f2', 'fortran_order': False, 'shape': (131072, 2048), }";
  test::write_bytes(folder / "large.npy", "\x93NUMPY\x01" + std::string(1, '\0') + "\x76" + std::string(1, '\0') +
                                              header + std::string(117 - header.size(), ' ') + "\n");
  std::filesystem::resize_file(folder / "large.npy", 128 + 2L * 131072 * 2048);  // a hole: no disk is used
  const Finished finished = run_orthant({"measure", folder / "large.npy"}, {.memory_bytes = 1200L << 20});
  EXPECT_EQ(finished.code, 1);
  expect_one_line(finished);
  EXPECT_THAT(finished.errors, HasSubstr("/large.npy] expected 1073741824 bytes of memory to read it into, got: out of "
                                         "memory"));
}

TEST(Usage, OutputThatCannotBeWrittenIsAFailure) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"--help"}, {"--version"}, {"data", "list"}, {"data", "info", "sprites", "--size", "20", "--json"}}) {
    const Finished finished = run_orthant(words, {.output = "/dev/full"});
    EXPECT_EQ(finished.code, 1) << words.front();
    EXPECT_THAT(finished.errors, HasSubstr("[stdout] expected to write the results, got: "));
  }
}

TEST(Usage, ControlCharactersInNamesReachNoTerminal) {
  const Finished failed = run_orthant({"info",
                                       "/no/such/\x1b[2Jfolder\xc2\x9b"
                                       "1m"});
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(failed.errors, HasSubstr("/no/such/\\x1b[2Jfolder\\x9b1m]"));
  const Finished misused = run_orthant({"data", "info", "sprites", "--split", "a\x1b]b"});
  EXPECT_EQ(misused.code, 2);
  EXPECT_THAT(misused.errors, HasSubstr("a\\x1b]b"));
  expect_one_line(misused);
}

TEST(Usage, NotesOnDataEscapeControlCharacters) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder / "1.pgm", "P5 1 1 255\nx");
  test::write_bytes(folder / "bad\x1b[2J.pgm", "none");
  const Finished finished =
      run_orthant({"data", "export", "folder:" + folder.path().string(), "--split", "all", "-o", folder / "x.npz"});
  EXPECT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(finished.errors, HasSubstr("bad\\x1b[2J.pgm"));
  EXPECT_THAT(finished.errors, ::testing::Not(HasSubstr("\x1b")));
}

TEST(Usage, WhatTheFileSystemRefusesIsWorded) {
  const test::TemporaryFolder folder;
  std::filesystem::create_symlink("loop", folder / "loop");
  const Finished finished = run_orthant({"info", folder / "loop"});
  EXPECT_EQ(finished.code, 1);
  expect_one_line(finished);
  EXPECT_THAT(finished.errors, AllOf(HasSubstr("/loop] expected"), HasSubstr("too many levels of symbolic links")));
}

TEST(ShrunkFile, IsNamedInsteadOfASignal) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder / "a", std::string(100'000, 'a'));
  EXPECT_EXIT(
      {
        cli::catch_shrunk_files();
        const auto file = io::MappedFile::open(folder / "a");
        std::filesystem::resize_file(folder / "a", 10);
        volatile auto last = file->bytes().back();
        static_cast<void>(last);
      },
      ::testing::ExitedWithCode(1), "/a] expected a file that stays as it is, got one that shrank");
}

TEST(Usage, FailureIsOneLineAndCodeOne) {
  const Finished finished = run_orthant({"data", "info", "cifar10:/no/such/folder"});
  EXPECT_EQ(finished.code, 1);
  expect_one_line(finished);
  EXPECT_THAT(finished.errors, HasSubstr("/no/such/folder"));
}

}  // namespace
}  // namespace orthant
