#include "orthant/io/sparse_npz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orthant/core/rng.h"
#include "orthant/io/npz_entry.h"
#include "tests/io/golden.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::io {
namespace {

using test::golden;
using test::message_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;

SparseMatrix small() { return {3, 4, {0, 2, 2, 4}, {1, 3, 0, 3}, {1.5F, 2, 3, -4.25F}}; }

template <class T>
Array column(std::vector<T> values) {
  const auto length = static_cast<int64_t>(values.size());
  return array_from(std::move(values), {length});
}

TEST(SparseNpz, ReadsWhatScipyWrites) {
  for (const std::string file : {"csr_f4", "csr_f8_stored", "csr_wide_indices", "csr_unsorted", "csr_text_format"}) {
    EXPECT_EQ(read_sparse_npz(golden(file + ".npz")), small()) << file;
  }
  EXPECT_EQ(read_sparse_npz(golden("csr_i8.npz")).values()[0], 1.0F);
}

TEST(SparseNpz, RefusesOtherFormsWithAdvice) {
  for (const std::string form : {"csc", "coo", "bsr"}) {
    EXPECT_THAT(message_of([&] { read_sparse_npz(golden("refused_" + form + ".npz")); }),
                HasSubstr("expected a sparse matrix in csr form, got '" + form + "'; save it with"));
  }
  EXPECT_THAT(message_of([] { read_sparse_npz(golden("refused_csr_twice.npz")); }), HasSubstr("sum_duplicates()"));
  EXPECT_THAT(message_of([] { read_sparse_npz(golden("stored.npz")); }), HasSubstr("expected an array 'format'"));
}

TEST(SparseNpz, RoundTripsRandomMatrices) {
  const TemporaryFolder folder;
  Rng rng(5);
  for (int trial = 0; trial < 20; ++trial) {
    Matrix dense(static_cast<int64_t>(rng.below(20)), static_cast<int64_t>(rng.below(20)));
    for (float& value : dense.mutable_values()) value = rng.bernoulli(0.3) ? static_cast<float>(rng.normal()) : 0.0F;
    const auto sparse = SparseMatrix::from_dense(dense);
    write_sparse_npz(folder / "a.npz", sparse);
    EXPECT_EQ(read_sparse_npz(folder / "a.npz"), sparse);
  }
}

TEST(SparseNpz, RefusesInconsistentArrays) {
  const TemporaryFolder folder;
  const auto message = [&](std::vector<int64_t> shape, std::vector<int64_t> indptr, std::vector<int64_t> indices,
                           std::vector<float> data) {
    write_sparse_npz(folder / "good.npz", small());
    // The same archive with other arrays: "format" cannot be written as an Array, so it is taken over in bytes.
    const Npz good = Npz::open(folder / "good.npz");
    EXPECT_TRUE(is_sparse_npz(good));
    std::vector<NpzEntry> entries = {npz_entry("shape", column(shape)), npz_entry("indptr", column(indptr)),
                                     npz_entry("indices", column(indices)), npz_entry("data", column(data))};
    const Array arrays[] = {column(shape), column(indptr), column(indices), column(data)};
    for (size_t i = 0; i < 4; ++i) entries[i].elements = arrays[i].bytes;
    const std::string csr = "csr";
    entries.push_back({"format", npy_header_text("|S3", {}), std::as_bytes(std::span(csr))});
    write_npz_entries(folder / "bad.npz", entries, {});
    return message_of([&] { read_sparse_npz(folder / "bad.npz"); });
  };
  EXPECT_THAT(message({1, 4}, {0, 1}, {3}, {1}), HasSubstr("nothing was thrown"));
  EXPECT_THAT(message({1, 4}, {0, 1}, {4}, {1}), HasSubstr("expected column indices from 0 to 4 - 1, got 4"));
  EXPECT_THAT(message({1, 4}, {0, 1}, {-1}, {1}), HasSubstr("got -1"));
  EXPECT_THAT(message({1, 4}, {0, 1}, {int64_t{1} << 32}, {1}), HasSubstr("got 4294967296"));
  EXPECT_THAT(message({2, 4}, {0, 9, 1}, {3}, {1}), HasSubstr("expected entries that rise from 0 to 1"));
  EXPECT_THAT(message({2, 4}, {0, -5, 1}, {3}, {1}), HasSubstr("rise from 0"));
  EXPECT_THAT(message({1, 4}, {0, 2}, {3}, {1}), HasSubstr("rise from 0"));
  EXPECT_THAT(message({2, 4}, {0, 1}, {3}, {1}), HasSubstr("expected 2 + 1 entries, got 2"));
  EXPECT_THAT(message({0, 4}, {}, {}, {}), HasSubstr("expected 0 + 1 entries, got 0"));
  EXPECT_THAT(message({1, 4}, {0, 1}, {3, 2}, {1}), HasSubstr("expected as many indices as values"));
  EXPECT_THAT(message({1, -4}, {0, 1}, {3}, {1}), HasSubstr("got (1, -4)"));
  EXPECT_THAT(message({1}, {0, 1}, {3}, {1}), HasSubstr("got (1,)"));
  EXPECT_THAT(message({1, int64_t{1} << 40}, {0, 1}, {3}, {1}), HasSubstr("up to 2^31-1 columns"));
}

}  // namespace
}  // namespace orthant::io
