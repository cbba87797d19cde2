#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/exchange/exported.h"
#include "tests/exchange/items.h"
#include "tests/support/temporary_folder.h"

namespace orthant::exchange {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::awkward_items;
using test::read_bytes;
using test::Rows;
using test::rows_of;
using ::testing::HasSubstr;

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

}  // namespace
}  // namespace orthant::exchange
