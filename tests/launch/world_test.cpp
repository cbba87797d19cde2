#include "orthant/launch/world.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/support/message_of.h"

namespace orthant {
namespace {

using Variables = std::map<std::string, std::string>;

World world(const Variables& variables) {
  return read_world([&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional<std::string>(found->second);
  });
}

std::string refusal(const Variables& variables) {
  return test::message_of([&] { world(variables); });
}

TEST(World, IsOfOneWithoutALauncher) { EXPECT_EQ(world({}), World{}); }

TEST(World, OfOneProcessHasNoPeersWhoeverStartedIt) {
  EXPECT_EQ(world({{"RANK", "0"}, {"WORLD_SIZE", "1"}}), World{});
  EXPECT_EQ(world({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}), World{});
}

TEST(World, OfTheOwnLauncherMeetsInAFile) {
  const World here = world({{"ORTHANT_GROUP_FILE", "/proc/self/fd/9"},
                            {"RANK", "1"},
                            {"WORLD_SIZE", "2"},
                            {"LOCAL_RANK", "1"},
                            {"LOCAL_WORLD_SIZE", "2"},
                            {"TORCHELASTIC_RESTART_COUNT", "3"}});
  EXPECT_EQ(here, (World{.rank = 1,
                         .size = 2,
                         .local_rank = 1,
                         .local_size = 2,
                         .file = "/proc/self/fd/9",
                         .restart = 3,
                         .launcher = "orthant"}));
}

TEST(World, OfTorchrunLeavesTheMeetingPointToItsAgent) {
  const World here = world({{"RANK", "3"},
                            {"WORLD_SIZE", "4"},
                            {"LOCAL_RANK", "1"},
                            {"LOCAL_WORLD_SIZE", "2"},
                            {"MASTER_ADDR", "node1"},
                            {"MASTER_PORT", "29500"},
                            {"TORCHELASTIC_RUN_ID", "none"},
                            {"TORCHELASTIC_USE_AGENT_STORE", "True"}});
  EXPECT_EQ(here.launcher, "torchrun");
  EXPECT_TRUE(here.kept_by_launcher);
  EXPECT_EQ(here.address, "node1");
  EXPECT_EQ(here.port, 29500);
  EXPECT_EQ(here.rank, 3);
}

TEST(World, OfOpenMpiOnOneMachineMeetsOnLoopbackAtAPortOfTheJob) {
  Variables variables = {{"OMPI_COMM_WORLD_RANK", "1"},
                         {"OMPI_COMM_WORLD_SIZE", "2"},
                         {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                         {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                         {"PMIX_NAMESPACE", "123456789"}};
  const World here = world(variables);
  EXPECT_EQ(here.address, "127.0.0.1");
  EXPECT_GE(here.port, 20'000);
  EXPECT_LT(here.port, 30'000);
  variables["OMPI_COMM_WORLD_RANK"] = "0";
  variables["OMPI_COMM_WORLD_LOCAL_RANK"] = "0";
  EXPECT_EQ(world(variables).port, here.port);
  variables["PMIX_NAMESPACE"] = "123456790";
  EXPECT_NE(world(variables).port, here.port);
  variables["MASTER_PORT"] = "4711";
  EXPECT_EQ(world(variables).port, 4711);
}

TEST(World, OfOpenMpiOnSeveralMachinesHasToBeToldTheHost) {
  EXPECT_EQ(refusal({{"OMPI_COMM_WORLD_RANK", "1"},
                     {"OMPI_COMM_WORLD_SIZE", "2"},
                     {"OMPI_COMM_WORLD_LOCAL_RANK", "0"},
                     {"OMPI_COMM_WORLD_LOCAL_SIZE", "1"}}),
            "[MASTER_ADDR] expected the host of rank 0, since Open MPI does not tell it on several machines, got none; "
            "'mpirun -x MASTER_ADDR=HOST ...' sets it");
}

TEST(World, OfSlurmMeetsOnTheFirstHostOfTheStep) {
  const World here = world({{"SLURM_PROCID", "5"},
                            {"SLURM_STEP_NUM_TASKS", "8"},
                            {"SLURM_LOCALID", "1"},
                            {"SLURM_STEP_NODELIST", "gpu[07-10]"},
                            {"SLURM_JOB_ID", "99"},
                            {"SLURM_STEP_ID", "0"}});
  EXPECT_EQ(here.launcher, "slurm");
  EXPECT_EQ(here.address, "gpu07");
  EXPECT_EQ(here.rank, 5);
  EXPECT_EQ(here.size, 8);
}

TEST(World, OfABatchScriptOfSlurmIsOfOne) {
  EXPECT_EQ(world({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}, {"SLURM_JOB_ID", "99"}}), World{});
}

TEST(World, NamesTheVariableThatDoesNotFit) {
  EXPECT_EQ(refusal({{"RANK", "2"}, {"WORLD_SIZE", "2"}}), "[RANK] expected a number from 0 to 1, got '2'");
  EXPECT_EQ(refusal({{"RANK", "0"}, {"WORLD_SIZE", "two"}}),
            "[WORLD_SIZE] expected a number from 1 to 1048576, got 'two'");
  EXPECT_EQ(refusal({{"RANK", "0"}, {"WORLD_SIZE", "2"}}),
            "[MASTER_ADDR] expected the host of rank 0 beside RANK and WORLD_SIZE, got none");
  EXPECT_EQ(refusal({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "a"}, {"MASTER_PORT", "70000"}}),
            "[MASTER_PORT] expected a number from 1 to 65535, got '70000'");
}

TEST(World, ReadsTheFirstHostOfEveryListThatSlurmWrites) {
  EXPECT_EQ(first_host("a"), "a");
  EXPECT_EQ(first_host("a,b"), "a");
  EXPECT_EQ(first_host("node[07-09,12],other"), "node07");
  EXPECT_EQ(first_host("node[3]"), "node3");
  EXPECT_EQ(first_host("rack[1-2]-eth,b"), "rack1-eth");
  for (const char* list : {"", "[1-2", ",a", "a[", "a[]", "a[-"}) {
    EXPECT_THROW(first_host(list), std::invalid_argument) << list;
  }
}

}  // namespace
}  // namespace orthant
