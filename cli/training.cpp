#include "cli/training.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>

#include "cli/frame/duration.h"
#include "cli/frame/interrupt.h"
#include "cli/frame/progress.h"
#include "learn/group/gloo_peers.h"
#include "learn/train/plan.h"
#include "orthant/core/error.h"
#include "orthant/sources/open.h"

namespace orthant::cli {
namespace {

constexpr std::array kShortFlags = {
    ShortFlag{"--data", "data.source"},
    ShortFlag{"--train-size", "data.train_size"},
    ShortFlag{"--positives", "data.positives"},
    ShortFlag{"--method", "train.method",
              "cl: contrastive; ncl: non-negative contrastive; ncl-paper: as in the paper, softer and with no sparsity "
              "held (ncl)"},
    ShortFlag{"--active", "activation.active", "Features on per item, on average, that training holds"},
    ShortFlag{"--sparsity", "activation.sparsity", "The same as a share of zeros (0.9, pictures 0.87; ncl alone)"},
    ShortFlag{"--epochs", "train.epochs"},
    ShortFlag{"--batch", "train.batch"},
    ShortFlag{"--image-size", "views.size"},
    ShortFlag{"--chunk", "train.chunk"},
    ShortFlag{"--precision", "train.precision"},
    ShortFlag{"--activation-warmup", "train.activation_warmup"},
    ShortFlag{"--init-from", "train.init_from"},
    ShortFlag{"--loss", "loss.name",
              "Loss to minimise: infonce, spectral, barlow, vicreg, moco, byol, simsiam, swav (infonce)"},
    ShortFlag{"--temperature", "loss.temperature"},
    ShortFlag{"--importance", "loss.importance",
              "learned: how much each feature counts is trained too, and features come in that order (none)"},
    ShortFlag{"--activation", "activation.name"},
    ShortFlag{"--backbone", "backbone.name"},
    ShortFlag{"--optimiser", "optimiser.name"},
    ShortFlag{"--rate", "optimiser.rate"},
};

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

// "5,000"
std::string with_commas(double count) {
  std::string text = fmt::format("{:.0f}", count);
  for (size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

// Paths that hold in whatever folder the run is gone on with.
void make_absolute(Settings& settings) {
  const auto change = [&](const char* key, const auto& absolute) {
    const auto found = settings.find(key);
    if (found == settings.end()) return;
    auto* const text = std::get_if<std::string>(&found->second);
    if (text != nullptr && !text->empty()) *text = absolute(*text);
  };
  for (const char* key : {"data.source", "data.with", "train.word_vectors"}) change(key, absolute_spec);
  for (const char* key : {"train.init_from", "train.init_from_a", "train.init_from_b"}) {
    change(key, [](const std::string& path) { return std::filesystem::absolute(path).string(); });
  }
  change("data.positives", [](const std::string& said) {
    return said.ends_with(".npy") ? std::filesystem::absolute(said).string() : said;
  });
}

// Of one network, or of each of two towers; nothing if there is no telling.
std::string zeros_text(const Scalars& measures) {
  if (const auto share = find(measures, "sparsity")) return "zeros " + percent(*share);
  const auto a = find(measures, "sparsity_a");
  const auto b = find(measures, "sparsity_b");
  return a && b ? fmt::format("zeros {} and {}", percent(*a), percent(*b)) : "";
}

// What two towers find of each other.
std::string recall_text(const Scalars& measures) {
  const auto there = find(measures, "a_to_b_recall_at_1");
  if (!there) return "";
  return fmt::format(
      ", recall@1 {} there and {} back, @10 {} and {} (of {})", percent(*there),
      percent(value_of(measures, "b_to_a_recall_at_1")), percent(value_of(measures, "a_to_b_recall_at_10")),
      percent(value_of(measures, "b_to_a_recall_at_10")), with_commas(value_of(measures, "held_out_pairs")));
}

std::string epoch_text(const MetricsLine& line, int64_t epochs) {
  std::map<std::string, double> values;
  for (const Scalar& scalar : line.scalars) values[scalar.name] = scalar.value;
  std::string text = fmt::format("epoch {:.0f}/{}: loss {:.4f}", line.epoch, epochs, values["loss"]);
  if (values.contains("test_accuracy")) {
    text +=
        fmt::format(", right {} of {} held out", percent(values["test_accuracy"]), with_commas(values["test_items"]));
  }
  if (values.contains("held_out_loss")) text += fmt::format(", held out {:.4f}", values["held_out_loss"]);
  if (values.contains("knn_backbone")) {
    text += fmt::format(", k-NN {} (backbone, {} vote, k {:.0f})", percent(values["knn_backbone"]),
                        with_commas(values["knn_bank"]), values["knn_k"]);
  }
  text += recall_text(line.scalars);
  if (const std::string zeros = zeros_text(line.scalars); !zeros.empty()) text += ", " + zeros;
  if (values.contains("dead_features")) text += fmt::format(", dead {:.0f}", values["dead_features"]);
  if (values.contains("dead_features_a")) {
    text += fmt::format(", dead {:.0f} and {:.0f}", values["dead_features_a"], values["dead_features_b"]);
  }
  text += fmt::format(", {:.0f} images/s, waited {}", values["images_per_second"], percent(values["wait_share"]));
  if (values.contains("communication_share")) {
    text += fmt::format(" for data and {} for other processes", percent(values["communication_share"]));
  }
  return text;
}

}  // namespace

void add_training_flags(App* command, SettingSources& sources) {
  add_training_flags(command, make_recipe({}), kShortFlags, sources);
}

void add_training_flags(App* command, const Recipe& recipe, std::span<const ShortFlag> flags, SettingSources& sources) {
  add_short_flags(command, recipe, flags, sources);
  add_switch(command, "--strict", "data.strict", "Refuse a folder with unreadable pictures instead of skipping them",
             sources);
  add_setting_flags(command, sources);
}

void add_switch(App* command, const std::string& flag, const std::string& key, const std::string& help,
                SettingSources& sources) {
  command->add_flag_function(
      flag, [&sources, flag, key] { sources.set_flag(flag, key, "true"); }, help);
}

std::vector<SettingsLayer> setting_layers(const App* command, const SettingSources& sources, const Common& common,
                                          const std::vector<std::string>& known) {
  std::vector<SettingsLayer> layers;
  sources.apply(known, [&](const Settings& settings, const std::string& source) {
    layers.push_back({source, settings});
    make_absolute(layers.back().settings);
  });
  if (command->count("--seed") > 0) layers.back().settings["train.seed"] = static_cast<int64_t>(common.seed);
  if (command->count("--threads") > 0) layers.back().settings["train.threads"] = int64_t{common.threads};
  return layers;
}

void check_unchanged(const RunFolder& folder, const std::vector<std::string>& differences, bool force) {
  std::string changes;
  for (const std::string& line : differences) changes += (changes.empty() ? "" : ", ") + line;
  check(changes.empty() || force, "[", folder.path(), "] expected the settings the run began with, got ", changes,
        "; --force continues with the change");
}

void in_group(const ProcessFlags& flags, const GroupWork& work) {
  const World world = enter_world(flags);
  const Group group = join_group(world, {.timeout = std::chrono::duration<double>(flags.timeout)});
  try {
    work(group, world);
  } catch (const PeerLost&) {
    throw;
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    group.leave(error.what());
    throw;
  }
}

void with_advice(const RunPaths& folder, const std::function<void()>& work) {
  try {
    work();
  } catch (const Diverged& error) {
    throw std::runtime_error(
        fmt::format("{}: lower optimiser.rate or raise optimiser.warmup_epochs, then "
                    "'orthant resume {} --force --set optimiser.rate=...'",
                    error.what(), folder.path()));
  }
}

namespace {

// Says once, when a few steps have shown the speed, how long all of it will take.
class Forecast {
 public:
  Forecast(const Recipe& recipe, const Trainer& trainer) : recipe_(recipe), first_(trainer.position().step + 1) {}

  // A line, or nothing if it is too early, told already, or nearly over.
  std::string after_step(const Trainer& trainer) {
    const int64_t done = trainer.position().step - first_;
    if (done == 0) start_ = Clock::now();  // the first step of a process takes longer than all others
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (told_ || done < 3 || seconds < kSeconds) return {};
    told_ = true;
    const Speed speed{.seconds_per_item = seconds / static_cast<double>(done * trainer.batch())};
    const Plan plan = make_plan(recipe_, speed, trainer.batches() * trainer.batch(), recipe_.eval.size);
    const double left = plan.seconds * static_cast<double>(trainer.total_steps() - trainer.position().step) /
                        static_cast<double>(trainer.total_steps());
    if (left < kSeconds) return {};
    return fmt::format("about {} to go: {} epochs of {} steps, {:.0f} images/s{}", duration_text(left),
                       trainer.epochs(), trainer.batches(), 1 / speed.seconds_per_item,
                       left > kLong ? "; fewer --epochs take less" : "");
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kSeconds = 2;
  static constexpr double kLong = 1800;

  const Recipe& recipe_;
  const int64_t first_;
  Clock::time_point start_ = Clock::now();
  bool told_ = false;
};

}  // namespace

void run_session(Trainer& trainer, const Recipe& recipe, const RunPaths& folder, bool quiet, bool json) {
  const int64_t first = trainer.position().step;
  const TrainOptions& options = recipe.train;
  const bool leads = trainer.group().leads();
  quiet = quiet || !leads;
  Progress progress(quiet);
  if (leads) acknowledge_interrupts();
  TrainListener listener;
  listener.stop = [] { return interrupt_signal() != 0; };
  Forecast forecast(recipe, trainer);
  const auto begin = std::chrono::steady_clock::now();
  const auto others_text = [&](const Trainer& at) -> std::string {
    if (at.group().alone()) return "";
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return "  communication " + percent(at.group().traffic().seconds / seconds);
  };
  listener.step = [&](const Trainer& at, const Scalars& measures) {
    if (const std::string line = forecast.after_step(at); !line.empty() && !quiet) {
      progress.clear();
      fmt::print(stderr, "{}\n", line);
    }
    progress.show({"train", (at.position().step - first) * options.batch, (at.total_steps() - first) * options.batch,
                   "images",
                   fmt::format("epoch {}/{}  loss {:.4f}  {}{}", at.position().epoch + 1, options.epochs,
                               value_of(measures, "loss"), zeros_text(measures), others_text(at))});
  };
  std::string last;
  listener.epoch = [&](const MetricsLine& line) {
    last = metrics_text(line);
    progress.clear();
    if (!quiet) fmt::print(stderr, "{}\n", epoch_text(line, options.epochs));
  };
  listener.warn = [&](const std::string& text) {
    progress.clear();
    fmt::print(stderr, "orthant: warning: {}\n", text);
  };
  Ending ending = Ending::finished;
  with_advice(folder, [&] { ending = train(trainer, {folder.path(), options.pacing, recipe.eval.every}, listener); });
  if (ending == Ending::stopped) {
    if (leads)
      fmt::print(stderr, "orthant: saved at step {} of {}; 'orthant resume {}' goes on\n", trainer.position().step,
                 trainer.total_steps(), folder.path());
    throw Interrupted(interrupt_signal() != 0 ? interrupt_signal() : SIGTERM);  // another rank's
  }
  if (json && leads) fmt::print("{}", last);
}

void resume_session(Trainer& trainer, const Recipe& recipe, const RunPaths& folder, bool quiet, bool json) {
  quiet = quiet || !trainer.group().leads();
  go_back_to_checkpoint(trainer, folder.path(),
                        [](const std::string& text) { fmt::print(stderr, "orthant: warning: {}\n", text); });
  const Position& at = trainer.position();
  if (trainer.finished()) {
    if (!quiet) fmt::print(stderr, "{}: finished already, at step {}\n", folder.path(), at.step);
    return;
  }
  if (!quiet) {
    fmt::print(stderr, "{}: going on at step {} of {} (epoch {})\n", folder.path(), at.step, trainer.total_steps(),
               at.epoch + 1);
  }
  run_session(trainer, recipe, folder, quiet, json);
}

}  // namespace orthant::cli
