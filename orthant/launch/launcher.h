#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace orthant {

struct LaunchOptions {
  int64_t processes = 2;
  int64_t restarts = 0;  // how often all of them are started again after one was killed or lost
  int64_t threads = 1;   // of each process: its OMP_NUM_THREADS
  double grace = 8;      // seconds that the others have to end by themselves once one has failed
};

// What leaves launch() while it works; each may be empty.
struct LaunchListener {
  // A line that a process wrote to stderr, or to stdout unless it is rank 0, without its end.
  std::function<void(int64_t rank, std::string_view text)> line = {};
  // What the launcher itself has to say: who ended how, and what comes of it.
  std::function<void(const std::string& text)> tell = {};
  // A signal that all processes should be told of, or 0; each one that it gives is passed on once.
  std::function<int()> signal = {};
};

// Starts `processes` processes of `program` with `arguments` (those behind its name) on this machine and waits for
// them. Each finds its place in its environment (see read_world()); they meet in a file that has no name and goes with
// the last of them, so nothing listens on a port for it. Rank 0 has this process's stdout.
//
// Once one has failed (ended by a signal or with another exit code than 0) the others have `grace` to end by
// themselves, which they do as soon as they miss it, and are then killed. If nothing but signals and lost peers
// (kPeerLostCode) had ended them, all are started again, at most `restarts` times, with TORCHELASTIC_RESTART_COUNT one
// higher each time. They also end, by SIGTERM, when the launcher is killed.
//
// Returns 0, the first exit code of a process that failed by itself, 1 for a lost peer, or 128 + signal. IoError if a
// process cannot be started. Not while other threads of this process work.
int launch(const std::string& program, const std::vector<std::string>& arguments, const LaunchOptions& options,
           const LaunchListener& listener = {});

}  // namespace orthant
