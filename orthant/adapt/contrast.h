#pragma once

#include <cstdint>
#include <span>

#include "orthant/adapt/codes.h"

namespace orthant::adapt {

// Which rows of a batch belong together. Borrowed; one of them, or none: each row to a copy of itself.
struct Together {
  std::span<const int64_t> classes = {};   // rows of one class; -1: to none
  std::span<const int32_t> partners = {};  // row i to row partners[i], and back
  std::span<const uint8_t> sides = {};     // with partners: rows are compared with those of the other side alone
};

// InfoNCE on the codes of a batch, scaled to unit length, with s_ij their cosines:
//
//   L = -mean_i log( sum_{p of i} e^(s_ip / T) / sum_{j != i} e^(s_ij / T) )
//
// and with copies, as CSR's two identical passes, e^(1/T) / (e^(1/T) + 2 sum_{j != i} e^(s_ij / T)). Rows whose code is
// zero, or that nothing belongs to, have no term of their own. Adds weight * dL/dz to the slopes of the entries that
// are on (near), and returns L. Similarities are computed feature by feature over the rows where it is on; of [B, B]
// one row exists at a time. The same for any number of threads.
double contrast(BatchCodes& codes, int64_t features, const Together& together, double temperature, double weight,
                int threads);

}  // namespace orthant::adapt
