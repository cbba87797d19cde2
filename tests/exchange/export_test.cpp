#include "orthant/exchange/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "orthant/io/csv.h"
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

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::istringstream text(read_bytes(path));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

// Readers of each format, written from its definition.

template <class Number>
Number take(const std::string& bytes, size_t& at) {
  Number value;
  std::memcpy(&value, bytes.data() + at, sizeof(Number));
  at += sizeof(Number);
  return value;
}

Rows read_csr(const std::string& path, int64_t cols) {
  const std::string bytes = read_bytes(path);
  size_t at = 0;
  const auto rows = take<int64_t>(bytes, at);
  EXPECT_EQ(take<int64_t>(bytes, at), cols);
  const auto entries = take<int64_t>(bytes, at);
  std::vector<int64_t> starts;
  for (int64_t i = 0; i <= rows; ++i) starts.push_back(take<int64_t>(bytes, at));
  EXPECT_EQ(starts.front(), 0);
  EXPECT_EQ(starts.back(), entries);
  std::vector<int32_t> columns;
  for (int64_t k = 0; k < entries; ++k) columns.push_back(take<int32_t>(bytes, at));
  Rows found(static_cast<size_t>(rows));
  for (int64_t i = 0; i < rows; ++i) {
    int32_t before = -1;
    for (int64_t k = starts[static_cast<size_t>(i)]; k < starts[static_cast<size_t>(i) + 1]; ++k) {
      EXPECT_GT(columns[static_cast<size_t>(k)], before);
      before = columns[static_cast<size_t>(k)];
      found[static_cast<size_t>(i)][before] = take<float>(bytes, at);
    }
  }
  EXPECT_EQ(at, bytes.size());
  return found;
}

std::map<int64_t, float> from_lists(const json& vector) {
  std::map<int64_t, float> row;
  EXPECT_EQ(vector.at("indices").size(), vector.at("values").size());
  int64_t before = -1;
  for (size_t k = 0; k < vector.at("indices").size(); ++k) {
    const auto column = vector.at("indices")[k].get<int64_t>();
    EXPECT_GT(column, before) << "sorted and unique";
    before = column;
    row[column] = vector.at("values")[k].get<float>();
    EXPECT_NE(row[column], 0);
  }
  return row;
}

std::map<int64_t, float> from_weights(const json& weights, const std::map<std::string, int64_t>& columns) {
  std::map<int64_t, float> row;
  for (const auto& [key, value] : weights.items()) row[columns.at(key)] = value.get<float>();
  EXPECT_EQ(row.size(), weights.size());
  return row;
}

std::map<std::string, int64_t> numbers(int64_t cols) {
  std::map<std::string, int64_t> columns;
  for (int64_t j = 0; j < cols; ++j) columns[std::to_string(j)] = j;
  return columns;
}

std::vector<std::string> parts_of(const fs::path& folder, const std::string& prefix) {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with(prefix)) found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

class Export : public ::testing::Test {
 protected:
  std::string write(const std::string& to, const Embeddings& items, ExportOptions options = {}) {
    options.to = to;
    options.source = "items.safetensors";
    const std::string path = folder_ / (to + std::to_string(++count_));
    summary_ = export_embeddings(items, path, options);
    return path;
  }
  std::string refusal(const std::string& to, const Embeddings& items, ExportOptions options = {}) {
    const std::string message = message_of([&] { write(to, items, options); });
    EXPECT_TRUE(fs::is_empty(folder_.path())) << "nothing is left of a refused export";
    return message;
  }
  // key -> column, as features.csv says.
  static std::map<std::string, int64_t> features(const std::string& path) {
    std::map<std::string, int64_t> columns;
    for (const io::CsvRow& row : io::read_csv(path + "/features.csv")) {
      if (row.line > 1) columns[row.cells.at(1)] = std::stoll(row.cells.at(0));
    }
    return columns;
  }

  test::TemporaryFolder folder_;
  ExportSummary summary_;
  int count_ = 0;
};

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

