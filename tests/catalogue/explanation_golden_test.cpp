#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "orthant/catalogue/explanation.h"

namespace orthant::catalogue {
namespace {

using nlohmann::json;

constexpr double kRounding = 1e-12;

json golden_cases() {
  std::ifstream file(ORTHANT_GOLDEN_DIR "/catalogue/explain.json");
  return json::parse(file);
}

// The two rows of a case as they are stored, zeros and all.
SparseMatrix stored_rows(const json& one) {
  std::vector<int64_t> indptr = {0};
  std::vector<int32_t> indices;
  std::vector<float> values;
  for (const char* row : {"a", "b"}) {
    for (const json& entry : one[row]) {
      indices.push_back(entry[0]);
      values.push_back(entry[1]);
    }
    indptr.push_back(std::ssize(indices));
  }
  return {2, one["features"], std::move(indptr), std::move(indices), std::move(values)};
}

void expect_golden(const RowEntries& a, const RowEntries& b, const json& one) {
  EXPECT_NEAR(a.norm, one["norms"][0], kRounding * a.norm);
  EXPECT_NEAR(b.norm, one["norms"][1], kRounding * b.norm);
  const Explanation why = explain(a, b);
  EXPECT_NEAR(why.score, one["score"], kRounding);
  ASSERT_EQ(why.parts.size(), one["parts"].size());
  for (size_t k = 0; k < why.parts.size(); ++k) {
    const json& part = one["parts"][k];
    EXPECT_EQ(why.parts[k].feature, part["feature"]);
    EXPECT_EQ(why.parts[k].a, part["a"].get<float>());
    EXPECT_EQ(why.parts[k].b, part["b"].get<float>());
    EXPECT_NEAR(why.parts[k].contribution, part["contribution"], kRounding);
  }
}

TEST(ExplanationGolden, SparseDenseAndForeignRowsAreExplainedAsByNumPy) {
  const json cases = golden_cases();
  ASSERT_GE(cases.size(), 16U);
  for (const json& one : cases) {
    SCOPED_TRACE(one["name"].get<std::string>());
    const SparseMatrix sparse = stored_rows(one);
    const Matrix dense = sparse.to_dense();
    expect_golden(row_entries(sparse, 0), row_entries(sparse, 1), one);
    expect_golden(row_entries(dense, 0), row_entries(dense, 1), one);
    expect_golden(row_entries(dense.row(0)), row_entries(dense.row(1)), one);
  }
}

}  // namespace
}  // namespace orthant::catalogue
