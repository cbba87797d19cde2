#pragma once

#include <span>
#include <string>
#include <vector>

#include "orthant/measure/report.h"

namespace orthant::cli {

// Reports side by side for a person: a line per value, a column per report headed by its name, and what the number
// says; below, what was skipped and why, and warnings. Ends with a line feed.
std::string measure_table(std::span<const measure::MeasureReport> reports, std::span<const std::string> names);

}  // namespace orthant::cli
