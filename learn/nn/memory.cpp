#include "learn/nn/memory.h"

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

}  // namespace orthant
