#include "orthant/core/assignment.h"

#include <cmath>
#include <limits>

#include "orthant/core/error.h"

namespace orthant {

std::vector<int64_t> assign(const Matrix64& cost) {
  const int64_t rows = cost.rows();
  const int64_t cols = cost.cols();
  check(rows <= cols, "[assign] expected no more rows than columns, got ", rows, " x ", cols);
  for (const double value : cost.values()) check(std::isfinite(value), "[assign] expected finite costs, got ", value);
  const auto at = [](auto& vector, int64_t i) -> auto& { return vector[static_cast<size_t>(i)]; };
  // Column 0 is a sentinel that holds the row being placed; rows count from 1, so that 0 means free.
  std::vector<double> row_price(static_cast<size_t>(rows) + 1, 0.0);
  std::vector<double> col_price(static_cast<size_t>(cols) + 1, 0.0);
  std::vector<int64_t> row_of(static_cast<size_t>(cols) + 1, 0);
  std::vector<int64_t> before(static_cast<size_t>(cols) + 1, 0);
  for (int64_t row = 1; row <= rows; ++row) {
    std::vector<double> slack(static_cast<size_t>(cols) + 1, std::numeric_limits<double>::infinity());
    std::vector<char> visited(static_cast<size_t>(cols) + 1, 0);
    int64_t col = 0;
    row_of[0] = row;
    while (at(row_of, col) != 0) {
      at(visited, col) = 1;
      const int64_t i = at(row_of, col);
      double least = std::numeric_limits<double>::infinity();
      int64_t next = 0;
      for (int64_t j = 1; j <= cols; ++j) {
        if (at(visited, j)) continue;
        const double reduced = cost(i - 1, j - 1) - at(row_price, i) - at(col_price, j);
        if (reduced < at(slack, j)) {
          at(slack, j) = reduced;
          at(before, j) = col;
        }
        if (at(slack, j) < least) {
          least = at(slack, j);
          next = j;
        }
      }
      for (int64_t j = 0; j <= cols; ++j) {
        if (at(visited, j)) {
          at(row_price, at(row_of, j)) += least;
          at(col_price, j) -= least;
        } else {
          at(slack, j) -= least;
        }
      }
      col = next;
    }
    while (col != 0) {
      const int64_t previous = at(before, col);
      at(row_of, col) = at(row_of, previous);
      col = previous;
    }
  }
  std::vector<int64_t> column_of(static_cast<size_t>(rows), -1);
  for (int64_t j = 1; j <= cols; ++j) {
    if (at(row_of, j) != 0) at(column_of, at(row_of, j) - 1) = j - 1;
  }
  return column_of;
}

}  // namespace orthant
