#include "orthant/shards/meeting.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <thread>

#include "tests/support/temporary_folder.h"

namespace orthant::shards {
namespace {

using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;

const Meeting::Rest kNothing = [] {};

TEST(Meeting, HandsPartsOverInTheOrderOfRanksAndLeavesNothing) {
  const TemporaryFolder folder;
  const auto work = [&](int64_t rank) {
    Meeting meeting(folder / "out", rank, 4);
    write_bytes(meeting.part(), std::to_string(rank));
    meeting.hand_over(kNothing);
  };
  std::string got;
  {
    std::vector<std::jthread> others;
    for (const int64_t rank : {3, 1, 2}) others.emplace_back(work, rank);
    Meeting meeting(folder / "out", 0, 4);
    write_bytes(meeting.part(), "0");
    for (const std::string& file : meeting.collect(kNothing)) got += read_bytes(file);
    meeting.finish();
  }
  EXPECT_EQ(got, "0123");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

// A group that was killed left its number and a part; the new rank 1 comes first and sees the old number.
TEST(Meeting, NeverTakesWhatAnEarlierGroupLeft) {
  const TemporaryFolder folder;
  write_bytes(folder / "out.parts", "77");
  write_bytes(folder / "out.part-1-of-2-77.safetensors", "old");
  std::string got;
  {
    const std::jthread other([&] {
      Meeting meeting(folder / "out", 1, 2);
      write_bytes(meeting.part(), "new");
      meeting.hand_over(kNothing);
    });
    while (read_bytes(folder / "out.part-1-of-2-77.safetensors") != "new") std::this_thread::yield();
    Meeting meeting(folder / "out", 0, 2);
    write_bytes(meeting.part(), "and ");
    for (const std::string& file : meeting.collect(kNothing)) got += read_bytes(file);
    meeting.finish();
  }
  EXPECT_EQ(got, "and new");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Meeting, EndsWhenItsRestDoesAndRemovesItsPart) {
  const TemporaryFolder folder;
  const Meeting::Rest stop = [] { throw std::runtime_error("stopped"); };
  for (const int64_t rank : {0, 1}) {
    Meeting meeting(folder / "out", rank, 2);
    write_bytes(meeting.part(), "x");
    if (rank == 0) {
      EXPECT_THROW(meeting.collect(stop), std::runtime_error);
    } else {
      EXPECT_THROW(meeting.hand_over(stop), std::runtime_error);
    }
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace orthant::shards
