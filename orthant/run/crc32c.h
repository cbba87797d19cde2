#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace orthant {

// CRC-32C (Castagnoli), the checksum of TensorBoard's records and of checkpoints. `before` is the checksum of what
// came before, so that pieces can be summed one after the other. Written by hand: zlib's crc32() is of another
// polynomial, and Debian 12 has no package of a CRC-32C library.
uint32_t crc32c(std::span<const std::byte> bytes, uint32_t before = 0);
uint32_t crc32c(std::string_view text, uint32_t before = 0);

}  // namespace orthant
