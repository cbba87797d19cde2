#pragma once

#include <vector>

#include "orthant/disentangle/mutual_information.h"

namespace orthant::disentangle {

// Whether each code depends on one factor only (Ridgeway and Mozer, 2018): 1 - sum_{j != best} m_j^2 / (m_best^2 (K-1))
// for a code with informations m_1..m_K.
struct ModularityScore {
  double modularity = 0;        // mean over the codes with m_best > 0; 0 if there is none
  int64_t informed_codes = 0;   // how many these are
  std::vector<double> by_code;  // [D] 0 for a code that knows nothing of any factor
};

// With one factor there is nothing to be mixed with: 1 for every informed code.
ModularityScore modularity(const InformationTable& table);

}  // namespace orthant::disentangle
