#include "orthant/exchange/question.h"

#include "orthant/exchange/rows.h"
#include "orthant/search/neighbours.h"

namespace orthant::exchange {
namespace {

std::vector<int64_t> spread_rows(const Features& features) {
  std::vector<int64_t> rows;
  std::vector<Entry> entries;
  for (int64_t q = 0; q < kQuestions; ++q) {
    const int64_t from = features.rows() / kQuestions * q + features.rows() % kQuestions * q / kQuestions;
    for (int64_t i = std::max(from, rows.empty() ? 0 : rows.back() + 1); i < features.rows(); ++i) {
      read_row(features, i, 0, entries);
      if (entries.empty()) continue;
      rows.push_back(i);
      break;
    }
  }
  return rows;
}

}  // namespace

std::vector<Question> ask(const Features& features, int threads) {
  const std::vector<int64_t> rows = spread_rows(features);
  if (rows.empty()) return {};
  std::vector<int64_t> indptr = {0};
  std::vector<int32_t> indices;
  std::vector<float> values;
  std::vector<Entry> entries;
  for (const int64_t i : rows) {
    read_row(features, i, 0, entries);
    for (const Entry& entry : entries) {
      indices.push_back(static_cast<int32_t>(entry.column));
      values.push_back(entry.value);
    }
    indptr.push_back(std::ssize(indices));
  }
  const SparseMatrix queries(std::ssize(rows), features.cols(), indptr, indices, values);
  const search::Neighbours found = search::neighbours(
      features, queries, {.k = kAnswers, .metric = search::Metric::inner_product, .threads = threads});
  std::vector<Question> questions;
  for (int64_t q = 0; q < std::ssize(rows); ++q) {
    Question question{.row = rows[static_cast<size_t>(q)], .answers = {}};
    for (int64_t k = 0; k < found.k(); ++k) {
      if (found.scores(q, k) > 0) question.answers.push_back({found.indices(q, k), found.scores(q, k)});
    }
    questions.push_back(std::move(question));
  }
  return questions;
}

}  // namespace orthant::exchange
