#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "orthant/core/matrix.h"
#include "orthant/io/array.h"

namespace orthant::io {

// NumPy's .npy: one array. Read: versions 1 to 3, little-endian integers of up to 32 bits, int64, float16, float32 and
// float64, in C or Fortran order; npy_elements.h says which become others. Everything else is refused with IoError that
// says what was found; so is a file with fewer or more bytes than its header promises, before anything is allocated.

// The array in a file, memory-mapped where its elements may stay as they are: nothing is read until it is touched. The
// array keeps the mapping alive.
Array read_npy(const std::string& path);

// The same of bytes in memory, called `name` in messages. The array shares `bytes` if `owner` keeps them alive and
// they are aligned, and is a copy otherwise.
Array parse_npy(std::span<const std::byte> bytes, const std::string& name, std::shared_ptr<const void> owner);

// Writes a version 1.0 file, atomically. Opens with numpy.load.
void write_npy(const std::string& path, const Array& array);

// A 2-D array of float32, mapped without copying, or of float64, converted.
Matrix read_npy_matrix(const std::string& path);

}  // namespace orthant::io
