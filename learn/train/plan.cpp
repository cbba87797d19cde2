#include "learn/train/plan.h"

#include <algorithm>

namespace orthant {
namespace {

// Pictures that one evaluation looks at: held-out ones as they are and in views, and those that vote.
double evaluation_pictures(const Recipe& recipe, int64_t items, int64_t held_out) {
  const int64_t asked = std::min(recipe.eval.size, held_out);
  return static_cast<double>(asked + std::min(recipe.eval.bank, items));
}

}  // namespace

double evaluation_items(const Recipe& recipe, int64_t items, int64_t held_out) {
  const auto views = static_cast<double>(recipe.train.view_count);
  const auto asked = static_cast<double>(std::min(recipe.eval.size, held_out));
  const double compared = is_cross_entropy(recipe.train.method) ? 0 : views * asked;
  return (evaluation_pictures(recipe, items, held_out) + compared) / (3 * views);
}

Plan make_plan(const Recipe& recipe, const Speed& speed, int64_t items, int64_t held_out) {
  Plan plan;
  plan.steps_per_epoch = items / recipe.train.batch;
  plan.steps = plan.steps_per_epoch * recipe.train.epochs;
  plan.evaluations =
      recipe.eval.every > 0 ? (recipe.train.epochs + recipe.eval.every - 1) / recipe.eval.every : int64_t{1};
  const auto count = static_cast<double>(items);
  const auto trained = static_cast<double>(plan.steps * recipe.train.batch);
  const auto evaluations = static_cast<double>(plan.evaluations);
  plan.seconds_training = trained * speed.seconds_per_item;
  plan.seconds_evaluating = evaluations * evaluation_items(recipe, items, held_out) * speed.seconds_per_item;
  const double bytes = count * static_cast<double>(speed.bytes_per_picture);
  const double room = static_cast<double>(recipe.train.cache_mib) * (1 << 20);
  const double kept = bytes > room ? room / bytes : 1;
  const double decoded = std::min(trained, count) + std::max(trained - count, 0.0) * (1 - kept) +
                         evaluations * evaluation_pictures(recipe, items, held_out);
  plan.seconds_decoding = decoded * speed.seconds_per_decode;
  plan.seconds = plan.seconds_training + plan.seconds_evaluating + plan.seconds_decoding;
  return plan;
}

}  // namespace orthant
