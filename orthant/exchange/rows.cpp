#include "orthant/exchange/rows.h"

#include <cmath>

namespace orthant::exchange {

void read_row(const Features& features, int64_t i, float least, std::vector<Entry>& entries) {
  entries.clear();
  features.visit_row(i, [&](int64_t column, float value) {
    if (value != 0 && std::abs(value) >= least) entries.push_back({column, value});
  });
}

Survey survey_rows(const Features& features) {
  Survey survey;
  for (int64_t i = 0; i < features.rows(); ++i) {
    int64_t count = 0;
    features.visit_row(i, [&](int64_t column, float value) {
      if (value == 0) return;
      ++count;
      survey.tiny += std::abs(value) < std::numeric_limits<float>::min() ? 1 : 0;
      if (survey.entries + count == 1 || value > survey.largest) survey.largest = value;
      if (survey.entries + count == 1 || value < survey.smallest) {
        survey.smallest = value;
        survey.smallest_row = i;
        survey.smallest_column = column;
      }
    });
    survey.entries += count;
    survey.empty_rows += count == 0 ? 1 : 0;
    if (count > survey.longest) {
      survey.longest = count;
      survey.longest_row = i;
    }
  }
  return survey;
}

}  // namespace orthant::exchange
