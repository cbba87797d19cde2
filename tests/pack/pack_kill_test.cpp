#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <random>

#include "orthant/sources/pack_folder.h"
#include "tests/pack/pictures.h"

namespace orthant {
namespace {

using test::put_picture;
using test::read_bytes;
using test::TemporaryFolder;

// Packs in a process of its own, which the system ends after so many microseconds. True if it was done before.
bool pack_until_killed(const std::string& spec, const std::string& output, int64_t microseconds) {
  const pid_t child = ::fork();
  if (child == 0) {
    const struct itimerval timer = {{0, 0}, {0, microseconds}};
    ::setitimer(ITIMER_REAL, &timer, nullptr);
    try {
      pack_folder(spec, output, {.threads = 1});
      ::_exit(0);
    } catch (const std::exception&) {
      ::_exit(1);
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
  return WIFEXITED(status);
}

TEST(PackKill, KilledAtRandomMomentsItEndsInTheSameBytes) {
  const TemporaryFolder folder;
  for (int i = 0; i < 900; ++i) put_picture(folder / ("d/" + std::to_string(i) + ".ppm"), static_cast<uint8_t>(i));
  const std::string spec = "folder:" + (folder / "d");
  pack_folder(spec, folder / "whole", {.threads = 1});
  const std::string whole = read_bytes(folder / "whole");
  std::mt19937 random(1);
  int kills = 0;
  int finished = 0;
  // From moments that are sure to come too soon to ones that are not.
  for (int64_t limit = 4'000; kills < 25 || finished == 0; limit += 1'000) {
    ASSERT_LT(limit, 1'000'000);
    if (pack_until_killed(spec, folder / "p", 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(limit)))) {
      ASSERT_EQ(read_bytes(folder / "p"), whole);
      std::filesystem::remove(folder / "p");
      ++finished;
    } else {
      ++kills;
      if (std::filesystem::exists(folder / "p")) {
        ASSERT_EQ(read_bytes(folder / "p"), whole) << "whole or not at all";
        std::filesystem::remove(folder / "p");
      }
    }
  }
}

}  // namespace
}  // namespace orthant
