#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orthant/io/array.h"

namespace orthant::io {

// The first part of a .npy file: "\x93NUMPY", version 1, 2 or 3, and a Python dictionary that describes the elements.
struct NpyHeader {
  std::string descr;  // such as "<f4"; "" for a structured type
  bool fortran_order = false;
  std::vector<int64_t> shape;  // none negative, product not overflowing
  size_t data_offset = 0;      // where the elements begin
};

// Bytes at the front that are enough for any header that is accepted.
constexpr size_t kMaxNpyHeader = size_t{1} << 16;

// Reads the header at the front of `bytes`, which may be cut off behind it. Throws IoError naming `name` if it is not
// one, is cut off, or is longer than kMaxNpyHeader.
NpyHeader parse_npy_header(std::span<const std::byte> bytes, const std::string& name);

// A version 1.0 header, padded so that the elements begin at a multiple of 64 bytes, as NumPy does.
std::string npy_header_text(std::string_view descr, std::span<const int64_t> shape);

// True if `bytes` begin as a .npy file does.
bool looks_like_npy(std::span<const std::byte> bytes);

}  // namespace orthant::io
