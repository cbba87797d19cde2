#include "orthant/catalogue/explanation.h"

#include <algorithm>
#include <cmath>

namespace orthant::catalogue {
namespace {

void add_entry(RowEntries& entries, int64_t column, float value) {
  if (value == 0) return;
  entries.columns.push_back(static_cast<int32_t>(column));
  entries.values.push_back(value);
  entries.norm += static_cast<double>(value) * value;
}

}  // namespace

RowEntries row_entries(const Features& features, int64_t row) {
  RowEntries entries;
  features.visit_row(row, [&](int64_t column, float value) { add_entry(entries, column, value); });
  entries.norm = std::sqrt(entries.norm);
  return entries;
}

RowEntries row_entries(std::span<const float> row) {
  RowEntries entries;
  for (size_t j = 0; j < row.size(); ++j) add_entry(entries, static_cast<int64_t>(j), row[j]);
  entries.norm = std::sqrt(entries.norm);
  return entries;
}

Explanation explain(const RowEntries& a, const RowEntries& b) {
  Explanation result;
  const double scale = a.norm * b.norm;
  if (scale == 0) return result;
  for (size_t i = 0, j = 0; i < a.columns.size() && j < b.columns.size();) {
    if (a.columns[i] < b.columns[j]) {
      ++i;
    } else if (a.columns[i] > b.columns[j]) {
      ++j;
    } else {
      const double contribution = static_cast<double>(a.values[i]) * b.values[j] / scale;
      if (contribution != 0) result.parts.push_back({a.columns[i], a.values[i], b.values[j], contribution});
      ++i;
      ++j;
    }
  }
  std::ranges::sort(result.parts, [](const ExplanationPart& x, const ExplanationPart& y) {
    const double left = std::abs(x.contribution);
    const double right = std::abs(y.contribution);
    return left != right ? left > right : x.feature < y.feature;
  });
  for (const ExplanationPart& part : result.parts) result.score += part.contribution;
  return result;
}

}  // namespace orthant::catalogue
