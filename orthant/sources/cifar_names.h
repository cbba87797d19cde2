#pragma once

#include <string>
#include <vector>

namespace orthant {

// The names of the classes by label, as the data sets' authors list them.
std::vector<std::string> cifar10_names();
std::vector<std::string> cifar100_fine_names();
std::vector<std::string> cifar100_coarse_names();

}  // namespace orthant
