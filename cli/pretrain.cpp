#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/data_flags.h"
#include "cli/frame/duration.h"
#include "cli/frame/progress.h"
#include "cli/frame/run_model.h"
#include "cli/towers/pairs.h"
#include "cli/training.h"
#include "learn/group/gloo_peers.h"
#include "learn/task/recipe_task.h"
#include "learn/tiles/bf16_ops.h"
#include "learn/train/agreement.h"
#include "learn/train/budget.h"
#include "learn/train/communication.h"
#include "learn/train/plan.h"
#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/safetensors.h"
#include "orthant/io/settings_file.h"
#include "orthant/run/model_metadata.h"

namespace orthant::cli {
namespace {

using Clock = std::chrono::steady_clock;

// `orthant pretrain` and `orthant supervise` differ in their methods and a few flags.
struct PretrainFlags {
  Common common;
  SettingSources settings;
  std::string output;
  double budget = 0;  // seconds; 0: none
  bool overwrite = false;
  bool dry_run = false;
  bool json = false;
  ProcessFlags processes;
  Wire wire;               // between them, of a dry run
  bool labelled = false;   // of supervise
  bool nonneg = false;     // ... a sigma+ on what --loss names
  bool projector = false;  // ... one before the classifier
};

constexpr std::array kLabelledFlags = {
    ShortFlag{"--data", "data.source"},
    ShortFlag{"--train-size", "data.train_size"},
    ShortFlag{"--loss", "train.method",
              "ce: cross entropy; nce: with sigma+ on the features, never on the scores; supcon, nsupcon: supervised "
              "contrastive, without and with sigma+ (nce)"},
    ShortFlag{"--epochs", "train.epochs"},
    ShortFlag{"--batch", "train.batch"},
    ShortFlag{"--label-fraction", "labels.fraction"},
    ShortFlag{"--label-noise", "labels.noise"},
    ShortFlag{"--label-smoothing", "labels.smoothing"},
    ShortFlag{"--class-weights", "labels.class_weights"},
    ShortFlag{"--init-from", "train.init_from", "Run or file of weights to start from; its classifier is left behind"},
    ShortFlag{"--activation", "activation.name", "sigma+ of nce and nsupcon, such as relu or softplus (rep_relu)"},
    ShortFlag{"--temperature", "loss.temperature", "Temperature of supcon's similarities (0.1)"},
    ShortFlag{"--backbone", "backbone.name"},
    ShortFlag{"--image-size", "views.size"},
    ShortFlag{"--views", "train.views"},
    ShortFlag{"--chunk", "train.chunk"},
    ShortFlag{"--precision", "train.precision"},
    ShortFlag{"--optimiser", "optimiser.name"},
    ShortFlag{"--rate", "optimiser.rate"},
};

// What several processes make of a step.
struct Shared {
  int64_t processes = 1;
  Wire wire = {};
  double computing = 0;  // seconds
  double step = 0;       // with what it waits for others
  Communication communication = {};
};

// What a run will take, the cost first and then every setting.
void print_plan(const Recipe& recipe, const Speed& speed, const Plan& plan, const Shared& shared, bool json) {
  if (json) {
    nlohmann::ordered_json document = {{"seconds", plan.seconds},
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
    if (shared.processes > 1) {
      document["processes"] = shared.processes;
      document["step_seconds"] = shared.step;
      document["step_seconds_computing"] = shared.computing;
      document["step_seconds_gathering"] = shared.communication.gathers;
      document["step_seconds_summing"] = shared.communication.sums;
      document["step_gathers"] = speed.step.gathers;
      document["step_gather_bytes"] = speed.step.gather_bytes;
      document["step_sums"] = speed.step.sums;
      document["step_sum_bytes"] = speed.step.sum_bytes;
    }
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
  if (shared.processes > 1) {
    fmt::print("processes     {:>12}  each with a link of {:.4g} MB/s and {:.4g} us, and memory as above\n",
               shared.processes, shared.wire.bytes_per_second / 1e6, shared.wire.latency * 1e6);
    fmt::print("a step        {:>9.4g} ms  {:.4g} of it computing\n", shared.step * 1e3, shared.computing * 1e3);
    fmt::print("  gathering   {:>9.4g} ms  {} messages of {:.4g} kB from each\n", shared.communication.gathers * 1e3,
               speed.step.gathers, static_cast<double>(speed.step.gather_bytes) / 1e3);
    fmt::print("  summing     {:>9.4g} ms  {} messages of {:.4g} kB, beside the backward pass\n",
               shared.communication.sums * 1e3, speed.step.sums, static_cast<double>(speed.step.sum_bytes) / 1e3);
  }
  fmt::print("FLOP an image {:>12.4g}  forward, one view; training takes about three times that\n\n",
             speed.flops_per_item);
  fmt::print("{}", recipe_text(recipe));
}

// Each with the flag that changes it.
void tell_choices(const std::vector<Choice>& choices) {
  static const std::map<std::string, std::string> kFlags = {
      {"views.size", "--image-size"},     {"sound.seconds", "--set sound.seconds=N"},
      {"train.epochs", "--epochs"},       {"train.batch", "--batch"},
      {"projector.depth", "--projector"}, {"optimiser.warmup_epochs", "a longer run (--epochs)"}};
  for (const Choice& choice : choices) {
    const auto flag = kFlags.find(choice.key);
    fmt::print(stderr, "orthant: {}{}\n", choice.text,
               flag == kFlags.end() ? "" : "; " + flag->second + " changes that");
  }
}

// Settles what the person left open, from the data and, with a budget that began at `begin`, from the speed of this
// machine.
std::vector<Choice> settle(Recipe& recipe, const std::vector<SettingsLayer>& layers, const TrainingData& data,
                           const PretrainFlags& flags, Clock::time_point begin) {
  std::vector<Choice> choices = fit_to_data(recipe, layers, *data.train);
  if (flags.budget == 0) return choices;
  const double left = flags.budget - std::chrono::duration<double>(Clock::now() - begin).count();
  Progress progress(flags.common.quiet);
  int64_t measured = 0;
  const Measure measure = [&](const Recipe& candidate, double seconds) {
    progress.update({"measure speed", measured++, 2, "networks"});
    return measure_speed(candidate, data.train, seconds);
  };
  const int64_t entries = data.positives ? data.positives->size() : data.train->size();
  return fit_to_budget(recipe, layers, {left, entries, data.held_out->size(), data.positives != nullptr}, measure);
}

void plan(const Recipe& recipe, const TrainingData& data, const PretrainFlags& flags) {
  constexpr double kSeconds = 5;
  Progress progress(flags.common.quiet);
  progress.update({"measure speed", 0, 1, "networks"});
  const int64_t processes = flags.processes.processes;
  Speed speed = measure_speed(recipe, data.train, kSeconds, rehearsed_group(processes));
  progress.clear();
  const auto batch = static_cast<double>(recipe.train.batch);
  Shared shared{processes, flags.wire, speed.seconds_per_item * batch};
  shared.communication = communication_of(speed.step, processes, flags.wire);
  shared.step = step_seconds(shared.computing, shared.communication);
  speed.seconds_per_item = shared.step / batch;
  const int64_t entries = data.positives ? data.positives->size() : data.train->size();
  print_plan(recipe, speed, make_plan(recipe, speed, entries, data.held_out->size()), shared, flags.json);
}

// What `supervise` takes for granted, before everything that was said, and what its switches add to it.
void add_labelled_layers(std::vector<SettingsLayer>& layers, const PretrainFlags& flags) {
  Settings defaults = {{"train.method", std::string("nce")}};
  if (flags.projector) defaults["projector.depth"] = ProjectorOptions{}.depth;
  layers.insert(layers.begin(), {"orthant supervise", defaults});
  if (!flags.nonneg) return;
  std::string method;
  for (const SettingsLayer& layer : layers) {
    if (const auto found = layer.settings.find("train.method"); found != layer.settings.end()) {
      method = to_string(found->second);
    }
  }
  if (method == "ce" || method == "supcon") layers.back().settings["train.method"] = "n" + method;
}

void check_method(const std::string& method, bool labelled) {
  if (labelled) {
    check(learns_from_labels(method), "[train.method] expected ce, nce, supcon or nsupcon, got ", method,
          ", which 'orthant pretrain' learns");
  } else {
    check(!learns_from_labels(method), "[train.method] expected cl or ncl, got ", method,
          ", which 'orthant supervise' learns");
  }
}

// A model of ours that --init-from starts from.
struct Start {
  ModelOptions model;
  bool with_projector = true;
};

// Its network comes before everything that was said. What is learned from labels without a projector, or from a model
// without one, takes the backbone alone.
std::optional<Start> start_from(std::vector<SettingsLayer>& layers, bool labelled) {
  const Recipe asked = make_recipe(layers);
  const std::string& source = asked.train.init_from;
  if (source.empty()) return std::nullopt;
  const std::string file = run_model_file(source);
  const auto metadata = io::SafeTensors::open(file).metadata();
  if (!metadata.contains("backbone.name")) return std::nullopt;
  Start start{parse_model_metadata(metadata, file)};
  start.with_projector = !labelled || (asked.projector.depth > 0 && start.model.projector.depth > 0);
  Settings network = architecture_settings(start.model);
  if (labelled && start.with_projector) layers.front().settings.erase("projector.depth");  // the run's own
  if (!start.with_projector) std::erase_if(network, [](const auto& s) { return s.first.starts_with("projector."); });
  layers.insert(layers.begin(), {source, network});
  return start;
}

void load_start(Model& model, const std::string& source, const std::optional<Start>& start) {
  const std::string file = weights_file(source);
  start && !start->with_projector ? model.load_backbone(file) : model.load_weights(file);
}

// What several processes cannot share.
void refuse_in_group(const PretrainFlags& flags, const Group& group) {
  if (!group.alone() && flags.budget > 0) {
    throw Misuse("--budget measures one process: expected it without others, got several processes");
  }
}

// The run whose folder rank 0 holds, and whether it goes on with one that it began before.
struct Begun {
  std::optional<RunFolder> folder = {};
  bool again = false;
};

// Where all processes are started again after one was lost, the run that they had begun goes on.
Begun begin_run(const PretrainFlags& flags, const Recipe& recipe, const Group& group, const World& world) {
  Begun begun;
  const std::string how = group.told_by_first("looking for the run", [&]() -> std::string {
    if (world.restart == 0 || !is_run(flags.output)) {
      refuse_run(flags.output, flags.overwrite, kRunExists);
      return "new";
    }
    begun.folder = RunFolder::open(flags.output);
    const std::string file = begun.folder->recipe_file();
    check_unchanged(*begun.folder, differences(make_recipe({{file, io::read_settings(file)}}), recipe), false);
    return "again";
  });
  begun.again = how == "again";
  return begun;
}

void run(const App* command, const PretrainFlags& flags, const Group& group, const World& world) {
  refuse_in_group(flags, group);
  if (!flags.labelled && names_pairs(command, flags.settings)) {
    check(group.alone() && flags.processes.processes == 1, "[pretrain] expected two towers on one process, got ",
          std::max(group.size(), flags.processes.processes));
    const PairSession session{flags.output, flags.budget, flags.overwrite, flags.dry_run, flags.json};
    return pretrain_pairs(command, flags.settings, flags.common, session);
  }
  if (!flags.dry_run && flags.output.empty()) throw Misuse("--output is required");
  if (flags.budget > 0 && command->count("--epochs") > 0) {
    throw Misuse("--budget chooses the epochs: expected it without --epochs");
  }
  const auto begin = Clock::now();
  auto layers = setting_layers(command, flags.settings, flags.common, recipe_keys());
  if (flags.labelled) add_labelled_layers(layers, flags);
  std::optional<Start> start = start_from(layers, flags.labelled);
  Recipe recipe = make_recipe(layers);
  check_method(recipe.train.method, flags.labelled);
  ops::check_precision(recipe.train.precision);
  recipe.train.threads = resolve_threads(static_cast<int>(recipe.train.threads));
  const bool quiet = flags.common.quiet || !group.leads();
  tell_first_time(recipe.data.source, {.quiet = quiet});
  TrainingData data = open_training_data(recipe);
  tell_notes(data.train->info(), {.quiet = quiet});
  const std::vector<Choice> choices = settle(recipe, layers, data, flags, begin);
  if (start && !start->with_projector) start->model.projector = recipe.projector;
  if (start) check_architecture(recipe, start->model, recipe.train.init_from);
  if (!quiet) tell_choices(choices);
  if (recipe.data.train_size > 0 && recipe.data.train_size < data.train->size()) data = open_training_data(recipe);
  if (flags.dry_run) return plan(recipe, data, flags);
  check_agreement(group, recipe, *data.train);
  Begun begun = begin_run(flags, recipe, group, world);
  const auto task = make_recipe_task(recipe, data, group);
  Trainer trainer(*task, recipe.optimiser, recipe.train.threads);
  const RunPaths paths(flags.output);
  if (begun.again) return resume_session(trainer, recipe, paths, quiet, flags.json);
  group.told_by_first("making the run", [&]() -> std::string {
    const bool started = !recipe.train.init_from.empty();
    if (started) load_start(task->model(), recipe.train.init_from, start);
    begun.folder = RunFolder::create(flags.output, flags.overwrite);
    if (started) write_checkpoint(paths.checkpoint_folder(), 0, trainer.save());
    io::write_file(paths.recipe_file(), recipe_text(recipe));
    return "made";
  });
  trainer.follow_first();
  run_session(trainer, recipe, paths, quiet, flags.json);
}

// What both commands take.
App* add_run_command(App& app, const std::string& name, const std::shared_ptr<PretrainFlags>& flags) {
  flags->common.seed = static_cast<uint64_t>(TrainOptions{}.seed);
  App* command = add_learn_command(app, name, flags->common);
  command->add_option("-o,--output", flags->output, "Folder of the run")->type_name("RUN");
  command->add_flag("--overwrite", flags->overwrite, "Replace the run if there is one");
  command
      ->add_option_function(
          "--budget", [flags](const std::string& text) { flags->budget = parse_duration("--budget", text); },
          "Time that training may take, such as 10min: chooses all that is not said (network, image size, "
          "epochs, batch, rate) by the data and the speed of this machine")
      ->type_name("TIME");
  command->add_flag("--dry-run", flags->dry_run, "Print what it would take, measured on a few steps, and stop");
  command->add_flag("--json", flags->json, "Print the last measures, or the plan, as one JSON document");
  add_process_flags(command, flags->processes);
  command
      ->add_option_function(
          "--bandwidth",
          [flags](const std::string& text) { flags->wire.bytes_per_second = parse_bandwidth("--bandwidth", text); },
          "With --dry-run and --processes: what the network between them carries (10Gbit)")
      ->type_name("RATE");
  command->callback([command, flags] {
    if (flags->dry_run) return run(command, *flags, {}, {});
    in_group(flags->processes, [&](const Group& group, const World& world) { run(command, *flags, group, world); });
  });
  return command;
}

}  // namespace

void add_pretrain(App& app) {
  auto flags = std::make_shared<PretrainFlags>();
  App* command = add_run_command(app, "pretrain", flags);
  add_training_flags(command, flags->settings);
  add_pair_flags(command, flags->settings);
}

void add_supervise(App& app) {
  auto flags = std::make_shared<PretrainFlags>();
  flags->labelled = true;
  App* command = add_run_command(app, "supervise", flags);
  command->add_flag("--nonneg", flags->nonneg, "A sigma+ on the features: --loss ce becomes nce, supcon nsupcon");
  command->add_flag("--projector", flags->projector,
                    "An MLP between backbone and classifier; with --init-from the run's own, if it has one");
  add_switch(command, "--nonneg-weights", "labels.nonneg_weights", "The classifier's weights are never negative",
             flags->settings);
  const Recipe defaults = make_recipe({{"orthant supervise", {{"train.method", std::string("nce")}}}});
  add_training_flags(command, defaults, kLabelledFlags, flags->settings);
}

}  // namespace orthant::cli
