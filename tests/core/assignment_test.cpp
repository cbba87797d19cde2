#include "orthant/core/assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "orthant/core/rng.h"

namespace orthant {
namespace {

Matrix64 random_matrix(int64_t rows, int64_t cols, uint64_t seed) {
  Matrix64 matrix(rows, cols);
  Rng rng(seed);
  for (double& value : matrix.mutable_values()) value = rng.normal();
  return matrix;
}

double cost_of(const Matrix64& cost, const std::vector<int64_t>& columns) {
  double sum = 0;
  for (size_t i = 0; i < columns.size(); ++i) sum += cost(static_cast<int64_t>(i), columns[i]);
  return sum;
}

// The least cost over all injections of rows into columns, by trying every permutation of the columns.
double least_cost(const Matrix64& cost) {
  std::vector<int64_t> columns(static_cast<size_t>(cost.cols()));
  std::iota(columns.begin(), columns.end(), 0);
  double least = 1e300;
  do {
    least = std::min(least, cost_of(cost, {columns.begin(), columns.begin() + cost.rows()}));
  } while (std::ranges::next_permutation(columns).found);
  return least;
}

TEST(Assign, FindsTheLeastCostOfAllPermutations) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const auto rows = static_cast<int64_t>(1 + seed % 6);
    const auto cols = std::min<int64_t>(rows + static_cast<int64_t>(seed % 3), 7);
    const Matrix64 cost = random_matrix(rows, cols, seed);
    const auto columns = assign(cost);
    EXPECT_NEAR(cost_of(cost, columns), least_cost(cost), 1e-12) << rows << " x " << cols;
    auto unique = columns;
    std::ranges::sort(unique);
    EXPECT_EQ(std::ranges::adjacent_find(unique), unique.end());
  }
}

TEST(Assign, CopesWithTiesAndNothing) {
  EXPECT_EQ(assign(Matrix64(0, 0)).size(), 0u);
  EXPECT_EQ(assign(Matrix64(0, 3)).size(), 0u);
  EXPECT_EQ(assign(Matrix64(3, 3)).size(), 3u);
}

TEST(Assign, RefusesMoreRowsThanColumnsAndCostsThatAreNoNumber) {
  EXPECT_THROW(assign(Matrix64(3, 2)), std::invalid_argument);
  EXPECT_THROW(assign(Matrix64(1, 2, {0, NAN})), std::invalid_argument);
}

}  // namespace
}  // namespace orthant
