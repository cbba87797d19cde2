#pragma once

#include <cstdint>

namespace orthant {

// A piece of [0, items).
struct Share {
  int64_t first = 0;
  int64_t count = 0;

  bool operator==(const Share&) const = default;
};

// The piece that is part `part` of `parts`: all of them together are everything, in order, and their sizes differ by
// one at most. 0 <= part < parts.
inline Share share_of(int64_t items, int64_t part, int64_t parts) {
  const int64_t first = items * part / parts;
  return {first, items * (part + 1) / parts - first};
}

}  // namespace orthant
