#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "orthant/core/embeddings.h"

namespace orthant::exchange {

// BigANN's sparse matrix: little-endian int64 rows, columns, entries; int64 indptr[rows + 1]; int32 columns[entries];
// float32 values[entries]; nothing else. Rows that are not sorted are sorted, zeros are left out. IoError naming `name`
// for sizes that the bytes do not bear out, columns that are out of range or twice in a row, and values that are NaN or
// infinite.
Embeddings parse_csr(std::span<const std::byte> bytes, const std::string& name);

// How many bytes such a file has by its first 24; IoError if these are no sizes.
size_t promised_csr_bytes(std::span<const std::byte> head, const std::string& name);

}  // namespace orthant::exchange
