#include "orthant/disentangle/mig.h"

#include <cstddef>

namespace orthant::disentangle {

MigScore mig(const InformationTable& table) {
  MigScore score;
  score.by_factor.assign(table.entropy.size(), 0);
  if (table.information.rows() == 0) return score;
  int64_t varying = 0;
  for (size_t k = 0; k < table.entropy.size(); ++k) {
    if (table.entropy[k] <= 0) continue;
    const auto factor = static_cast<int64_t>(k);
    ++varying;
    int64_t best = 0;
    double second = 0;
    for (int64_t i = 1; i < table.information.rows(); ++i) {
      const double x = table.information(i, factor);
      if (x > table.information(best, factor)) {
        second = table.information(best, factor);
        best = i;
      } else if (x > second) {
        second = x;
      }
    }
    const double gap = table.information(best, factor) - second;
    score.by_factor[k] = gap / table.entropy[k];
    score.mig += score.by_factor[k];
    score.rmig += gap;
    score.jemmig += table.joint_entropy(best, factor) - gap;
  }
  if (varying == 0) return score;
  score.mig /= static_cast<double>(varying);
  score.rmig /= static_cast<double>(varying);
  score.jemmig /= static_cast<double>(varying);
  return score;
}

}  // namespace orthant::disentangle
