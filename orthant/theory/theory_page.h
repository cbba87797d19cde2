#pragma once

#include <string>

#include "orthant/theory/theorems.h"

namespace orthant::theory {

// The report as one HTML page, complete in itself: no script, no network, pictures as inline SVG, light or dark as the
// reader's system is. Every text of the report is escaped. Nothing is written to disk here.
std::string theory_page(const TheoryReport& report);

}  // namespace orthant::theory
