#pragma once

#include <string>

#include "orthant/data/dataset.h"

namespace orthant {

// Fashion-MNIST (Xiao et al., 2017) as Debian's package dataset-fashion-mnist installs it: 60,000 pictures for "train",
// 10,000 for "test", 28x28 grey, ten classes. IoError that names the package if it is not installed.
DatasetPtr open_fashion(const std::string& split);

}  // namespace orthant
