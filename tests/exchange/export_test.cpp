#include "orthant/exchange/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "orthant/io/csv.h"
#include "tests/exchange/exported.h"
#include "tests/exchange/items.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::exchange {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::awkward_items;
using test::message_of;
using test::read_bytes;
using test::Rows;
using test::rows_of;
using ::testing::HasSubstr;

TEST_F(Export, EveryTargetIsListedAndHasAReadmeTablesAndAMark) {
  std::set<std::string> names;
  for (const ExportTarget& target : export_targets()) {
    names.insert(target.name);
    const std::string path = write(target.name, awkward_items());
    for (const char* file : {"README.md", "items.csv", "features.csv", "expected.json", kExportMark}) {
      EXPECT_TRUE(fs::is_regular_file(path + "/" + file)) << path << file;
    }
    const json about = json::parse(read_bytes(path + "/" + kExportMark));
    EXPECT_EQ(about.at("to"), target.name);
    EXPECT_EQ(about.at("rows"), 40);
  }
  EXPECT_EQ(names, (std::set<std::string>{"bigann", "csv", "elasticsearch", "jsonl", "milvus", "opensearch", "pgvector",
                                          "qdrant", "seismic", "vespa"}));
  EXPECT_EQ(parts_of(folder_.path(), ".").size(), 0U) << "no temporary folder stays";
}

TEST_F(Export, TablesGiveRowsTheirIdsLabelsAndFeaturesTheirNames) {
  const Embeddings items = awkward_items();
  const std::string path = write("qdrant", items);
  const auto table = io::read_csv(path + "/items.csv");
  ASSERT_EQ(table.size(), 41U);
  for (size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(table[i + 1].cells[0], std::to_string(i));
    EXPECT_EQ(table[i + 1].cells[1], items.ids[i]);
    EXPECT_EQ(table[i + 1].cells[2], items.ids[i]);
    EXPECT_EQ(table[i + 1].cells[3], i == 9 ? "" : items.class_names[i % 3]);
  }
  const auto features = io::read_csv(path + "/features.csv");
  ASSERT_EQ(features.size(), 13U);
  EXPECT_EQ(features[8].cells[2], items.feature_names[7]);
}

TEST_F(Export, ExpectedIsWhatANaiveSearchFinds) {
  const Embeddings items = awkward_items(true);
  const Rows rows = rows_of(items);
  const json expected = json::parse(read_bytes(write("jsonl", items) + "/expected.json"));
  ASSERT_EQ(expected.at("questions").size(), 10U);
  for (const json& question : expected.at("questions")) {
    const auto& query = rows[question.at("row").get<size_t>()];
    std::vector<std::pair<double, int64_t>> scores;
    for (size_t i = 0; i < rows.size(); ++i) {
      double score = 0;
      for (const auto& [j, value] : query) score += rows[i].contains(j) ? double{value} * rows[i].at(j) : 0;
      if (score > 0) scores.emplace_back(-score, static_cast<int64_t>(i));
    }
    std::ranges::sort(scores);
    ASSERT_EQ(question.at("found").size(), std::min<size_t>(10, scores.size()));
    for (size_t k = 0; k < question.at("found").size(); ++k) {
      EXPECT_EQ(question.at("found")[k].at("row"), scores[k].second);
      EXPECT_NEAR(question.at("found")[k].at("score").get<double>(), -scores[k].first, -1e-5 * scores[k].first);
      EXPECT_EQ(question.at("found")[k].at("item"), items.ids[static_cast<size_t>(scores[k].second)]);
    }
  }
}

