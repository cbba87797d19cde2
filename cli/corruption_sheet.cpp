#include "cli/corruption_sheet.h"

#include "orthant/corrupt/corrupt.h"

namespace orthant::cli {

std::vector<SheetRow> corruption_rows(const Image& picture, uint64_t seed, int64_t item) {
  std::vector<SheetRow> rows;
  for (const corrupt::Kind& kind : corrupt::names()) {
    SheetRow row{kind.name, {}};
    for (const int severity : kShownSeverities) {
      const corrupt::Corruption corruption{kind.name, severity};
      row.images.push_back(corrupt::apply(picture, corruption, corrupt::stream(corruption, seed, item)));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace orthant::cli
