#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/training.h"
#include "learn/task/contrastive_task.h"
#include "learn/train/plan.h"
#include "orthant/core/threads.h"
#include "orthant/io/atomic_file.h"

namespace orthant::cli {
namespace {

struct PretrainFlags {
  Common common;
  SettingSources settings;
  std::string output;
  bool overwrite = false;
  bool dry_run = false;
  bool json = false;
};

void print_plan(const Recipe& recipe, const Plan& plan, bool json) {
  if (json) {
    const nlohmann::ordered_json document = {{"parameters", plan.parameters},
                                             {"flops_per_image", plan.flops_per_image},
                                             {"steps", plan.steps},
                                             {"steps_per_epoch", plan.steps_per_epoch},
                                             {"seconds_per_step", plan.seconds_per_step},
                                             {"images_per_second", plan.images_per_second},
                                             {"seconds", plan.seconds},
                                             {"peak_bytes", plan.peak_bytes},
                                             {"recipe", recipe_text(recipe)}};
    fmt::print("{}\n", document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return;
  }
  fmt::print("{}\n", recipe_text(recipe));
  fmt::print("parameters          {:>12}\n", plan.parameters);
  fmt::print("FLOPs per image     {:>12.4g}  forward, one view; training takes about three times that\n",
             plan.flops_per_image);
  fmt::print("steps               {:>12}  {} per epoch\n", plan.steps, plan.steps_per_epoch);
  fmt::print("images per second   {:>12.4g}  measured on a few steps\n", plan.images_per_second);
  fmt::print("time                {:>10.1f} min  without measuring on held-out data\n", plan.seconds / 60);
  fmt::print("memory              {:>8.0f} MiB  peak of those steps\n",
             static_cast<double>(plan.peak_bytes) / (1 << 20));
}

void run(const App* command, const PretrainFlags& flags) {
  if (!flags.dry_run && flags.output.empty()) throw Misuse("--output is required");
  const auto layers = setting_layers(command, flags.settings, flags.common, recipe_keys());
  Recipe recipe = make_recipe(layers);
  recipe.train.threads = resolve_threads(static_cast<int>(recipe.train.threads));
  const TrainingData data = open_training_data(recipe);
  fit_to_data(recipe, layers, *data.train);
  if (flags.dry_run) {
    print_plan(recipe, make_plan(recipe, data.train), flags.json);
    return;
  }
  refuse_run(flags.output, flags.overwrite, kRunExists);
  const RunFolder folder = RunFolder::create(flags.output, flags.overwrite);
  ContrastiveTask task(recipe, data);
  Trainer trainer(task, recipe.optimiser, recipe.train.threads);
  if (!recipe.train.init_from.empty()) {
    task.model().load_weights(weights_file(recipe.train.init_from));
    write_checkpoint(folder.checkpoint_folder(), 0, trainer.save());
  }
  io::write_file(folder.recipe_file(), recipe_text(recipe));
  run_session(trainer, recipe, folder, flags.common.quiet, flags.json);
}

}  // namespace

void add_pretrain(App& app) {
  auto flags = std::make_shared<PretrainFlags>();
  flags->common.seed = static_cast<uint64_t>(TrainOptions{}.seed);
  App* command = add_learn_command(app, "pretrain", flags->common);
  command->add_option("-o,--output", flags->output, "Folder of the run")->type_name("RUN");
  command->add_flag("--overwrite", flags->overwrite, "Replace the run if there is one");
  command->add_flag("--dry-run", flags->dry_run, "Print the plan with its cost, measured on a few steps, and stop");
  command->add_flag("--json", flags->json, "Print the last measures, or the plan, as one JSON document");
  add_training_flags(command, flags->settings);
  command->callback([command, flags] { run(command, *flags); });
}

}  // namespace orthant::cli
