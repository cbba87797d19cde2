#include <fmt/format.h>

#include "learn/task/evaluation.h"

namespace orthant {
namespace {

constexpr double kCollapsedCosine = 0.95;
constexpr double kZeroRows = 0.05;

}  // namespace

std::vector<std::string> warnings(const Evaluation& evaluation, const Recipe& recipe) {
  std::vector<std::string> lines;
  if (evaluation.negative_cosine > kCollapsedCosine) {
    lines.push_back(
        fmt::format("collapse: views of different images have a mean cosine of {:.2f}, so everything looks alike; "
                    "lower optimiser.rate, lengthen optimiser.warmup_epochs or lower loss.temperature",
                    evaluation.negative_cosine));
  }
  const double dead =
      static_cast<double>(evaluation.statistics.dead_features) / static_cast<double>(evaluation.features);
  if (dead > recipe.eval.dead_limit) {
    lines.push_back(
        fmt::format("dead features: {} of {} are zero for every held-out item; use activation.name=rep_relu, "
                    "train.activation_warmup=0.2, a lower optimiser.rate or a smaller projector.out",
                    evaluation.statistics.dead_features, evaluation.features));
  }
  const double zero = static_cast<double>(evaluation.statistics.zero_rows) / static_cast<double>(evaluation.items);
  if (zero > kZeroRows) {
    lines.push_back(
        fmt::format("zero rows: {:.0f} % of the held-out items have no active feature at all; use "
                    "train.activation_warmup=0.2, activation.name=rep_relu or a larger projector.out",
                    zero * 100));
  }
  return lines;
}

}  // namespace orthant