TEST_F(Export, BigannHasTheMatrixQueriesAndGroundTruth) {
  const Embeddings items = awkward_items(true);
  const std::string path = write("bigann", items);
  EXPECT_EQ(read_csr(path + "/base.csr", 12), rows_of(items));
  const json expected = json::parse(read_bytes(path + "/expected.json"));
  const Rows queries = read_csr(path + "/queries.csr", 12);
  const std::string truth = read_bytes(path + "/queries.gt");
  size_t at = 0;
  EXPECT_EQ(take<uint32_t>(truth, at), queries.size());
  EXPECT_EQ(take<uint32_t>(truth, at), 10U);
  ASSERT_EQ(truth.size(), 8 + queries.size() * 10 * 8);
  for (size_t q = 0; q < queries.size(); ++q) {
    const json& question = expected.at("questions")[q];
    EXPECT_EQ(queries[q], rows_of(items)[question.at("row").get<size_t>()]);
    for (size_t k = 0; k < 10; ++k) {
      const bool found = k < question.at("found").size();
      EXPECT_EQ(take<int32_t>(truth, at), found ? question.at("found")[k].at("row").get<int32_t>() : -1);
      size_t score_at = 8 + queries.size() * 40 + (q * 10 + k) * 4;
      EXPECT_EQ(take<float>(truth, score_at), found ? question.at("found")[k].at("score").get<float>() : 0);
    }
  }
}

TEST_F(Export, SeismicHasWholeNumbersAsIdsAndShortNames) {
  const Embeddings items = awkward_items();
  const std::string path = write("seismic", items);
  const auto lines = lines_of(path + "/documents.jsonl");
  const auto columns = features(path);
  for (const auto& [key, column] : columns) EXPECT_LE(key.size(), 30U);
  EXPECT_EQ(columns.at("name.6"), 6);
  EXPECT_EQ(columns.at("f7"), 7) << "its name is too long";
  Rows found;
  for (const std::string& line : lines) {
    const json object = json::parse(line);
    EXPECT_EQ(object.at("id"), found.size());
    found.push_back(from_weights(object.at("vector"), columns));
  }
  EXPECT_EQ(found, rows_of(items));
  EXPECT_EQ(lines_of(path + "/queries.jsonl").size(), 10U);
}

TEST_F(Export, SeismicsInnerFormHasTheRows) {
  const Embeddings items = awkward_items();
  const std::string bytes = read_bytes(write("seismic", items) + "/documents.bin");
  size_t at = 0;
  const auto take = [&]<class Number>(Number number) {
    EXPECT_LE(at + sizeof(number), bytes.size());
    std::memcpy(&number, bytes.data() + at, sizeof(number));
    at += sizeof(number);
    return number;
  };
  Rows found(take(uint32_t{}));
  for (auto& row : found) {
    std::vector<uint32_t> columns(take(uint32_t{}));
    for (uint32_t& column : columns) column = take(uint32_t{});
    EXPECT_TRUE(std::ranges::is_sorted(columns));
    for (const uint32_t column : columns) row[column] = take(float{});
  }
  EXPECT_EQ(at, bytes.size());
  EXPECT_EQ(found, rows_of(items));
}

TEST_F(Export, QdrantPointsHaveUuidsForTextsAndTheCollectionKeepsFloats) {
  const Embeddings items = awkward_items(true);
  const std::string path = write("qdrant", items);
  const json collection = json::parse(read_bytes(path + "/collection.json"));
  EXPECT_EQ(collection.at("sparse_vectors").at("features").at("index").at("datatype"), "float32");
  Rows found;
  for (const std::string& part : parts_of(path, "points-")) {
    const json body = json::parse(read_bytes(part));
    for (const json& point : body.at("points")) {
      const auto id = point.at("id").get<std::string>();
      EXPECT_EQ(id.size(), 36U);
      EXPECT_EQ(id[14], '5');
      EXPECT_EQ(point.at("payload").at("id"), items.ids[found.size()]);
      EXPECT_EQ(point.at("payload").at("row"), found.size());
      EXPECT_EQ(point.at("payload").contains("label"), found.size() != 9);
      found.push_back(from_lists(point.at("vector").at("features")));
    }
  }
  EXPECT_EQ(found, rows_of(items));
  const json query = json::parse(read_bytes(path + "/query.json"));
  EXPECT_EQ(query.at("using"), "features");
  EXPECT_EQ(from_lists(query.at("query")), rows_of(items)[0]);
}

