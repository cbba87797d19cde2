#pragma once

#include <string>

#include "learn/train/session.h"
#include "learn/train/supervised_run.h"

namespace orthant {

// One repetition of a supervised run, by gradient steps.
struct SupervisedLearning {
  const SupervisedRecipe& recipe;
  std::string folder;   // of metrics and checkpoints; made if it is not there
  std::string encoder;  // tells the encoder from others; a checkpoint of another is refused
  int64_t seed = 0;
  const SupervisedListener& listener;
};

// Trains from the newest checkpoint in the folder, or from the start, to the end; see train() of learn/train/session.h,
// whose promises hold here too.
Ending learn_supervised(SupervisedTrainer& trainer, const SupervisedLearning& learning);

}  // namespace orthant
