#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/program.h"

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

TEST(Usage, FailureIsOneLineAndCodeOne) {
  const Finished finished = run_orthant({"data", "info", "cifar10:/no/such/folder"});
  EXPECT_EQ(finished.code, 1);
  expect_one_line(finished);
  EXPECT_THAT(finished.errors, HasSubstr("/no/such/folder"));
}

}  // namespace
}  // namespace orthant
