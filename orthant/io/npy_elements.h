#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "orthant/io/npy_header.h"

namespace orthant::io {

// Bytes of one element as the file stores it: of uint8, int32, int64, float32 and float64, which an Array holds as they
// are, and of int8, int16, uint16, uint32 and float16, which become the next wider of these. IoError naming `name` for
// any other type and for big-endian numbers, saying what to do.
size_t npy_item_size(const NpyHeader& header, const std::string& name);

// The elements behind a header. Shares `bytes` where array_over() would and nothing has to be changed; elements of
// other types are converted and Fortran order is turned into C order, in memory of its own. IoError naming `name` for
// the types above, or unless `bytes` is exactly as long as the header says.
Array npy_array(const NpyHeader& header, std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                const std::string& name);

}  // namespace orthant::io
