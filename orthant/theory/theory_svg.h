#pragma once

#include <string>
#include <vector>

#include "orthant/theory/theorems.h"

// The drawings of theory_page(), as HTML fragments whose colours are CSS variables of the page.

namespace orthant::theory {

// Text made safe for HTML, in elements and in quoted attributes.
std::string escape_html(const std::string& text);

struct ChartOptions {
  std::string title;
  std::string x_label;
  std::string y_label;
  bool logarithmic_x = false;
  bool from_zero = false;            // whether the y axis starts at 0, rather than a little below the smallest value
  std::vector<double> x_ticks = {};  // empty: the points of the first curve
};

// Lines with bands from the smallest to the largest world, a legend, and the numbers in a table that unfolds.
// Nothing if there are no curves.
std::string line_chart(const std::vector<Curve>& curves, const ChartOptions& options);

// The points of the curves alone, each with x values of its own, and a legend. Nothing if there are no points.
std::string dot_chart(const std::vector<Curve>& dots, const ChartOptions& options);

// Factors as a heat map: rows are samples by home class (every n-th if there are many), columns are dimensions,
// positive and negative values have different colours.
std::string heat_map(const FactorPicture& picture, const std::vector<int64_t>& homes);

}  // namespace orthant::theory
