#include "cli/supervised.h"
#include "cli/training.h"

namespace orthant::cli {

void add_probe(App& app) {
  add_supervised(app, "probe", "Learn a linear classifier on a frozen encoder and test it",
                 std::make_shared<SupervisedFlags>());
}

}  // namespace orthant::cli
