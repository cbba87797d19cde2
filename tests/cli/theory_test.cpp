#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(TheoryCommand, PrintsOneDocumentAndWritesThePage) {
  const test::TemporaryFolder folder;
  const std::string page = folder / "theory.html";
  const auto finished = test::run_orthant(
      {"theory", "--classes", "3", "--samples", "40", "--worlds", "1", "--quiet", "--json", "-o", page});
  EXPECT_EQ(finished.code, 0) << finished.errors;
  EXPECT_EQ(finished.errors, "");
  const auto report = nlohmann::json::parse(finished.output);
  EXPECT_EQ(report["theorems"].size(), 13U);
  EXPECT_EQ(report["options"]["dims"], 3);
  for (const auto& theorem : report["theorems"]) {
    if (theorem["id"] == "5a" || theorem["id"] == "5b" || theorem["id"] == "Mb")
      continue;  // one small world need not be typical
    EXPECT_NE(theorem["verdict"], "fails") << theorem;
  }
  EXPECT_THAT(test::read_bytes(page), StartsWith("<!doctype html>"));
}

TEST(TheoryCommand, RefusesAnExistingPageBeforeAnyWork) {
  const test::TemporaryFolder folder;
  const std::string page = folder / "theory.html";
  test::write_bytes(page, "mine");
  const auto finished = test::run_orthant({"theory", "-o", page});
  EXPECT_EQ(finished.code, 1);
  EXPECT_THAT(finished.errors, HasSubstr("--overwrite"));
  EXPECT_EQ(test::read_bytes(page), "mine");
}

TEST(TheoryCommand, TellsMisuseFromFailure) {
  EXPECT_EQ(test::run_orthant({"theory", "--classes", "1"}).code, 2);
  EXPECT_EQ(test::run_orthant({"theory", "--classes", "many"}).code, 2);
  const auto overlap = test::run_orthant({"theory", "--overlap", "1.5"});
  EXPECT_EQ(overlap.code, 1);
  EXPECT_EQ(overlap.errors, "orthant: [theory] expected an overlap from 0 to 0.95, got 1.5\n");
  const auto dims = test::run_orthant({"theory", "--dims", "4"});
  EXPECT_EQ(dims.code, 1);
  EXPECT_THAT(dims.errors, HasSubstr("expected dimensions from 8 (the classes)"));
}

}  // namespace
}  // namespace orthant
