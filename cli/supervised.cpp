#include "cli/supervised.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>

#include "cli/frame/interrupt.h"
#include "cli/frame/progress.h"
#include "cli/frame/run_model.h"
#include "cli/supervised_table.h"
#include "cli/training.h"
#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/safetensors.h"
#include "orthant/io/settings_file.h"
#include "orthant/run/model_metadata.h"
#include "orthant/run/schedule.h"

namespace orthant::cli {
namespace {

// `orthant probe` and `orthant finetune` differ in their task and a few flags.
struct SupervisedFlags {
  Common common;
  SettingSources settings;
  std::string run;
  std::string output;
  std::string corrupt;
  std::vector<std::string> test_data;
  bool overwrite = false;
  bool json = false;
};

constexpr std::array kShortFlags = {
    ShortFlag{"--data", "data.source"},
    ShortFlag{"--train-size", "data.train_size"},
    ShortFlag{"--test-size", "train.test_size"},
    ShortFlag{"--solver", "train.solver"},
    ShortFlag{"--epochs", "train.epochs"},
    ShortFlag{"--batch", "train.batch"},
    ShortFlag{"--rate", "optimiser.rate"},
    ShortFlag{"--label-fraction", "train.label_fraction"},
    ShortFlag{"--label-noise", "train.label_noise"},
    ShortFlag{"--seeds", "train.seeds"},
    ShortFlag{"--ood", "train.ood"},
};
constexpr std::array kProbeFlags = {
    ShortFlag{"--layer", "train.layer"},
    ShortFlag{"--l2", "train.l2"},
};

ModelOptions model_of(const std::string& run) {
  const std::string file = run_model_file(run);
  return parse_model_metadata(io::SafeTensors::open(file).metadata(), file);
}

void run(const App* command, const std::string& task, const SupervisedFlags& flags) {
  std::vector<SettingsLayer> layers = setting_layers(command, flags.settings, flags.common, supervised_keys());
  Settings& last = layers.back().settings;
  last["train.task"] = task;
  last["train.model"] = std::filesystem::absolute(flags.run).string();
  if (!flags.corrupt.empty()) last["train.ood"] = flags.corrupt;
  for (const std::string& name : flags.test_data) {
    std::string& all = std::get<std::string>(last.try_emplace("train.test_data", std::string()).first->second);
    all += (all.empty() ? "" : ";") + name;
  }
  SupervisedRecipe recipe = make_supervised_recipe(layers, model_of(flags.run));
  recipe.train.threads = resolve_threads(static_cast<int>(recipe.train.threads));
  if (const auto before = clamp_warmup(recipe.optimiser, recipe.train.epochs); before && !flags.common.quiet) {
    fmt::print(stderr, "orthant: a warm-up of {} epochs instead of {}: a fifth of the run\n",
               recipe.optimiser.warmup_epochs, *before);
  }
  check_supervised(recipe);
  refuse_run(flags.output, flags.overwrite, kRunExists);
  const RunFolder folder = RunFolder::create(flags.output, flags.overwrite);
  io::write_file(folder.recipe_file(), supervised_text(recipe));
  run_supervised_session(recipe, folder, flags.common.quiet, flags.json);
}

// What both commands take, and the callback that does the work of `task`.
void add_supervised(App& app, const std::string& task) {
  auto flags = std::make_shared<SupervisedFlags>();
  flags->common.seed = static_cast<uint64_t>(SupervisedOptions{}.seed);
  App* command = add_learn_command(app, task, flags->common);
  command->add_option("run", flags->run, "Folder of a run, or its model.safetensors")->required()->type_name("RUN");
  command->add_option("-o,--output", flags->output, "Folder of the result")->required()->type_name("FOLDER");
  command->add_flag("--overwrite", flags->overwrite, "Replace what the folder holds");
  command->add_flag("--json", flags->json, "Print the result as one JSON document");
  const SupervisedRecipe defaults = default_supervised_recipe(task);
  add_short_flags(command, defaults, kShortFlags, flags->settings);
  if (task == "probe") add_short_flags(command, defaults, kProbeFlags, flags->settings);
  command->add_option("--corrupt", flags->corrupt, "Test under one corruption as well; short for --ood with one name")
      ->type_name("NAME:SEVERITY");
  command->add_option("--test-data", flags->test_data, "Test on this data set as well, KIND[:PATH]; repeatable")
      ->type_name("DATA")
      ->allow_extra_args(false);
  add_setting_flags(command, flags->settings);
  command->callback([command, task, flags] { run(command, task, *flags); });
}

}  // namespace

void add_probe(App& app) { add_supervised(app, "probe"); }

void add_finetune(App& app) { add_supervised(app, "finetune"); }

void run_supervised_session(const SupervisedRecipe& recipe, const RunFolder& folder, bool quiet, bool json) {
  std::optional<SupervisedResult> result;
  {
    Progress progress(quiet);
    acknowledge_interrupts();
    SupervisedListener listener;
    listener.stop = [] { return interrupt_signal() != 0; };
    listener.step = [&](int64_t seed, const Trainer& trainer, const Scalars& measures) {
      progress.show({fmt::format("{} (seed {})", recipe.train.task, seed), trainer.position().step,
                     trainer.total_steps(), "steps",
                     fmt::format("loss {:.4f}  right {:.1f} %", value_of(measures, "loss"),
                                 value_of(measures, "accuracy") * 100)});
    };
    listener.epoch = [&](int64_t, const MetricsLine& line) {
      if (quiet) return;
      progress.clear();
      fmt::print(stderr, "epoch {:.0f}/{}: loss {:.4f}, right {:.1f} %, {:.0f} images/s\n", line.epoch,
                 recipe.train.epochs, value_of(line.scalars, "loss"), value_of(line.scalars, "accuracy") * 100,
                 value_of(line.scalars, "images_per_second"));
    };
    listener.fit = [&](int64_t seed, const fit::FitProgress& at) {
      progress.update({fmt::format("fit (seed {})", seed), at.fitted, at.fits, "fits",
                       fmt::format("l2 {:g}, looked {} times at all rows", at.l2, at.looks)});
    };
    listener.progress = [&](const std::string& what, int64_t done, int64_t total) {
      progress.update({what, done, total, "items"});
    };
    listener.warn = [](const std::string& text) { fmt::print(stderr, "orthant: warning: {}\n", text); };
    try {
      with_advice(folder, [&] { result = run_supervised(recipe, folder, listener); });
    } catch (const Interrupted&) {  // between two things that are kept: what was learned is on disk
    }
  }
  if (!result) {
    fmt::print(stderr, "orthant: saved; 'orthant resume {}' goes on\n", folder.path());
    throw Interrupted(interrupt_signal());
  }
  fmt::print("{}", json ? result_json(*result) : result_table(*result));
}

void resume_supervised(const RunFolder& folder, const std::vector<SettingsLayer>& given, bool force, bool quiet,
                       bool json) {
  std::vector<SettingsLayer> layers = {{folder.recipe_file(), io::read_settings(folder.recipe_file())}};
  const auto& settings = layers.front().settings;
  const auto source = settings.find("train.model");
  check(source != settings.end(), "[", folder.recipe_file(), "] expected train.model, got none");
  const ModelOptions model = model_of(to_string(source->second));
  const SupervisedRecipe before = make_supervised_recipe(layers, model);
  layers.insert(layers.end(), given.begin(), given.end());
  const SupervisedRecipe after = make_supervised_recipe(layers, model);
  check_unchanged(folder, supervised_differences(before, after), force);
  if (!(before == after)) io::write_file(folder.recipe_file(), supervised_text(after));
  run_supervised_session(after, folder, quiet, json);
}

}  // namespace orthant::cli
