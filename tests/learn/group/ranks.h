#pragma once

#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "learn/group/gloo_peers.h"
#include "tests/support/temporary_folder.h"

namespace orthant::test {

// Does `work` on as many ranks, each a thread of this process with its own place in one group, which Gloo does not tell
// from processes. Rethrows what the first rank threw that did not just miss another.
inline void in_ranks(int64_t size, const std::function<void(const Group& group)>& work, double timeout = 60) {
  const TemporaryFolder folder;
  std::vector<std::exception_ptr> failures(static_cast<size_t>(size));
  std::vector<std::thread> ranks;
  for (int64_t rank = 0; rank < size; ++rank) {
    ranks.emplace_back([&, rank] {
      try {
        const World world{.rank = rank, .size = size, .file = folder / "group", .launcher = "test"};
        const Group group = join_group(world, {.timeout = std::chrono::duration<double>(timeout)});
        try {
          work(group);
        } catch (const PeerLost&) {
          throw;
        } catch (const std::exception& error) {
          group.leave(error.what());
          throw;
        }
      } catch (...) {
        failures[static_cast<size_t>(rank)] = std::current_exception();
      }
    });
  }
  for (std::thread& rank : ranks) rank.join();
  std::exception_ptr lost;
  for (const std::exception_ptr& failure : failures) {
    if (!failure) continue;
    try {
      std::rethrow_exception(failure);
    } catch (const PeerLost&) {
      if (!lost) lost = failure;
    }
  }
  if (lost) std::rethrow_exception(lost);
}

}  // namespace orthant::test