TEST_F(Export, MilvusLeavesEmptyItemsOutAndSearchesByInnerProduct) {
  const Embeddings items = awkward_items(true);
  const std::string path = write("milvus", items);
  ASSERT_EQ(summary_.remarks.size(), 1U);
  EXPECT_THAT(summary_.remarks.front(), HasSubstr("1 items without any feature are left out"));
  const json collection = json::parse(read_bytes(path + "/collection.json"));
  const json& index = collection.at("indexParams").at(0);
  EXPECT_EQ(index.at("metricType"), "IP");
  EXPECT_EQ(index.at("indexType"), "SPARSE_INVERTED_INDEX");
  std::map<std::string, std::string> types;
  for (const json& field : collection.at("schema").at("fields")) types[field.at("fieldName")] = field.at("dataType");
  EXPECT_EQ(types, (std::map<std::string, std::string>{
                       {"features", "SparseFloatVector"}, {"key", "VarChar"}, {"label", "VarChar"}}));
  std::map<std::string, std::map<int64_t, float>> found;
  for (const std::string& part : parts_of(path, "insert-")) {
    const json body = json::parse(read_bytes(part));
    EXPECT_EQ(body.at("collectionName"), collection.at("collectionName"));
    for (const json& item : body.at("data")) {
      EXPECT_EQ(item.size(), 3U) << "all fields of the schema and no others";
      found[item.at("key")] = from_weights(item.at("features"), numbers(12));
    }
  }
  EXPECT_EQ(found.size(), 39U);
  const Rows rows = rows_of(items);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i == 3) continue;
    EXPECT_EQ(found.at(items.ids[i]), rows[i]) << i;
  }
}

TEST_F(Export, PgvectorCountsColumnsFromOneAndEscapes) {
  const Embeddings items = awkward_items(true);
  const std::string path = write("pgvector", items);
  const auto lines = lines_of(path + "/items.copy");
  ASSERT_EQ(lines.size(), 40U);
  Rows found;
  for (const std::string& line : lines) {
    std::vector<std::string> fields = {""};
    for (size_t k = 0; k < line.size(); ++k) {
      if (line[k] == '\t') {
        fields.emplace_back();
      } else if (line[k] == '\\') {
        const char next = line[++k];
        fields.back() += next == 't' ? '\t' : next == 'n' ? '\n' : next == 'r' ? '\r' : next == 'N' ? '\0' : next;
      } else {
        fields.back() += line[k];
      }
    }
    ASSERT_EQ(fields.size(), 3U) << line;
    const size_t i = found.size();
    EXPECT_EQ(fields[0], items.ids[i]);
    EXPECT_EQ(fields[1], i == 9 ? std::string(1, '\0') : items.class_names[i % 3]);
    std::map<int64_t, float> row;
    ASSERT_TRUE(fields[2].starts_with("{") && fields[2].ends_with("}/12")) << fields[2];
    std::istringstream entries(fields[2].substr(1, fields[2].size() - 5));
    for (std::string entry; std::getline(entries, entry, ',');) {
      const size_t colon = entry.find(':');
      const int64_t column = std::stoll(entry.substr(0, colon));
      EXPECT_TRUE(row.empty() || row.rbegin()->first < column - 1);
      row[column - 1] = std::strtof(entry.c_str() + colon + 1, nullptr);
    }
    found.push_back(row);
  }
  EXPECT_EQ(found, rows_of(items));
  EXPECT_THAT(read_bytes(path + "/schema.sql"),
              HasSubstr("CREATE TABLE items (key text PRIMARY KEY, label text, features sparsevec(12));"));
  EXPECT_THAT(read_bytes(path + "/index.sql"), HasSubstr("sparsevec_ip_ops"));
}

Rows read_bulk(const std::string& path, const Embeddings& items, const std::map<std::string, int64_t>& columns) {
  Rows found;
  for (const std::string& part : parts_of(path, "bulk-")) {
    const auto lines = lines_of(part);
    EXPECT_EQ(lines.size() % 2, 0U);
    EXPECT_EQ(read_bytes(part).back(), '\n') << "_bulk demands it";
    for (size_t k = 0; k + 1 < lines.size(); k += 2) {
      const json action = json::parse(lines[k]);
      EXPECT_EQ(action.at("index").at("_index"), "items");
      EXPECT_EQ(action.at("index").at("_id"), items.ids[found.size()]);
      const json fields = json::parse(lines[k + 1]);
      for (const auto& [key, weight] : fields.at("features").items()) EXPECT_GT(weight.get<double>(), 0);
      found.push_back(from_weights(fields.at("features"), columns));
    }
  }
  return found;
}

