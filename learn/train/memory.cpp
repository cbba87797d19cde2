#include "learn/train/memory.h"

#include <climits>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace orthant {

void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

void return_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLarge = 1 << 20;
  constexpr int kMostBlocks = 65536;  // glibc's own limit
  mallopt(M_MMAP_MAX, kMostBlocks);
  mallopt(M_MMAP_THRESHOLD, kLarge);
  mallopt(M_TRIM_THRESHOLD, kLarge);
#endif
}

}  // namespace orthant
