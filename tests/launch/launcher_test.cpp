#include "orthant/launch/launcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <map>
#include <string>
#include <vector>

namespace orthant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Outcome {
  int code = 0;
  std::map<int64_t, std::vector<std::string>> lines;
  std::vector<std::string> told;
};

// Processes that run these words in a shell.
Outcome run(const std::string& script, LaunchOptions options = {}, const std::function<int()>& signal = {}) {
  Outcome outcome;
  options.grace = std::min(options.grace, 1.0);
  outcome.code = launch("/bin/sh", {"-c", script}, options,
                        {.line = [&](int64_t rank, std::string_view text) { outcome.lines[rank].emplace_back(text); },
                         .tell = [&](const std::string& text) { outcome.told.push_back(text); },
                         .signal = signal});
  return outcome;
}

TEST(Launcher, TellsEachProcessItsPlace) {
  const Outcome outcome = run(R"(echo "$RANK of $WORLD_SIZE, $LOCAL_RANK of $LOCAL_WORLD_SIZE, $OMP_NUM_THREADS" >&2)",
                              {.processes = 3, .threads = 2});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.lines.at(0), ElementsAre("0 of 3, 0 of 3, 2"));
  EXPECT_THAT(outcome.lines.at(2), ElementsAre("2 of 3, 2 of 3, 2"));
  EXPECT_TRUE(outcome.told.empty());
}

TEST(Launcher, GivesAllProcessesOneFileWithoutAName) {
  const Outcome outcome = run(R"(
    if [ $RANK = 0 ]; then echo hello >> $ORTHANT_GROUP_FILE; fi
    while ! [ -s $ORTHANT_GROUP_FILE ]; do sleep 0.01; done
    cat $ORTHANT_GROUP_FILE >&2)");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.lines.at(1), ElementsAre("hello"));
}

TEST(Launcher, KeepsTheLastLineWithoutAnEnd) {
  EXPECT_THAT(run("printf 'a\\nb' >&2").lines.at(1), ElementsAre("a", "b"));
}

TEST(Launcher, EndsAllWhenOneFailsAndTakesItsCode) {
  const Outcome outcome = run("if [ $RANK = 1 ]; then exit 3; fi; sleep 100", {.restarts = 5});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.told, ElementsAre("rank 0 did not end by itself and was killed"));
}

TEST(Launcher, NamesARankThatASignalEnded) {
  const Outcome outcome = run("if [ $RANK = 1 ]; then kill -9 $$; fi; exit 75");
  EXPECT_EQ(outcome.code == 137 || outcome.code == 1, true) << outcome.code;
  EXPECT_THAT(outcome.told, ElementsAre("rank 1 was ended by signal 9 (Killed)"));
}

TEST(Launcher, StartsAllAgainAfterAKillAndCountsIt) {
  const Outcome outcome =
      run("echo $TORCHELASTIC_RESTART_COUNT >&2; "
          "if [ $TORCHELASTIC_RESTART_COUNT = 2 ]; then exit 0; fi; if [ $RANK = 1 ]; then kill -9 $$; fi; exit 75",
          {.restarts = 2});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.lines.at(0), ElementsAre("0", "1", "2"));
  EXPECT_THAT(outcome.told.back(), HasSubstr("again from the last checkpoint (2 of 2)"));
}

TEST(Launcher, GivesUpAfterTheRestartsItHas) {
  const Outcome outcome = run("echo x >&2; exit 75", {.restarts = 1});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.lines.at(0), ElementsAre("x", "x"));
}

TEST(Launcher, PassesASignalOnOnceAndDoesNotStartAgain) {
  const Outcome outcome =
      run("trap 'echo asked >&2; exit 143' TERM; while :; do sleep 0.05; done", {.restarts = 3}, [begin = 0]() mutable {
        return ++begin > 10 ? SIGTERM : 0;  // when the traps are set
      });
  EXPECT_EQ(outcome.code, 143);
  EXPECT_THAT(outcome.lines.at(0), ElementsAre("asked"));
  EXPECT_THAT(outcome.lines.at(1), ElementsAre("asked"));
}

TEST(Launcher, RefusesAnImpossibleNumberOfProcesses) {
  EXPECT_THROW(launch("/bin/true", {}, {.processes = 0}), std::invalid_argument);
}

TEST(Launcher, TellsThatAProgramCannotStart) { EXPECT_EQ(launch("/no/such/program", {}, {.processes = 2}), 127); }

}  // namespace
}  // namespace orthant
