#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orthant/core/image.h"
#include "orthant/core/rng.h"

namespace orthant::corrupt {

// Pictures outside the distribution that a model was trained on: the corruptions of CIFAR-10-C and stand-ins for
// drawings and paintings. docs/corruptions.md has the rule and the parameters of each.

enum class Group {
  common,    // the fifteen that the mean corruption error is taken over
  extra,     // four more, which the benchmark keeps for validation
  stand_in,  // sketch and stylised
};

// A kind of corruption, for a listing.
struct Kind {
  std::string name;         // "fog"
  std::string description;  // one line, no full stop
  Group group = Group::common;
};

constexpr int kSeverities = 5;

// A kind at a severity from 1 (slight) to kSeverities.
struct Corruption {
  std::string name;
  int severity = 3;

  bool operator==(const Corruption&) const = default;
};

// All kinds, in the order in which to show them: noise, blur, weather, digital, the extra ones, the stand-ins.
const std::vector<Kind>& names();

// What a user calls NAME:SEVERITY, or NAME alone, which means severity 3. std::invalid_argument, whose message lists
// the names, for anything else.
Corruption parse(std::string_view text);

// "NAME:SEVERITY", which parse() understands.
std::string to_string(const Corruption& corruption);

// The random numbers of one picture: a stream of its own for every (seed, item, corruption), so that a data set is
// corrupted in the same way in any order and on any number of threads. `item` is below 2^48.
Rng stream(const Corruption& corruption, uint64_t seed, int64_t item);

// The corrupted picture, of the same size and channels. Lengths that the rules state for pictures of 32 x 32 grow with
// the shorter side. The same picture, corruption and state of `rng` give the same bytes. Safe from several threads.
// std::invalid_argument for a corruption that parse() would refuse, or an image without pixels, or of other than 1 or 3
// channels.
Image apply(const Image& image, const Corruption& corruption, Rng rng);

}  // namespace orthant::corrupt
