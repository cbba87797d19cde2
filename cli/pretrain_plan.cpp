#include "cli/pretrain_plan.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "cli/frame/duration.h"

namespace orthant::cli {

void print_plan(const Recipe& recipe, const Speed& speed, const Plan& plan, bool json) {
  if (json) {
    const nlohmann::ordered_json document = {{"seconds", plan.seconds},
                                             {"seconds_training", plan.seconds_training},
                                             {"seconds_evaluating", plan.seconds_evaluating},
                                             {"seconds_decoding", plan.seconds_decoding},
                                             {"peak_bytes", speed.peak_bytes},
                                             {"parameters", speed.parameters},
                                             {"flops_per_image", speed.flops_per_item},
                                             {"images_per_second", 1 / speed.seconds_per_item},
                                             {"steps", plan.steps},
                                             {"steps_per_epoch", plan.steps_per_epoch},
                                             {"recipe", recipe_text(recipe)}};
    fmt::print("{}\n", document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return;
  }
  fmt::print("time          {:>12}  {} of it on held-out data, {} reading pictures\n", duration_text(plan.seconds),
             duration_text(plan.seconds_evaluating), duration_text(plan.seconds_decoding));
  fmt::print("memory        {:>8.0f} MiB  at batches of {}\n", static_cast<double>(speed.peak_bytes) / (1 << 20),
             recipe.train.batch);
  fmt::print("parameters    {:>12}\n", speed.parameters);
  fmt::print("images/s      {:>12.4g}  measured just now, each with {} views\n", 1 / speed.seconds_per_item,
             recipe.train.view_count);
  fmt::print("steps         {:>12}  {} epochs of {}\n", plan.steps, recipe.train.epochs, plan.steps_per_epoch);
  fmt::print("FLOP an image {:>12.4g}  forward, one view; training takes about three times that\n\n",
             speed.flops_per_item);
  fmt::print("{}", recipe_text(recipe));
}

void tell_choices(const std::vector<Choice>& choices) {
  static const std::map<std::string, std::string> kFlags = {{"views.size", "--image-size"},
                                                            {"train.epochs", "--epochs"},
                                                            {"train.batch", "--batch"},
                                                            {"optimiser.warmup_epochs", "a longer run (--epochs)"}};
  for (const Choice& choice : choices) {
    const auto flag = kFlags.find(choice.key);
    fmt::print(stderr, "orthant: {}{}\n", choice.text,
               flag == kFlags.end() ? "" : "; " + flag->second + " changes that");
  }
}

}  // namespace orthant::cli