TEST_F(Export, ElasticsearchPrunesNothingAndNamesHaveNoDots) {
  const Embeddings items = awkward_items();
  const std::string path = write("elasticsearch", items);
  const json index = json::parse(read_bytes(path + "/index.json"));
  const json& field = index.at("mappings").at("properties").at("features");
  EXPECT_EQ(field.at("type"), "sparse_vector");
  EXPECT_EQ(field.at("index_options").at("prune"), false);
  const auto columns = features(path);
  EXPECT_EQ(columns.size(), 12U);
  for (const auto& [key, column] : columns) EXPECT_EQ(key.find('.'), std::string::npos) << key;
  EXPECT_EQ(columns.at("name_6"), 5) << "the first that is called so";
  EXPECT_EQ(columns.at("f6"), 6);
  EXPECT_EQ(read_bulk(path, items, columns), rows_of(items));
  const json query = json::parse(read_bytes(path + "/query.json")).at("query").at("sparse_vector");
  EXPECT_EQ(query.at("prune"), false);
  EXPECT_EQ(from_weights(query.at("query_vector"), columns), rows_of(items)[0]);
}

TEST_F(Export, OpensearchCeilingsAreTheLargestWeight) {
  const Embeddings items = awkward_items();
  const std::string path = write("opensearch", items);
  EXPECT_EQ(read_bulk(path, items, numbers(12)), rows_of(items));
  const json exact = json::parse(read_bytes(path + "/index.json"));
  EXPECT_EQ(exact.at("mappings").at("properties").at("features").at("type"), "rank_features");
  const json approximate = json::parse(read_bytes(path + "/index-ann.json"));
  EXPECT_EQ(approximate.at("settings").at("index").at("sparse"), true);
  const json& method = approximate.at("mappings").at("properties").at("features").at("method");
  EXPECT_EQ(method.at("name"), "seismic");
  EXPECT_EQ(method.at("parameters").at("quantization_ceiling_ingest").get<float>(), 123456.79F);
  EXPECT_EQ(method.at("parameters").at("quantization_ceiling_search").get<float>(), 123456.79F);
  const json query = json::parse(read_bytes(path + "/query.json"));
  EXPECT_TRUE(query.at("query").at("neural_sparse").at("features").contains("query_tokens"));
}

TEST_F(Export, OpensearchHasNoApproximateIndexBeyondItsFeatures) {
  Embeddings wide;
  wide.features = SparseMatrix(1, 40'000, {0, 1}, {39'999}, {0.5F});
  const std::string path = write("opensearch", wide);
  EXPECT_FALSE(fs::exists(path + "/index-ann.json"));
  EXPECT_EQ(summary_.remarks.size(), 1U);
}

TEST_F(Export, VespaFeedsMappedTensors) {
  const Embeddings items = awkward_items(true);
  const std::string path = write("vespa", items);
  Rows found;
  for (const std::string& line : lines_of(path + "/feed.jsonl")) {
    const json put = json::parse(line);
    EXPECT_EQ(put.at("put"), "id:items:items::" + items.ids[found.size()]);
    found.push_back(from_weights(put.at("fields").at("features").at("cells"), numbers(12)));
  }
  EXPECT_EQ(found, rows_of(items));
  const std::string schema = read_bytes(path + "/app/schemas/items.sd");
  EXPECT_THAT(schema, HasSubstr("field features type tensor<float>(feature{})"));
  EXPECT_THAT(schema, HasSubstr("sum(query(q) * attribute(features))"));
  EXPECT_EQ(std::ranges::count(schema, '{'), std::ranges::count(schema, '}'));
  EXPECT_THAT(read_bytes(path + "/app/services.xml"), HasSubstr("<document type=\"items\" mode=\"index\"/>"));
  EXPECT_THAT(json::parse(read_bytes(path + "/query.json")).at("input.query(q)").get<std::string>(),
              HasSubstr("{{feature:"));
}

TEST_F(Export, PlainFormsHaveEveryEntry) {
  const Embeddings items = awkward_items(true);
  const std::string lines = write("jsonl", items);
  Rows found;
  for (const std::string& line : lines_of(lines + "/items.jsonl")) {
    const json object = json::parse(line);
    EXPECT_EQ(object.at("id"), items.ids[found.size()]);
    found.push_back(from_lists(object));
  }
  EXPECT_EQ(found, rows_of(items));
  Rows entries(40);
  for (const io::CsvRow& row : io::read_csv(write("csv", items) + "/entries.csv")) {
    if (row.line > 1) {
      entries[std::stoul(row.cells[0])][std::stoll(row.cells[1])] = std::strtof(row.cells[2].c_str(), nullptr);
    }
  }
  EXPECT_EQ(entries, rows_of(items));
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
