#include "orthant/run/position.h"

#include "orthant/core/error.h"

namespace orthant {

void Position::save(Checkpoint& checkpoint) const {
  checkpoint.facts["epoch"] = std::to_string(epoch);
  checkpoint.facts["batch"] = std::to_string(batch);
  checkpoint.facts["step"] = std::to_string(step);
}

Position Position::restored(const Checkpoint& checkpoint) {
  return {checkpoint.number("epoch"), checkpoint.number("batch"), checkpoint.number("step")};
}

void EpochTally::save(Checkpoint& checkpoint) const {
  const io::Array sums = io::array_from<double>({loss, steps, correct, counted, zero_rows}, {5});
  checkpoint.tensors["tally"] = io::tensor_of(sums);
  checkpoint.tensors["tally"].owner = sums.owner;
}

EpochTally EpochTally::restored(const Checkpoint& checkpoint) {
  const io::Array array = checkpoint.tensor("tally").array("tally");
  const auto sums = array.as<double>();
  check_io(sums.size() == 5, "[checkpoint] expected five sums of the epoch, got ", sums.size());
  return {sums[0], sums[1], sums[2], sums[3], sums[4]};
}

}  // namespace orthant
