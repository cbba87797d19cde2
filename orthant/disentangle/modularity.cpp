#include "orthant/disentangle/modularity.h"

#include <algorithm>

namespace orthant::disentangle {

ModularityScore modularity(const InformationTable& table) {
  ModularityScore score;
  const int64_t factors = table.information.cols();
  for (int64_t i = 0; i < table.information.rows(); ++i) {
    double sum = 0;
    double best = 0;
    for (const double m : table.information.row(i)) {
      sum += m * m;
      best = std::max(best, m * m);
    }
    score.by_code.push_back(0);
    if (best <= 0) continue;
    ++score.informed_codes;
    score.by_code.back() = factors == 1 ? 1 : 1 - (sum - best) / (best * static_cast<double>(factors - 1));
    score.modularity += score.by_code.back();
  }
  if (score.informed_codes > 0) score.modularity /= static_cast<double>(score.informed_codes);
  return score;
}

}  // namespace orthant::disentangle
