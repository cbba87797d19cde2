#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace orthant {
namespace {

TEST(Doctor, EverySelfTestPasses) {
  const auto finished = test::run_orthant({"doctor", "--json"});
  EXPECT_EQ(finished.code, 0);
  EXPECT_EQ(finished.errors, "");
  const auto report = nlohmann::json::parse(finished.output);
  EXPECT_GE(report["threads"], 1);
  EXPECT_FALSE(report["simd"].get<std::string>().empty());
  EXPECT_FALSE(report["amx"].get<std::string>().empty());
  EXPECT_TRUE(report["libraries"].contains("openblas"));
  EXPECT_TRUE(report.contains("libtorch"));
  ASSERT_GE(report["self_test"].size(), 4U);
  for (const auto& result : report["self_test"]) EXPECT_TRUE(result["passed"]) << result;
}

}  // namespace
}  // namespace orthant
