#pragma once

#include <chrono>

#include "learn/group/group.h"
#include "orthant/launch/world.h"

namespace orthant {

struct GroupOptions {
  std::chrono::duration<double> timeout = std::chrono::seconds(18);  // after which a rank that stays away is given up
};

// The group that `world` describes, by LibTorch's Gloo: comes back when all ranks are there. Of one process a group of
// one. Connections are made on loopback where the world meets in a file, otherwise on the address of this machine from
// which that of rank 0 is reached, or on the interface that GLOO_SOCKET_IFNAME names. PeerLost that names the ranks
// that did not come within four times the timeout; IoError if this machine refuses.
Group join_group(const World& world, const GroupOptions& options = {});

// A stand-in for a group of `size` ranks, of which this process is rank 0 and all others do and have the same: nothing
// is sent, but counted. For planning what a group will take.
Group rehearsed_group(int64_t size);

}  // namespace orthant
