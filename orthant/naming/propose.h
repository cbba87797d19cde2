#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/core/features.h"
#include "orthant/naming/concepts.h"

namespace orthant::naming {

struct ProposeOptions {
  int64_t most = 100;     // strongest items of a feature that are looked at
  double sharpness = 10;  // of the softmax over concepts
  uint64_t seed = 0;      // of the random features that tell what chance gives
  int threads = 0;        // 0: what the machine offers; results do not depend on it
};

// What a feature may be called.
struct Proposal {
  std::string name = {};    // empty: nothing to go by, the feature is on for no item
  double score = 0;         // nats for each item
  double chance = 0;        // what 5 of 100 sets of as many random items reach with their best name
  std::string second = {};  // the next best name, and its score
  double second_score = 0;
  int64_t items = 0;  // looked at

  bool operator==(const Proposal&) const = default;
};

// A name for each feature [N, D] out of the concepts [N, V], by the SoftWPMI rule of CLIP-Dissect. With
// P_it = softmax over t of sharpness * score_it, and items i_1 .. i_n the strongest of feature k (rows at unit length)
// with weights p_1 = 0.998 down to p_n = 0.97 in equal steps,
//
//   l(k, t) = mean over r of log(1 + p_r (P_{i_r t} - 1) + 1e-7)
//   score(k, t) = l(k, t) - log mean over features of exp l(., t)
//
// so a name counts for what the feature has more of than features have on the whole. CLIP-Dissect takes the sum over
// items where this takes the mean: at a hundred items a sum makes the second term its own largest one, and all names
// that a feature happens to be first for score alike. Features that are on for no item have no name. Equal scores: the
// earlier concept. Memory: 4 D V bytes. std::invalid_argument if the concepts are not of as many items.
std::vector<Proposal> propose_names(const Features& features, const Concepts& concepts,
                                    const ProposeOptions& options = {});

}  // namespace orthant::naming
