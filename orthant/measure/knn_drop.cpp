#include "orthant/measure/knn_drop.h"

#include <algorithm>

namespace orthant::measure {
namespace {

bool searched_bank(const Measure& knn) {
  return std::ranges::any_of(knn.parameters, [](const auto& parameter) {
    return parameter.first == "searched" && to_string(parameter.second) == "bank";
  });
}

}  // namespace

void add_knn_drop(MeasureReport& report, const MeasureReport& own) {
  const ListedMeasure& listing = listed("knn-accuracy");
  const auto knn = std::ranges::find(report.measures, listing.id, &Measure::id);
  const auto before = std::ranges::find(own.measures, listing.id, &Measure::id);
  if (knn == report.measures.end() || before == own.measures.end()) return;
  if (!searched_bank(*knn) || !searched_bank(*before)) {
    report.warnings.emplace_back("k-NN looked among the items themselves, so no drop is taken: that needs a bank");
    return;
  }
  const ListedKey& key = listing.expect("knn_drop");
  knn->values.push_back({key.key, before->values.front().value - knn->values.front().value, key.unit});
}

}  // namespace orthant::measure
