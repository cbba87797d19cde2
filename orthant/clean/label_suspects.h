#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/clean/clean.h"
#include "orthant/clean/judge.h"

namespace orthant::clean {

// Labels that the judgement finds unlikely, the unlikeliest first; `facts` are filled in. Items that `skip` are left
// out.
std::vector<Suspect> label_suspects(const Features& features, std::span<const int64_t> labels,
                                    const Judgement& judgement, const std::vector<bool>& skip,
                                    const CleanOptions& options, LabelFacts& facts);

}  // namespace orthant::clean
