#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <random>

#include "orthant/index/edit.h"
#include "orthant/index/edit_lock.h"
#include "orthant/io/atomic_file.h"
#include "tests/index/naive.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::index {
namespace {

using test::message_of;
using test::random_embeddings;
using test::read_bytes;
using test::TemporaryFolder;

Embeddings named(int64_t rows, uint64_t seed, const std::string& prefix) {
  Embeddings embeddings = random_embeddings(rows, 16, 0.4, seed);
  for (std::string& id : embeddings.ids) id = prefix + id;
  return embeddings;
}

// Works in a process of its own, which the system ends after so many microseconds; 0: never.
pid_t start(const std::function<void()>& work, int64_t microseconds = 0) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  const struct itimerval timer = {{0, 0}, {0, microseconds}};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
  try {
    work();
    ::_exit(0);
  } catch (const std::exception&) {
    ::_exit(1);
  }
}

// True if it came to its end, false if it was killed.
bool finished(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
  return WIFEXITED(status);
}

void write(const std::string& path, const std::string& bytes) { io::write_file(path, bytes); }

// Killed at random moments of about the time that it takes, and left alone at last, `change` leaves the file as it was,
// or changed as a whole.
void expect_all_or_nothing(const std::string& path, const std::function<void(int threads)>& change) {
  const bool there = std::filesystem::exists(path);
  const std::string before = there ? read_bytes(path) : "";
  const auto begun = std::chrono::steady_clock::now();
  change(1);
  const auto taken = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begun);
  const auto latest = std::clamp<int64_t>(3 * taken.count() / 2, 100, 900'000);
  const std::string after = read_bytes(path);
  ASSERT_NE(before, after);
  std::mt19937 random(1);
  constexpr int kRounds = 40;
  for (int round = 0; round < kRounds; ++round) {
    std::filesystem::remove(path);
    if (there) write(path, before);
    const auto moment = 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(latest));
    if (finished(start([&] { change(1); }, round + 1 < kRounds ? moment : 0))) {
      ASSERT_EQ(read_bytes(path), after);
    } else {
      const std::string left = std::filesystem::exists(path) ? read_bytes(path) : "";
      ASSERT_TRUE(left == before || left == after) << "after " << moment << " microseconds";
    }
  }
  write(path, after);  // which also removes what the killed ones left
  const auto in_folder = std::filesystem::directory_iterator(std::filesystem::path(path).parent_path());
  EXPECT_EQ(std::distance(begin(in_folder), end(in_folder)), 1);
}

TEST(IndexKill, BuildingLeavesTheOldIndexOrTheNew) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.oix";
  expect_all_or_nothing(path, [&](int threads) { build_index(path, named(400, 1, ""), "x", {.threads = threads}); });
  expect_all_or_nothing(path, [&](int threads) { build_index(path, named(400, 2, ""), "x", {.threads = threads}); });
}

TEST(IndexKill, AddingRemovingAndMergingLeaveTheOldIndexOrTheNew) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.oix";
  build_index(path, named(300, 1, ""), "x");
  expect_all_or_nothing(path,
                        [&](int threads) { add_to_index(path, named(200, 2, "new "), "y", {.threads = threads}); });
  const std::vector<std::string> ids = {"item 7", "new item 9"};
  expect_all_or_nothing(path, [&](int threads) { remove_from_index(path, ids, {.threads = threads}); });
  expect_all_or_nothing(path, [&](int threads) { merge_index(path, {.threads = threads}); });
  EXPECT_EQ(Index::open(path).size(), 498);
  Index::open(path).verify(1);
}

TEST(IndexLock, ProcessesThatChangeAnIndexAtOnceLoseNothing) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.oix";
  build_index(path, named(100, 1, ""), "x", {.threads = 1});
  std::vector<pid_t> children;
  for (int process = 0; process < 4; ++process) {
    children.push_back(start([&] {
      const std::string prefix = std::to_string(process) + " ";
      for (int round = 0; round < 3; ++round) {
        add_to_index(path, named(20, 2, prefix + std::to_string(round) + " "), "y", {.threads = 1});
      }
      remove_from_index(path, std::vector<std::string>{"item " + std::to_string(process)}, {.threads = 1});
      if (process == 0) merge_index(path, {.threads = 1});
    }));
  }
  for (const pid_t child : children) EXPECT_TRUE(finished(child));
  const Index index = Index::open(path);
  index.verify(1);
  EXPECT_EQ(index.size(), 100 + 4 * 3 * 20 - 4);
  for (int process = 0; process < 4; ++process) {
    for (int round = 0; round < 3; ++round) {
      EXPECT_TRUE(index.find(std::to_string(process) + " " + std::to_string(round) + " item 19"));
    }
    EXPECT_FALSE(index.find("item " + std::to_string(process)));
  }
}

TEST(IndexLock, WaitingIsToldAndCanBeGivenUp) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.oix";
  build_index(path, named(50, 1, ""), "x");
  const std::string before = read_bytes(path);
  const EditLock held(path);
  const auto give_up = [] { throw std::runtime_error("enough"); };
  const std::vector<std::string> ids = {"item 1"};
  EXPECT_EQ(message_of([&] { add_to_index(path, named(5, 2, "n"), "y", {.waiting = give_up}); }), "enough");
  EXPECT_EQ(message_of([&] { remove_from_index(path, ids, {.waiting = give_up}); }), "enough");
  EXPECT_EQ(message_of([&] { merge_index(path, {.waiting = give_up}); }), "enough");
  EXPECT_EQ(message_of([&] { build_index(path, named(5, 2, "n"), "y", {.waiting = give_up}); }), "enough");
  EXPECT_EQ(read_bytes(path), before);
  EXPECT_EQ(Index::open(path).size(), 50);  // reading does not wait
}

TEST(IndexLock, ThereMustBeAnIndex) {
  EXPECT_THAT(message_of([] { merge_index("/nowhere/x.oix"); }),
              testing::HasSubstr("[/nowhere/x.oix] expected an index to change, got: no such file"));
}

}  // namespace
}  // namespace orthant::index
