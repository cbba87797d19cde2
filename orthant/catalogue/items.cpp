#include "orthant/catalogue/items.h"

#include "orthant/core/error.h"

namespace orthant::catalogue {

void Items::validate() const {
  const size_t count = ids.size();
  check(labels.empty() || labels.size() == count, "[items] expected ", count, " labels or none, got ", labels.size());
  for (size_t i = 0; i < labels.size(); ++i) {
    check(labels[i] >= -1 && labels[i] < static_cast<int64_t>(classes.size()), "[items] expected label ", i,
          " to be -1 or one of ", classes.size(), " classes, got ", labels[i]);
  }
  check(texts.empty() || texts.size() == count, "[items] expected texts of ", count, " items or none, got ",
        texts.size());
  check(rows.size() == (pictures ? count : 0), "[items] expected a picture for each of ", count, " items or none, got ",
        rows.size());
  for (const int64_t row : rows) {
    check(row >= 0 && row < pictures->size(), "[items] expected pictures from 0 to ", pictures->size() - 1, ", got ",
          row);
  }
}

}  // namespace orthant::catalogue
