#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace orthant::index {

// A 64-bit checksum that reads as fast as memory gives: eight lanes, each word mixed into its lane by a step that can
// be undone, so that a change within one word never goes unnoticed. docs/formats.md has it to the bit. No protection
// against someone who wants to deceive.
uint64_t checksum(std::span<const std::byte> bytes);

}  // namespace orthant::index
