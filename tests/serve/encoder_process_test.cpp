#include "orthant/serve/encoder_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "orthant/serve/message.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::serve {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using std::chrono_literals::operator""ms;

// Programs that answer in a fixed way: printf writes bytes, dd takes in a question of 8 + 3 bytes.
EncoderProcess shell(const std::string& script, std::chrono::milliseconds patience = std::chrono::seconds(30)) {
  return EncoderProcess({"/bin/sh", "-c", script}, patience);
}

constexpr const char* kTakeIn = "dd bs=1 count=11 of=/dev/null 2>/dev/null; ";
constexpr const char* kOneAndTwo = R"(printf '\000\000\000\000\010\000\000\000\000\000\200\077\000\000\000\100'; )";

int status_of(EncoderProcess& encoder, EncoderProcess::Question kind = EncoderProcess::kPicture) {
  try {
    encoder.encode(kind, "abc");
  } catch (const StatusError& error) {
    return error.status;
  }
  return 200;
}

TEST(EncoderProcess, TheSameProgramAnswersOnePictureAfterTheOther) {
  const test::TemporaryFolder folder;
  auto encoder = shell("echo x >> " + (folder / "starts") + "; while true; do " + kTakeIn + kOneAndTwo + " done");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back(
        [&] { EXPECT_THAT(encoder.encode(EncoderProcess::kPicture, "abc"), ElementsAre(1.0F, 2.0F)); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(test::read_bytes(folder / "starts"), "x\n");
}

TEST(EncoderProcess, TheProgramIsToldWhetherItIsAPictureOrAText) {
  for (const auto kind : {EncoderProcess::kPicture, EncoderProcess::kText}) {
    const test::TemporaryFolder folder;
    auto encoder = shell("dd bs=1 count=11 of=" + (folder / "question") + " 2>/dev/null; " + kOneAndTwo);
    encoder.encode(kind, "abc");
    const std::string expected{static_cast<char>(kind), 0, 0, 0, 3, 0, 0, 0, 'a', 'b', 'c'};
    EXPECT_EQ(test::read_bytes(folder / "question"), expected);
  }
}

TEST(EncoderProcess, AProgramThatDiedIsStartedAnew) {
  auto encoder = shell(std::string(kTakeIn) + kOneAndTwo);
  for (int picture = 0; picture < 4; ++picture)
    EXPECT_THAT(encoder.encode(EncoderProcess::kPicture, "abc"), ElementsAre(1.0F, 2.0F));
}

TEST(EncoderProcess, SaysWhatTheProgramSaysOfAPicture) {
  auto no_picture = shell(std::string(kTakeIn) + R"(printf '\001\000\000\000\003\000\000\000bad'; sleep 60)");
  EXPECT_EQ(test::message_of([&] { no_picture.encode(EncoderProcess::kPicture, "abc"); }), "bad");
  auto again = shell(std::string(kTakeIn) + R"(printf '\001\000\000\000\003\000\000\000bad'; sleep 60)");
  EXPECT_EQ(status_of(again), 415);
  auto text = shell(std::string(kTakeIn) + R"(printf '\001\000\000\000\003\000\000\000bad'; sleep 60)");
  EXPECT_EQ(status_of(text, EncoderProcess::kText), 400);
  auto failed = shell(std::string(kTakeIn) + R"(printf '\002\000\000\000\003\000\000\000bad'; sleep 60)");
  EXPECT_EQ(status_of(failed), 500);
}

TEST(EncoderProcess, AnswersOfAnotherKindAreRefused) {
  auto kind = shell(std::string(kTakeIn) + R"(printf '\011\000\000\000\000\000\000\000'; sleep 60)");
  EXPECT_EQ(status_of(kind), 500);
  auto length = shell(std::string(kTakeIn) + R"(printf '\000\000\000\000\377\377\377\377'; sleep 60)");
  EXPECT_EQ(status_of(length), 500);
}

TEST(EncoderProcess, EndsAndDelaysAreErrorsNotCrashes) {
  auto ends = shell("exit 3");
  EXPECT_THAT(test::message_of([&] { ends.encode(EncoderProcess::kPicture, std::string(10'000'000, 'x')); }),
              HasSubstr("ended"));
  EncoderProcess missing({"/no/such/program"});
  EXPECT_THAT(test::message_of([&] { missing.encode(EncoderProcess::kPicture, "abc"); }),
              HasSubstr("[/no/such/program] expected to start"));
  auto slow = shell("sleep 60", 100ms);
  EXPECT_EQ(status_of(slow), 503);
}

TEST(EncoderProcess, APictureInWorkIsGivenUpWhenTheServerStops) {
  std::atomic<bool> stopping = false;
  EncoderProcess encoder({"/bin/sh", "-c", "sleep 60"}, std::chrono::seconds(60), [&] { return stopping.load(); });
  std::thread later([&] {
    std::this_thread::sleep_for(50ms);
    stopping = true;
  });
  EXPECT_THAT(test::message_of([&] { encoder.encode(EncoderProcess::kPicture, "abc"); }), HasSubstr("stopping"));
  later.join();
}

}  // namespace
}  // namespace orthant::serve
