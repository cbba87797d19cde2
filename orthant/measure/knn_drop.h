#pragma once

#include "orthant/measure/report.h"

namespace orthant::measure {

// Adds knn_drop to the report of other data: how much of the k-NN accuracy of `own`, a model's own test items, is lost
// on them. Both must have searched a bank, the same one if the number is to mean anything; where a report did not, a
// warning says why there is no drop. Nothing where k-NN was not asked for or could not be computed.
void add_knn_drop(MeasureReport& report, const MeasureReport& own);

}  // namespace orthant::measure
