#include "cli/supervised.h"
#include "cli/training.h"

namespace orthant::cli {

void add_finetune(App& app) {
  add_supervised(app, "finetune", "Train a whole encoder with a linear classifier on its backbone, and test it",
                 std::make_shared<SupervisedFlags>());
}

}  // namespace orthant::cli
