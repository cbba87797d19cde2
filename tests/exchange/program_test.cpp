#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "orthant/io/embeddings_file.h"
#include "tests/exchange/items.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;
using test::run_orthant;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class ExchangeProgram : public ::testing::Test {
 protected:
  ExchangeProgram() {
    Embeddings items = test::awkward_items();
    io::write_embeddings(folder_ / "items.safetensors", items);
    items.ids[1] = items.ids[0];
    io::write_embeddings(folder_ / "twice.safetensors", items);
  }
  test::TemporaryFolder folder_;
};

TEST_F(ExchangeProgram, ExportsAndTellsWhatItWrote) {
  const auto done =
      run_orthant({"export", folder_ / "items.safetensors", "--to", "milvus", "-o", folder_ / "out", "--json"});
  ASSERT_EQ(done.code, 0) << done.errors;
  const auto report = nlohmann::json::parse(done.output);
  EXPECT_EQ(report.at("rows"), 40);
  EXPECT_EQ(report.at("remarks").size(), 1U);
  EXPECT_TRUE(fs::exists(folder_ / "out/load.sh"));
  const auto again = run_orthant({"export", folder_ / "items.safetensors", "--to", "milvus", "-o", folder_ / "out"});
  EXPECT_EQ(again.code, 1);
  EXPECT_THAT(again.errors, HasSubstr("--overwrite"));
}

TEST_F(ExchangeProgram, SaysWhatToDoAboutIdsThatRepeat) {
  const auto refused = run_orthant({"export", folder_ / "twice.safetensors", "--to", "qdrant", "-o", folder_ / "out"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.errors, EndsWith("in rows 0 and 1; --row-ids calls items by their row instead\n"));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  EXPECT_EQ(
      run_orthant({"export", folder_ / "twice.safetensors", "--to", "qdrant", "-o", folder_ / "out", "--row-ids"}).code,
      0);
}

TEST_F(ExchangeProgram, UnknownTargetsAreMisuse) {
  const auto misused =
      run_orthant({"export", folder_ / "items.safetensors", "--to", "pinecone", "-o", folder_ / "out"});
  EXPECT_EQ(misused.code, 2);
  EXPECT_THAT(misused.errors, HasSubstr("qdrant"));
}

TEST_F(ExchangeProgram, ImportsAndRefuses) {
  test::write_bytes(folder_ / "a.jsonl", "{\"indices\": [3], \"values\": [0.5]}\n");
  ASSERT_EQ(run_orthant({"import", folder_ / "a.jsonl", "-o", folder_ / "a.npz", "--dims", "5"}).code, 0);
  EXPECT_EQ(io::read_embeddings(folder_ / "a.npz").cols(), 5);
  test::write_bytes(folder_ / "bad.jsonl", "{\"indices\": [3], \"values\": [0.5]}\nnot json\n");
  const auto refused = run_orthant({"import", folder_ / "bad.jsonl", "-o", folder_ / "b.npz"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.errors, EndsWith("bad.jsonl] expected a JSON object, got no JSON in line 2\n"));
  EXPECT_FALSE(fs::exists(folder_ / "b.npz"));
}

}  // namespace
}  // namespace orthant
