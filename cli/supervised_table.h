#pragma once

#include <string>

#include "orthant/run/supervised_result.h"

namespace orthant::cli {

// A result for people: accuracy, per class where there are few, and the tables of corruptions and of other data.
std::string result_table(const SupervisedResult& result);

}  // namespace orthant::cli
