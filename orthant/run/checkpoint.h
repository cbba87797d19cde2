#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "orthant/io/safetensors.h"

namespace orthant {

// Everything that a run needs to go on as if it had never stopped: tensors by name, and facts as text.
struct Checkpoint {
  std::map<std::string, io::Tensor> tensors;
  std::map<std::string, std::string> facts;

  // IoError if there is none of that name, or no number that is at least zero.
  const io::Tensor& tensor(const std::string& name) const;
  int64_t number(const std::string& name) const;
};

// The checkpoints of a run: folder/step-000000000120.safetensors, each with a checksum of all it holds. A file appears
// whole or not at all, and the one before it stays until the new one is on disk, so that a kill at any moment, a full
// disk or a damaged file costs at most the work since the checkpoint before.
//
// Writes the checkpoint of `step` and then removes all but the last two, and any of a later step (they belong to a
// future that was abandoned). IoError if the system refuses; what was there before is then untouched.
void write_checkpoint(const std::string& folder, int64_t step, const Checkpoint& checkpoint);

struct FoundCheckpoint {
  int64_t step = 0;
  Checkpoint checkpoint;
  std::vector<std::string> refused;  // newer ones that are damaged, one line each: what and why
};

// The newest undamaged checkpoint, or nothing if the folder holds none at all. IoError if all of them are damaged.
std::optional<FoundCheckpoint> read_checkpoint(const std::string& folder);

}  // namespace orthant
