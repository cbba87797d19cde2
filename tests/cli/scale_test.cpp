// Several processes from the command line: they are what one process is, and survive being killed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <thread>

#include "orthant/io/npy.h"
#include "tests/support/program.h"
#include "tests/support/running.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;
using test::Finished;
using test::read_bytes;
using test::run_orthant;
using test::Running;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The processes that have this word on their command line, but for the launcher: what `orthant` started.
std::vector<pid_t> ranks_with(const std::string& word) {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string line = read_bytes((entry.path() / "cmdline").string());
    const std::string program = line.substr(0, line.find('\0'));
    if (program.ends_with("orthant-learn") && line.find(word) != std::string::npos) found.push_back(std::stoi(name));
  }
  return found;
}

class Scale : public ::testing::Test {
 protected:
  Scale() {
    std::vector<float> values;
    for (int i = 0; i < 200 * 6; ++i) values.push_back(static_cast<float>(i % 7) + 0.01F * static_cast<float>(i % 11));
    io::write_npy(folder_ / "x.npy", io::array_from<float>(std::move(values), {200, 6}));
  }

  std::string run(const std::string& name) const { return folder_ / name; }

  std::vector<std::string> words(const std::string& name, const std::vector<std::string>& more,
                                 const std::string& epochs = "4") const {
    std::vector<std::string> all = {"pretrain",
                                    "--data",
                                    "npy:" + (folder_ / "x.npy"),
                                    "--epochs",
                                    epochs,
                                    "--batch",
                                    "21",
                                    "--set",
                                    "projector.out=16",
                                    "--set",
                                    "projector.hidden=16",
                                    "--set",
                                    "backbone.hidden=16",
                                    "--set",
                                    "train.checkpoint_steps=3",
                                    "--set",
                                    "eval.every=0",
                                    "--threads",
                                    "1",
                                    "--quiet",
                                    "-o",
                                    run(name)};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  test::TemporaryFolder folder_;
};

TEST_F(Scale, ResumesWithAnotherNumberOfProcesses) {
  ASSERT_EQ(run_orthant(words("two", {"--processes", "2"}, "2")).code, 0);
  EXPECT_THAT(read_bytes(run("two") + "/metrics.jsonl"), HasSubstr("communication_share"));
  const Finished more =
      run_orthant({"resume", run("two"), "--force", "--epochs", "3", "--processes", "3", "--threads", "1"});
  EXPECT_EQ(more.code, 0) << more.errors;
  EXPECT_THAT(more.errors, AllOf(HasSubstr("[0] "), HasSubstr("going on at step 16 of 24 (epoch 3)")));
  EXPECT_THAT(ranks_with(run("two")), IsEmpty());
}

TEST_F(Scale, RefusesWhatProcessesDoNotShare) {
  const Finished budget = run_orthant(
      {"pretrain", "--data", "npy:" + (folder_ / "x.npy"), "--budget", "10s", "--processes", "2", "-o", run("none")});
  EXPECT_EQ(budget.code, 2) << budget.errors;
  EXPECT_THAT(budget.errors, HasSubstr("--budget measures one process"));
  EXPECT_FALSE(fs::exists(run("none")));
}

TEST_F(Scale, ARankThatIsStoppedIsNamedAndNothingIsLeft) {
  Running running(words("stopped", {"--processes", "2", "--timeout", "2"}, "5000"), folder_ / "errors");
  test::wait_for_content(run("stopped") + "/metrics.jsonl");
  const std::vector<pid_t> ranks = ranks_with(run("stopped"));
  ASSERT_EQ(ranks.size(), 2U);
  ::kill(ranks.back(), SIGSTOP);
  EXPECT_EQ(running.end(0), 1);
  EXPECT_THAT(read_bytes(folder_ / "errors"),
              AllOf(HasSubstr("expected all ranks at '"), HasSubstr("no longer answers, last heard of at '")));
  EXPECT_THAT(ranks_with(run("stopped")), IsEmpty());
}

// bench/kill_loop.py does it a hundred times.
TEST_F(Scale, KilledOverAndOverEndsAsIfNobodyHadDisturbedIt) {
  constexpr int kKills = 2;
  const std::string epochs = "80";
  ASSERT_EQ(run_orthant(words("whole", {"--processes", "2"}, epochs)).code, 0);
  Running running(words("killed", {"--processes", "2", "--restarts", "100000"}, epochs), folder_ / "errors");
  std::mt19937 random(7);
  for (int killed = 0; killed < kKills; ++killed) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500 + random() % 3000));
    const std::vector<pid_t> ranks = ranks_with(run("killed"));
    if (ranks.size() == 2) ::kill(ranks[random() % 2], SIGKILL);
  }
  EXPECT_EQ(running.end(0), 0) << read_bytes(folder_ / "errors");
  EXPECT_EQ(read_bytes(run("killed") + "/model.safetensors"), read_bytes(run("whole") + "/model.safetensors"));
  EXPECT_THAT(ranks_with(run("killed")), IsEmpty());
  for (const auto& entry : fs::recursive_directory_iterator(run("killed"))) {
    EXPECT_FALSE(entry.path().string().ends_with(".tmp")) << entry.path();
  }
}

}  // namespace
}  // namespace orthant
