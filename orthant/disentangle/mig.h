#pragma once

#include <vector>

#include "orthant/disentangle/mutual_information.h"

namespace orthant::disentangle {

// Gaps between the code that knows most of a factor and the runner-up: large if one code alone stands for the factor.
struct MigScore {
  double mig = 0;                 // mean over factors of the gap / the factor's entropy, 0..1
  double rmig = 0;                // mean over factors of the gap, in nats
  double jemmig = 0;              // mean over factors of H(best code, factor) - gap, in nats; smaller is better
  std::vector<double> by_factor;  // [K] gap / entropy; 0 for a constant factor, which the means leave out
};

// MIG (Chen et al., 2018), and RMIG and JEMMIG (Do and Tran, 2020), from one table. With one code the runner-up has 0;
// among equal best codes the first is used. No code, or no factor that varies: all 0.
MigScore mig(const InformationTable& table);

}  // namespace orthant::disentangle
