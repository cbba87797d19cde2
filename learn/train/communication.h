#pragma once

#include <cstdint>

#include "learn/group/group.h"

namespace orthant {

// What lies between processes.
struct Wire {
  double bytes_per_second = 1.25e9;  // of each process, in and out at the same time
  double latency = 50e-6;            // seconds that a message takes whatever its size
};

// What one step waits for the wire.
struct Communication {
  double gathers = 0;  // seconds, of rows and of sums in the middle of the pass: nothing else can be done meanwhile
  double sums = 0;     // of gradients, which go on while the backward pass runs
};

// By a model of Gloo's rings: of n bytes of each of W ranks, a gather takes W - 1 messages of n bytes one after the
// other, a sum 2 (W - 1) messages of n / W. `step`: what one rank has to tell in a step.
Communication communication_of(const Traffic& step, int64_t size, const Wire& wire);

// How long a step takes that computes for `seconds`: a third of that is forward, and the sums of gradients hide behind
// half of it, which is the backward pass without the layer that is reached last.
double step_seconds(double seconds, const Communication& communication);

}  // namespace orthant
