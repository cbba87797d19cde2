#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace orthant {

// CRC-32C (Castagnoli), the checksum of TensorBoard's records and of checkpoints. `before` is the checksum of what
// came before, so that pieces can be summed one after the other.
uint32_t crc32c(std::span<const std::byte> bytes, uint32_t before = 0);
uint32_t crc32c(std::string_view text, uint32_t before = 0);

}  // namespace orthant