TEST_F(Export, RequestsAreCutIntoParts) {
  Embeddings many;
  Matrix x(30'000, 20);
  for (int64_t i = 0; i < x.rows(); ++i) {
    for (int64_t j = 0; j < x.cols(); ++j) x(i, j) = 0.123456F + static_cast<float>(i % 7);
  }
  many.features = std::move(x);
  const auto parts = parts_of(write("milvus", many), "insert-");
  EXPECT_GT(parts.size(), 1U);
  size_t items = 0;
  for (const std::string& part : parts) {
    EXPECT_LE(fs::file_size(part), size_t{8 << 20} + 16);
    items += json::parse(read_bytes(part)).at("data").size();
  }
  EXPECT_EQ(items, 30'000U);
}

TEST_F(Export, ScriptsCanBeStarted) {
  const std::string path = write("qdrant", awkward_items());
  EXPECT_NE(fs::status(path + "/load.sh").permissions() & fs::perms::owner_exec, fs::perms::none);
}

TEST_F(Export, RefusesWhatTheEngineWouldRefuse) {
  for (const char* engine : {"elasticsearch", "opensearch", "seismic"}) {
    EXPECT_THAT(refusal(engine, awkward_items(true)), HasSubstr("expected features of 0 and more for "));
  }
  Embeddings full;
  full.features = Matrix(2, 16'001, std::vector<float>(32'002, 0.5F));
  EXPECT_EQ(refusal("pgvector", full),
            "[items.safetensors] expected at most 16000 features that are not 0 in an item for pgvector, got 16001 in "
            "row 0; orthant select keeps those that matter");
  Embeddings bad;
  bad.features = Matrix(1, 2, {0.5F, NAN});
  EXPECT_THAT(refusal("qdrant", bad), HasSubstr("NaN"));
}

TEST_F(Export, RefusesIdsThatWouldBeLost) {
  Embeddings items = awkward_items();
  items.ids[7] = items.ids[4];
  EXPECT_EQ(refusal("qdrant", items), "[items.safetensors] expected ids that differ, got item4 in rows 4 and 7");
  items.ids[7] = "a\x01";
  EXPECT_THAT(refusal("vespa", items), HasSubstr("without control characters, got one in row 7"));
  items.ids[7] = "\xff";
  EXPECT_THAT(refusal("jsonl", items), HasSubstr("expected ids in UTF-8, got other bytes in row 7"));
  items.ids[7] = std::string(513, 'x');
  EXPECT_THAT(refusal("elasticsearch", items), HasSubstr("at most 512 bytes, got 513 in row 7"));
  items.ids[7] = "";
  const std::string path = write("qdrant", items, {.row_ids = true});
  EXPECT_EQ(json::parse(read_bytes(path + "/points-00000.json")).at("points").at(7).at("id"), 7);
}

TEST_F(Export, WholeNumbersStayNumbers) {
  Embeddings items = awkward_items();
  for (size_t i = 0; i < items.ids.size(); ++i) items.ids[i] = std::to_string(9'000'000'000 + 7 * i);
  const std::string path = write("qdrant", items);
  EXPECT_EQ(json::parse(read_bytes(path + "/points-00000.json")).at("points").at(2).at("id"), 9'000'000'014);
  items.ids[0] = "007";
  EXPECT_TRUE(
      json::parse(read_bytes(write("qdrant", items) + "/points-00000.json")).at("points").at(2).at("id").is_string());
}

TEST_F(Export, ReplacesNothingButAnEarlierExport) {
  const std::string path = write("jsonl", awkward_items());
  const ExportOptions again{.to = "csv", .overwrite = true};
  EXPECT_THAT(message_of([&] { export_embeddings(awkward_items(), path, {.to = "csv"}); }),
              HasSubstr("expected a new name, got one that exists"));
  EXPECT_TRUE(fs::exists(path + "/items.jsonl"));
  export_embeddings(awkward_items(), path + "/", again);
  EXPECT_FALSE(fs::exists(path + "/items.jsonl"));
  EXPECT_TRUE(fs::exists(path + "/entries.csv"));
  const std::string other = folder_ / "mine";
  fs::create_directory(other);
  test::write_bytes(other + "/thesis.txt", "precious");
  EXPECT_THAT(message_of([&] { export_embeddings(awkward_items(), other, again); }),
              HasSubstr("expected an earlier export to replace"));
  EXPECT_EQ(read_bytes(other + "/thesis.txt"), "precious");
  EXPECT_THAT(message_of([&] { export_embeddings(awkward_items(), folder_ / "no/such", again); }),
              HasSubstr("expected a folder"));
}

TEST_F(Export, InterruptedLeavesNothing) {
  struct Stop {};
  const ExportOptions options{.to = "qdrant", .progress = [](int64_t done, int64_t) {
                                if (done == 20) throw Stop();
                              }};
  EXPECT_THROW(export_embeddings(awkward_items(), folder_ / "out", options), Stop);
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(Export, UnknownTargetsAndNamesAreRefused) {
  EXPECT_THAT(refusal("pinecone", awkward_items()), HasSubstr("expected one of bigann, seismic, qdrant"));
  for (const char* name : {"", "Items", "1st", "drop table", "a-b"}) {
    EXPECT_THAT(refusal("pgvector", awkward_items(), {.name = name}), HasSubstr("expected a name of small letters"))
        << name;
  }
}

}  // namespace
}  // namespace orthant::exchange
