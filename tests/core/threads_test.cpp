#include "orthant/core/threads.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace orthant {
namespace {

TEST(ParallelFor, VisitsEveryItemOnce) {
  for (const int threads : {1, 2, 8}) {
    for (const int64_t count : {0, 1, 7, 1000}) {
      for (const int64_t grain : {0, 1, 3, 5000}) {
        std::vector<std::atomic<int>> visits(static_cast<size_t>(count));
        parallel_for(count, grain, threads, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) ++visits[static_cast<size_t>(i)];
        });
        for (const auto& v : visits) EXPECT_EQ(v, 1);
      }
    }
  }
}

TEST(ParallelFor, RethrowsAnExceptionOfTheBody) {
  const auto fail = [](int64_t begin, int64_t) {
    if (begin == 500) throw std::runtime_error("item 500");
  };
  EXPECT_THROW(parallel_for(1000, 1, 4, fail), std::runtime_error);
}

TEST(ParallelFor, NegativeCountIsNothing) {
  parallel_for(-3, 1, 2, [](int64_t, int64_t) { FAIL(); });
}

TEST(ResolveThreads, TakesWhatIsAskedForOrWhatIsThere) {
  EXPECT_EQ(resolve_threads(3), 3);
  EXPECT_GE(resolve_threads(0), 1);
}

TEST(ResolveThreads, AllIsAllThatWasOfferedAtTheStartWhateverALibrarySetsLater) {
  const int offered = resolve_threads(0);
  const int before = omp_get_max_threads();
  omp_set_num_threads(offered + 1);
  const int found = resolve_threads(0);
  omp_set_num_threads(before);
  EXPECT_EQ(found, offered);
}

}  // namespace
}  // namespace orthant
