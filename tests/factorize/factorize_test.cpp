#include "orthant/factorize/factorize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/linalg/products.h"
#include "tests/linalg/random_matrix.h"

namespace orthant::factorize {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Factorize, EverySolverLowersTheErrorOfASymmetricTarget) {
  const Matrix64 factor = random_matrix(40, 3, 1, 0.4);
  const Target a(naive_product(factor, factor));
  for (const std::string& solver : solver_names()) {
    const Factorization result = factorize(a, solver, {.rank = 3, .max_iterations = 3000, .tolerance = 1e-9});
    EXPECT_LT(relative_error(a, result), 0.05) << solver;
    EXPECT_EQ(result.h.rows() == 0, solver.starts_with("sym-") || solver == "eigen") << solver;
  }
}

TEST(Factorize, RelativeErrorEqualsTheResiduals) {
  const Matrix64 a = random_matrix(20, 12, 2, 0.5);
  const Factorization result = factorize(a, "mu", {.rank = 3, .max_iterations = 5});
  const Matrix64 x = naive_product(result.w, result.h);
  Matrix64 residual = a;
  for (int64_t i = 0; i < a.size(); ++i) residual.mutable_data()[i] -= x.data()[i];
  EXPECT_NEAR(relative_error(a, result), std::sqrt(linalg::squared_norm(residual) / linalg::squared_norm(a)), 1e-12);
  EXPECT_EQ(relative_error(Matrix64(20, 12), result), 0);
}

TEST(Factorize, RejectsUnknownSolvers) {
  EXPECT_THAT([] { factorize(Matrix64(2, 2), "magic"); }, ThrowsMessage<std::invalid_argument>(HasSubstr("got magic")));
}

TEST(Memberships, ByHand) {
  EXPECT_THAT(memberships(Matrix64(4, 2, {1, 3, 0, 0, 2, 2, -5, 1})),
              ElementsAre(Membership{1, 0.75}, Membership{-1, 0}, Membership{0, 0.5}, Membership{1, 1}));
}

}  // namespace
}  // namespace orthant::factorize
