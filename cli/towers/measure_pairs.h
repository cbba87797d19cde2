#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/frame/command.h"
#include "orthant/measure/report.h"
#include "orthant/pairing/pair_report.h"

namespace orthant::cli {

// The measures of pairs of each run with two towers, whose embeddings of the test split are made if they are missing;
// or of two files of embeddings, the first of items, the second of what belongs to them by id. Classes are those of the
// first, or of the file `labels` if it is given. std::invalid_argument for anything else, or pairs that do not fit.
std::vector<measure::MeasureReport> pair_reports(const std::vector<std::string>& inputs, const std::string& labels,
                                                 const pairing::PairOptions& options, const Common& common);

// The reports side by side for a person, each beside its chance levels. Ends with a line feed.
std::string pair_table(std::span<const measure::MeasureReport> reports, std::span<const std::string> names);

}  // namespace orthant::cli
