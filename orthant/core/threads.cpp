#include "orthant/core/threads.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>

namespace orthant {

namespace {

// Asked for before main: LibTorch, as some build it, sets the number of OpenMP's threads to one in its first operation.
const int kOffered = omp_get_max_threads();

}  // namespace

int resolve_threads(int requested) { return requested > 0 ? requested : kOffered; }

void parallel_for(int64_t count, int64_t grain, int threads,
                  const std::function<void(int64_t begin, int64_t end)>& body) {
  grain = std::max<int64_t>(grain, 1);
  const int64_t pieces = count <= 0 ? 0 : (count - 1) / grain + 1;
  const auto workers = static_cast<int>(std::min<int64_t>(resolve_threads(threads), pieces));
  std::exception_ptr error;
  std::atomic<bool> failed = false;
#pragma omp parallel for schedule(dynamic, 1) num_threads(std::max(workers, 1))
  for (int64_t piece = 0; piece < pieces; ++piece) {
    if (failed.load(std::memory_order_relaxed)) continue;
    try {
      body(piece * grain, std::min(count, (piece + 1) * grain));
    } catch (...) {
      if (!failed.exchange(true)) error = std::current_exception();
    }
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace orthant
