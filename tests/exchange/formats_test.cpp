#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "orthant/io/csv.h"
#include "tests/exchange/exported.h"
#include "tests/exchange/items.h"
#include "tests/support/temporary_folder.h"

namespace orthant::exchange {
namespace {

using nlohmann::json;
using test::awkward_items;
using test::read_bytes;
using test::Rows;
using test::rows_of;

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

}  // namespace
}  // namespace orthant::exchange
