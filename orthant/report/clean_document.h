#pragma once

#include <string>

#include "orthant/catalogue/catalogue.h"

namespace orthant::report {

// Items that a person should look at, as JSON for the page's clean view (docs/api.md): at most 1,000 of each kind. Of
// more than 60,000 items, {"left_out": why} alone. May take seconds.
std::string clean_document(const catalogue::Catalogue& run, int threads = 0);

}  // namespace orthant::report
