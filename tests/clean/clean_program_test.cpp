#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "orthant/io/csv.h"
#include "orthant/io/embeddings_file.h"
#include "tests/clean/planted.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::run_orthant;
using ::testing::HasSubstr;

class CleanProgram : public ::testing::Test {
 protected:
  CleanProgram() : made_(test::planted()) { io::write_embeddings(folder_ / "items.safetensors", made_.items); }
  test::TemporaryFolder folder_;
  test::Planted made_;
};

TEST_F(CleanProgram, PrintsTheSurestAndWritesAll) {
  const auto done = run_orthant({"clean", folder_ / "items.safetensors", "-o", folder_ / "s.csv", "--top", "2"});
  ASSERT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.output, HasSubstr("the judge agrees with "));
  EXPECT_THAT(done.output, HasSubstr("more: -o FILE.csv has all"));
  EXPECT_THAT(done.output, HasSubstr("item 299"));
  const auto rows = io::read_csv(folder_ / "s.csv");
  EXPECT_GT(rows.size(), 10U);
  const auto document = nlohmann::json::parse(run_orthant({"clean", folder_ / "items.safetensors", "--json"}).output);
  EXPECT_EQ(document.at("suspects").size(), rows.size() - 1);
  EXPECT_EQ(document.at("suspects")[0].at("id"), rows[1].cells[2]);
}

TEST_F(CleanProgram, ForeignVectorsNeedNoLabels) {
  Embeddings plain;
  plain.features = made_.items.features;
  io::write_embeddings(folder_ / "plain.npy", plain);
  const auto done = run_orthant({"clean", folder_ / "plain.npy"});
  ASSERT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.output, HasSubstr("not judged: no labels"));
  EXPECT_THAT(done.output, HasSubstr("like 5:"));
}

TEST_F(CleanProgram, FindsLeaksInABank) {
  const auto done = run_orthant({"clean", folder_ / "items.safetensors", "--bank", folder_ / "items.safetensors"});
  ASSERT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.output, HasSubstr("the same as item 0 of the bank"));
}

TEST_F(CleanProgram, RefusesInOneLine) {
  const auto ending = run_orthant({"clean", folder_ / "items.safetensors", "-o", folder_ / "s.txt"});
  EXPECT_EQ(ending.code, 1);
  EXPECT_THAT(ending.errors, HasSubstr("expected a name that ends with .csv or .json, got .txt"));
  test::write_bytes(folder_ / "two.txt", "a\nb\n");
  const auto labels = run_orthant({"clean", folder_ / "items.safetensors", "--labels", folder_ / "two.txt"});
  EXPECT_EQ(labels.code, 1);
  EXPECT_THAT(labels.errors, HasSubstr("expected a label for each of the 300 items"));
}

}  // namespace
}  // namespace orthant
