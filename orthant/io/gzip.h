#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace orthant::io {

// True if `bytes` begin as a gzip file does.
bool looks_like_gzip(std::span<const std::byte> bytes);

// Decompresses a gzip file of one or more members, verifying checksums. `name` is for messages. Throws IoError if the
// data is damaged, cut off, followed by something else than zeros, or longer than `max_bytes`; memory grows with what
// has been decompressed, never with what the file promises.
//
// `promised`, if given, is called once, with the first kGzipHead bytes or more as soon as there are so many, and says
// how long the content claims to be: longer content is refused as soon as it is, so that a small file cannot fill the
// memory behind a modest header. It may throw, which ends the matter.
constexpr size_t kGzipHead = 64;
using PromisedBytes = std::function<size_t(std::span<const std::byte> head)>;
std::vector<std::byte> gunzip(std::span<const std::byte> bytes, const std::string& name, size_t max_bytes,
                              const PromisedBytes& promised = {});

// Compresses to a gzip file of one member, at zlib's `level` (1 fast .. 9 small). The same bytes give the same file:
// no name, no time. IoError if there is no memory.
std::vector<std::byte> gzip(std::span<const std::byte> bytes, int level = 6);

}  // namespace orthant::io
