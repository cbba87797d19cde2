#include "orthant/shards/row_store.h"

#include <gmock/gmock.h>

#include <cmath>

#include "orthant/core/rng.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::shards {
namespace {

using test::message_of;
using ::testing::HasSubstr;

// About `share` of the entries are not 0, and a few are -0.
Matrix random_matrix(int64_t rows, int64_t cols, double share) {
  Rng rng({.seed = 3});
  Matrix matrix(rows, cols);
  for (float& x : matrix.mutable_values()) {
    const double draw = rng.uniform(0, 1);
    x = draw < share ? static_cast<float>(rng.normal()) : draw > 0.99 ? -0.0F : 0.0F;
  }
  return matrix;
}

Matrix dense_of(const std::variant<Matrix, SparseMatrix>& held) {
  return std::holds_alternative<Matrix>(held) ? std::get<Matrix>(held) : std::get<SparseMatrix>(held).to_dense();
}

bool same_bits(const Matrix& a, const Matrix& b) {
  return a.size() == b.size() && std::ranges::equal(std::as_bytes(a.values()), std::as_bytes(b.values()));
}

// In memory, and with a limit so low that all goes through files.
const std::vector<SpoolOptions> kWays = {{}, {.memory = 64}};

TEST(RowStore, IsTheSparseMatrixOfItsRowsWhereThatIsSmaller) {
  const Matrix matrix = random_matrix(50, 40, 0.1);
  for (const SpoolOptions& way : kWays) {
    RowStore store(way);
    for (int64_t i = 0; i < 50; ++i) store.append(matrix.row(i));
    EXPECT_EQ(store.rows(), 50);
    const auto held = store.finish(40);
    ASSERT_TRUE(std::holds_alternative<SparseMatrix>(held));
    EXPECT_EQ(std::get<SparseMatrix>(held), SparseMatrix::from_dense(matrix));
  }
}

TEST(RowStore, IsTheDenseMatrixToTheBitWhereThatIsSmaller) {
  const Matrix matrix = random_matrix(50, 40, 0.8);
  for (const SpoolOptions& way : kWays) {
    RowStore store(way);
    for (int64_t i = 0; i < 50; ++i) store.append(matrix.row(i));
    const auto held = store.finish(40);
    ASSERT_TRUE(std::holds_alternative<Matrix>(held));
    EXPECT_TRUE(same_bits(std::get<Matrix>(held), matrix)) << "-0 is kept";
  }
}

TEST(RowStore, LosesNothingIfZerosAreKeptEvenThroughTwoStores) {
  for (const double share : {0.05, 0.45, 0.55, 0.9}) {
    const Matrix matrix = random_matrix(30, 50, share);
    RowStore first;
    for (int64_t i = 0; i < 30; ++i) first.append(matrix.row(i));
    const auto part = first.finish(50, {.keep_zeros = true});
    RowStore second;
    for (int64_t i = 0; i < 30; ++i) {
      if (const auto* sparse = std::get_if<SparseMatrix>(&part)) {
        second.append(sparse->row(i));
      } else {
        second.append(std::get<Matrix>(part).row(i));
      }
    }
    RowStore direct;
    for (int64_t i = 0; i < 30; ++i) direct.append(matrix.row(i));
    EXPECT_TRUE(same_bits(dense_of(second.finish(50)), dense_of(direct.finish(50)))) << share;
  }
}

TEST(RowStore, PutsRowsInAnotherOrder) {
  for (const double share : {0.1, 0.9}) {
    const Matrix matrix = random_matrix(7, 30, share);
    for (const SpoolOptions& way : kWays) {
      RowStore store(way);
      for (int64_t i = 0; i < 7; ++i) store.append(matrix.row(i));
      const Matrix turned = dense_of(store.finish(30, {.order = [](int64_t i) { return 6 - i; }}));
      for (int64_t i = 0; i < 7; ++i) EXPECT_TRUE(std::ranges::equal(turned.row(i), matrix.row(6 - i)));
    }
  }
}

TEST(RowStore, MayBeEmpty) {
  EXPECT_EQ(dense_of(RowStore().finish(0)).rows(), 0);
  RowStore zeros;
  for (int i = 0; i < 3; ++i) zeros.append(std::vector<float>(5));
  EXPECT_EQ(dense_of(zeros.finish(5)), Matrix(3, 5));
}

TEST(RowStore, KeepsNaN) {
  RowStore store;
  store.append(std::vector<float>{0, NAN, 0, 0, 0, 0, 0, 0});
  EXPECT_TRUE(std::isnan(dense_of(store.finish(8))(0, 1)));
}

TEST(RowStore, RefusesRowsThatAreTooLong) {
  RowStore store;
  store.append(std::vector<float>{0, 0, 1});
  EXPECT_THAT(message_of([&] { store.finish(2); }), HasSubstr("expected rising column indices below 2"));
}

TEST(Spool, NamesAFolderThatItCannotWriteTo) {
  Spool spool({.folder = "/nowhere/at/all", .memory = 4});
  EXPECT_THAT(message_of([&] { spool.append(std::as_bytes(std::span("long enough"))); }),
              HasSubstr("[/nowhere/at/all] expected a folder for temporary files, got: no such file"));
}

TEST(Spool, LeavesNothingBehind) {
  const test::TemporaryFolder folder;
  Spool spool({.folder = folder.path(), .memory = 4});
  spool.append(std::as_bytes(std::span("long enough")));
  const Spool::Held held = spool.take();
  EXPECT_EQ(held.bytes.size(), sizeof("long enough"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace orthant::shards
