#pragma once

#include <cstdint>
#include <functional>

namespace orthant {

// The number of threads to use: `requested` if positive, otherwise what the machine offers this process
// (OMP_NUM_THREADS and the CPU affinity are respected).
int resolve_threads(int requested);

// Runs body(begin, end) over [0, count) in pieces of at most `grain` items on resolve_threads(threads) threads of the
// OpenMP pool, and returns when all are done. Pieces are handed out in order, but which thread takes which is not
// defined: a body must not depend on it. The first exception is rethrown here; pieces not begun by then are skipped.
void parallel_for(int64_t count, int64_t grain, int threads,
                  const std::function<void(int64_t begin, int64_t end)>& body);

}  // namespace orthant
