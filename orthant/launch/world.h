#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

namespace orthant {

// Where this process stands among those that work on one thing together. The default is a process on its own.
struct World {
  int64_t rank = 0;        // 0 .. size - 1; rank 0 writes what is written once
  int64_t size = 1;        // processes on all machines
  int64_t local_rank = 0;  // among those on this machine
  int64_t local_size = 1;  // at least local_rank + 1, where the launcher does not tell
  // Where they meet: a file that all of them can open (those that launch() started), or the host and port of rank 0.
  std::string file = {};
  std::string address = {};
  int64_t port = 0;
  bool kept_by_launcher = false;  // the launcher, not rank 0, answers at that address and port (torchrun)
  int64_t restart = 0;            // how often the whole was started before
  std::string launcher = {};      // "orthant", "environment", "torchrun", "slurm", "openmpi"; empty: none

  bool operator==(const World&) const = default;
};

// The value of an environment variable, or nothing if there is none.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// The world that the launcher of this process describes by its environment. The first of these that is there counts:
//
//   ORTHANT_GROUP_FILE                       launch(): RANK, WORLD_SIZE and their local kin, meeting in that file
//   RANK, WORLD_SIZE                         torchrun, and whoever sets what it sets; MASTER_ADDR and MASTER_PORT too
//   OMPI_COMM_WORLD_RANK, ..._SIZE           mpirun of Open MPI
//   SLURM_PROCID, SLURM_STEP_NUM_TASKS       srun; the first host of SLURM_STEP_NODELIST is that of rank 0
//
// For the last two MASTER_ADDR and MASTER_PORT win over what is derived: 127.0.0.1 where all processes are on one
// machine, and a port from 20,000 to 29,999 by the number of the job. Without any of them, or with a size of 1, a
// process on its own. std::invalid_argument that names the variable if one is missing, malformed or contradicts
// another.
World read_world(const Environment& environment);

// read_world() of this process.
World world_of_this_process();

// The first host of a list as Slurm writes it: "node[07-09,12],other" is node07. std::invalid_argument if there is
// none.
std::string first_host(const std::string& list);

// Another process of the world is gone or does not answer; the message names it.
class PeerLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The exit code by which a process tells launch() that it ended because of a PeerLost, and may well be started again.
constexpr int kPeerLostCode = 75;

}  // namespace orthant
