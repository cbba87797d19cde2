#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace orthant::io {

// True if `bytes` begin as a gzip file does.
bool looks_like_gzip(std::span<const std::byte> bytes);

// Decompresses a gzip file of one or more members, verifying checksums. `name` is for messages. Throws IoError if the
// data is damaged, cut off, followed by something else than zeros, or longer than `max_bytes`; memory grows with what
// has been decompressed, never with what the file promises.
std::vector<std::byte> gunzip(std::span<const std::byte> bytes, const std::string& name, size_t max_bytes);

// Compresses to a gzip file of one member, at zlib's `level` (1 fast .. 9 small). The same bytes give the same file:
// no name, no time. IoError if there is no memory.
std::vector<std::byte> gzip(std::span<const std::byte> bytes, int level = 6);

}  // namespace orthant::io
