#include "orthant/exchange/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "orthant/core/error.h"
#include "orthant/exchange/csr_file.h"
#include "orthant/exchange/export.h"
#include "orthant/exchange/json_lines.h"
#include "orthant/io/embeddings_file.h"
#include "tests/exchange/items.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::exchange {
namespace {

using test::message_of;
using test::rows_of;
using ::testing::HasSubstr;

std::string golden(const std::string& name) { return std::string(ORTHANT_GOLDEN_DIR) + "/exchange/" + name; }

TEST(Import, ReadsWhatOtherProgramsWrote) {
  const Embeddings expected = io::read_embeddings(golden("expected.npy"));
  for (const char* name : {"bigann.csr", "bigann.csr.gz", "unsorted.csr", "scipy.npz", "lists.jsonl"}) {
    const Embeddings found = import_file(golden(name));
    EXPECT_EQ(rows_of(found), rows_of(expected)) << name;
    EXPECT_EQ(found.cols(), expected.cols()) << name;
    EXPECT_EQ(found.how.at("imported_from"), golden(name));
  }
}

TEST(Import, JsonLinesKeepIdsAndClasses) {
  const Embeddings found = import_file(golden("lists.jsonl"));
  EXPECT_EQ(found.ids[3], "item 3");
  EXPECT_EQ(found.class_names, (std::vector<std::string>{"ant", "bee", "owl"}));
  EXPECT_EQ(found.labels, (std::vector<int64_t>{2, 0, -1, 2, 0, 1, 2, 0, 1}));
}

TEST(Import, NamesOfFeaturesBecomeColumns) {
  const Embeddings found = import_file(golden("seismic.jsonl"));
  ASSERT_EQ(found.feature_names.size(), 7U);
  EXPECT_EQ(found.feature_names[2], "word2");
  EXPECT_EQ(rows_of(found), rows_of(io::read_embeddings(golden("expected.npy"))));
  EXPECT_EQ(found.ids[8], "8");
}

TEST(Import, NumbersAndOurOwnNamesAreColumnsThemselves) {
  for (const char* prefix : {"", "f"}) {
    const std::string text = std::string(R"({"vector": {")") + prefix + R"(5": 0.5, ")" + prefix + R"(0": 2}})";
    const Embeddings found = parse_json_lines(text, "x.jsonl");
    EXPECT_EQ(found.cols(), 6);
    EXPECT_TRUE(found.feature_names.empty());
    EXPECT_EQ(rows_of(found), (test::Rows{{{0, 2.0F}, {5, 0.5F}}}));
  }
}

TEST(Import, ExportsComeBack) {
  const test::TemporaryFolder folder;
  const Embeddings items = test::awkward_items();
  for (const auto& [to, file] : {std::pair("jsonl", "items.jsonl"), std::pair("bigann", "base.csr")}) {
    export_embeddings(items, folder / to, {.to = to});
    const Embeddings back = import_file(folder / to + "/" + file);
    EXPECT_EQ(rows_of(back), rows_of(items)) << to;
  }
  const Embeddings back = import_file(folder / "jsonl/items.jsonl", {.dims = 12});
  EXPECT_EQ(back.ids, items.ids);
  EXPECT_EQ(back.cols(), 12);
}

// The format has no mark, so sizes may look like one: 123 is '{', 19280 "PK", 35615 gzip's.
TEST(Import, MatricesOfAnySizeComeBack) {
  const test::TemporaryFolder folder;
  for (const auto& [rows, cols] : {std::pair(123, 5), std::pair(4, 123), std::pair(19280, 2), std::pair(35615, 1)}) {
    Matrix values(rows, cols);
    for (int64_t i = 0; i < rows; ++i) values.mutable_row(i)[static_cast<size_t>(i % cols)] = 1;
    Embeddings items;
    items.features = SparseMatrix::from_dense(values);
    const std::string to = folder / std::to_string(rows);
    export_embeddings(items, to, {.to = "bigann"});
    const Embeddings back = import_file(to + "/base.csr");
    EXPECT_EQ(back.rows(), rows);
    EXPECT_EQ(back.cols(), cols);
  }
}

TEST(Import, NestedVectorsEmptyLinesAndZerosAreUnderstood) {
  const std::string text =
      "\n{\"sparse_values\": {\"indices\": [3, 1], \"values\": [1, 0]}}\r\n\n"
      "{\"features\": {\"indices\": [], \"values\": []}, \"more\": [1, {\"a\": 2}]}";
  const Embeddings found = parse_json_lines(text, "x.jsonl", {.dims = 9});
  EXPECT_EQ(found.cols(), 9);
  EXPECT_EQ(rows_of(found), (test::Rows{{{3, 1.0F}}, {}}));
}

TEST(Import, RefusesLinesThatAreNoVectors) {
  const std::pair<const char*, const char*> kCases[] = {
      {"", "expected a line of JSON for each item, got none"},
      {"{}", "expected \"indices\" and \"values\", or \"vector\", got neither in line 1"},
      {"\n[1]", "expected a JSON object, got array in line 2"},
      {"{\"indices\": [1]", "expected a JSON object, got no JSON in line 1"},
      {R"({"indices": [1], "values": []})", "expected as many \"values\" as \"indices\" (1), got 0 in line 1"},
      {R"({"indices": [1]})", "got none in line 1"},
      {R"({"indices": [-1], "values": [1]})", "expected indices from 0 to 2147483646, got -1 in line 1"},
      {R"({"indices": [2147483647], "values": [1]})", "got 2147483647 in line 1"},
      {R"({"indices": [99999999999999999999], "values": [1]})", "expected whole numbers as indices"},
      {R"({"indices": [1.5], "values": [1]})", "expected whole numbers as indices, got 1.5 in line 1"},
      {R"({"indices": [1, 1], "values": [1, 2]})", "expected each column once in a row, got 1 twice in row 0"},
      {R"({"indices": [1], "values": ["a"]})", "expected numbers as values, got string in line 1"},
      {R"({"indices": [1], "values": [1e300]})", "expected values that a float can hold"},
      {R"({"vector": [1, 2]})", "expected an object as \"vector\", got array in line 1"},
      {R"({"vector": {"a": {}}})", "expected numbers as values, got object"},
      {R"({"vector": {"": 1}})", "expected names of features, got an empty one"},
      {R"({"id": 1.5, "indices": [], "values": []})", "expected a text or a whole number as \"id\", got number"},
      {R"({"label": [], "indices": [], "values": []})", "expected a text or a whole number as \"label\", got array"},
      {"{\"id\": 1, \"vector\": {\"a\": 1}}\n{\"vector\": {\"a\": 1}}",
       "expected \"id\" for all items or for none, got none in line 2"},
      {"{\"vector\": {\"a\": 1}}\n{\"indices\": [], \"values\": []}", "expected vectors of one kind"},
  };
  for (const auto& [text, message] : kCases) {
    EXPECT_THAT(message_of([&, t = text] { parse_json_lines(t, "x.jsonl"); }), HasSubstr(message)) << text;
    EXPECT_THROW(parse_json_lines(text, "x.jsonl"), IoError);
  }
  EXPECT_THAT(message_of([] { parse_json_lines(R"({"indices": [5], "values": [1]})", "x", {.dims = 5}); }),
              HasSubstr("expected indices from 0 to 4, got 5"));
}

std::string csr(std::vector<int64_t> head, std::vector<int32_t> columns, std::vector<float> values) {
  std::string bytes;
  bytes.append(reinterpret_cast<const char*>(head.data()), head.size() * 8);
  bytes.append(reinterpret_cast<const char*>(columns.data()), columns.size() * 4);
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * 4);
  return bytes;
}

TEST(Import, RefusesMatricesWhoseNumbersDoNotFit) {
  const auto refusal = [](const std::string& bytes) {
    return message_of([&] { parse_csr(std::as_bytes(std::span(bytes)), "x.csr"); });
  };
  EXPECT_EQ(refusal(csr({1, 4, 1, 0, 1}, {2}, {1})), "nothing was thrown");
  EXPECT_THAT(refusal("abc"),
              HasSubstr("expected a sparse matrix of BigANN (.csr), JSON lines or a .npz, got 3 bytes"));
  EXPECT_THAT(refusal(csr({-1, 4, 1, 0, 1}, {2}, {1})), HasSubstr("expected the sizes of a sparse matrix"));
  EXPECT_THAT(refusal(csr({INT64_MAX, 4, INT64_MAX}, {}, {})), HasSubstr("expected the sizes of a sparse matrix"));
  EXPECT_THAT(refusal(csr({1, int64_t{1} << 31, 1, 0, 1}, {2}, {1})), HasSubstr("expected the sizes"));
  EXPECT_THAT(refusal(csr({1, 4, 2, 0, 1}, {2}, {1})), HasSubstr("expected 56 bytes for 1 rows and 2 entries, got 48"));
  EXPECT_THAT(refusal(csr({1, 4, 1, 0, 1}, {2}, {1}) + "x"), HasSubstr("expected 48 bytes"));
  EXPECT_THAT(refusal(csr({1, 4, 1, 1, 1}, {2}, {1})), HasSubstr("expected rows to start at 0, got 1"));
  EXPECT_THAT(refusal(csr({2, 4, 1, 0, 1, 0}, {2}, {1})), HasSubstr("expected the end of row 1 from 1 to 1, got 0"));
  EXPECT_THAT(refusal(csr({1, 4, 1, 0, 0}, {2}, {1})), HasSubstr("expected rows to end at 1, got 0"));
  EXPECT_THAT(refusal(csr({1, 4, 1, 0, 1}, {4}, {1})), HasSubstr("expected columns below 4, got 4 in row 0"));
  EXPECT_THAT(refusal(csr({1, 4, 2, 0, 2}, {2, 2}, {1, 1})), HasSubstr("got 2 twice in row 0"));
  EXPECT_THAT(refusal(csr({1, 4, 1, 0, 1}, {2}, {INFINITY})), HasSubstr("expected finite values, got inf in row 0"));
}

TEST(Import, SaysWhatNeedsNoImport) {
  EXPECT_THAT(message_of([] { import_file(golden("expected.npy")); }), HasSubstr("which every command reads as it is"));
  EXPECT_THAT(message_of([] { import_file(golden("bigann.csr"), {.dims = 8}); }),
              HasSubstr("expected 8 features, got 7"));
  EXPECT_THAT(message_of([] { import_file(golden("none.csr")); }), HasSubstr("none.csr"));
}

}  // namespace
}  // namespace orthant::exchange
