#include <fmt/format.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/adapt/adapting.h"
#include "cli/commands.h"
#include "cli/frame/duration.h"
#include "cli/frame/field_flags.h"
#include "cli/frame/short_flags.h"
#include "cli/frame/terminal_text.h"
#include "orthant/adapt/session.h"
#include "orthant/adapt/start.h"
#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/io/atomic_file.h"

namespace orthant::cli {
namespace {

struct AdaptFlags {
  Common common;
  SettingSources settings;
  std::string embeddings;
  std::string output;
  bool overwrite = false;
  bool dry_run = false;
  bool json = false;
};

constexpr std::array kShortFlags = {
    ShortFlag{"--labels", "data.labels", "Classes of the rows: integer .npy, or text with one per line"},
    ShortFlag{"--ids", "data.ids", "Ids of the rows: text with one per line"},
    ShortFlag{"--with", "data.second",
              "Vectors whose row i belongs to row i, such as texts of pictures: one shared code"},
    ShortFlag{"--align", "adapter.align"},
    ShortFlag{"--held-out", "data.held_out"},
    ShortFlag{"--features", "adapter.features", "Features to learn (four times the width of the vectors)"},
    ShortFlag{"--active", "adapter.active", "Features on per row (32, fewer of few features)"},
    ShortFlag{"--method", "train.method"},
    ShortFlag{"--normalise", "adapter.normalise"},
    ShortFlag{"--contrast", "objective.contrast"},
    ShortFlag{"--positives", "objective.positives"},
    ShortFlag{"--anneal-from", "objective.anneal_from"},
    ShortFlag{"--epochs", "train.epochs"},
    ShortFlag{"--batch", "train.batch"},
    ShortFlag{"--rate", "train.rate"},
};

// Paths that hold in whatever folder the run is gone on with.
void make_absolute(Settings& settings) {
  for (const char* key : {"data.embeddings", "data.labels", "data.ids", "data.second", "objective.positives"}) {
    const auto found = settings.find(key);
    if (found == settings.end()) continue;
    auto* const text = std::get_if<std::string>(&found->second);
    const bool path = text != nullptr && !text->empty() &&
                      (std::string_view(key) != "objective.positives" || text->ends_with(".npy"));
    if (path) *text = std::filesystem::absolute(*text).string();
  }
}

std::vector<SettingsLayer> layers_of(const App* command, const AdaptFlags& flags) {
  std::vector<SettingsLayer> layers;
  flags.settings.apply(adapt::adapt_keys(), [&](const Settings& settings, const std::string& source) {
    layers.push_back({source, settings});
  });
  Settings& last = layers.back().settings;
  if (!flags.embeddings.empty()) last["data.embeddings"] = flags.embeddings;
  if (command->count("--seed") > 0) last["train.seed"] = static_cast<int64_t>(flags.common.seed);
  if (command->count("--threads") > 0) last["train.threads"] = int64_t{flags.common.threads};
  for (SettingsLayer& layer : layers) make_absolute(layer.settings);
  return layers;
}

void tell_choices(const std::vector<Choice>& choices) {
  static const std::map<std::string, std::string> kFlags = {{"adapter.features", "--features"},
                                                            {"adapter.active", "--active"},
                                                            {"train.epochs", "--epochs"},
                                                            {"train.batch", "--batch"},
                                                            {"train.rate", "--rate"}};
  for (const Choice& choice : choices) {
    const auto flag = kFlags.find(choice.key);
    fmt::print(stderr, "orthant: {}{}\n", choice.text,
               flag == kFlags.end() ? "" : "; " + flag->second + " changes that");
  }
}

double mib(int64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

// Measured on a few steps of the run itself.
void plan(const adapt::AdaptRecipe& recipe, const adapt::Material& material, bool json) {
  constexpr double kSeconds = 3;
  const adapt::Adapter start = adapt::start_adapter(recipe, material);
  adapt::Learner learner(start, recipe.objective, recipe.adapter.unit, recipe.train.epsilon,
                         static_cast<int>(recipe.train.threads));
  adapt::Feed feed(recipe, material, learner.adapter());
  feed.begin(0, 0);
  adapt::Batch batch;
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin;
  int64_t done = -1;  // the first step of a process takes longer than all others
  double seconds = 0;
  while (feed.next(batch) && seconds < kSeconds) {
    learner.step(batch, {recipe.train.rate, recipe.adapter.active});
    if (++done == 0) begin = Clock::now();
    seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  const int64_t steps = feed.batches() * recipe.train.epochs;
  const double each = done > 0 ? seconds / static_cast<double>(done) : 0;
  const double rate = each > 0 ? static_cast<double>(recipe.train.batch) / each : 0;
  const adapt::AdaptMemory memory = adapt::memory_of(recipe, material);
  if (json) {
    const nlohmann::ordered_json document = {{"rows", material.vectors.rows()},
                                             {"dims", material.vectors.dims()},
                                             {"features", recipe.adapter.features},
                                             {"active", recipe.adapter.active},
                                             {"steps", steps},
                                             {"rows_per_second", rate},
                                             {"seconds", each * static_cast<double>(steps)},
                                             {"memory_bytes", memory.total()},
                                             {"memory_weights", memory.weights},
                                             {"memory_batch", memory.batch},
                                             {"memory_vectors", memory.vectors},
                                             {"memory_watch", memory.watch}};
    return fmt::print("{}\n", document.dump(2));
  }
  fmt::print("{} rows of {} -> {} features, {} on per row\n", material.vectors.rows(), material.vectors.dims(),
             recipe.adapter.features, recipe.adapter.active);
  fmt::print("{} steps of {} rows, {:.0f} rows/s: about {}\n", steps, recipe.train.batch, rate,
             each > 0 ? duration_text(each * static_cast<double>(steps)) : "not measured: there is one step");
  fmt::print("memory {:.0f} MiB: weights and moments {:.0f}, a batch {:.0f}, vectors {:.0f}{}, rows looked at {:.0f}\n",
             mib(memory.total()), mib(memory.weights), mib(memory.batch), mib(memory.vectors),
             feed.whole() ? "" : " (read in pieces)", mib(memory.watch));
}

void run(const App* command, const AdaptFlags& flags) {
  if (!flags.dry_run && flags.output.empty()) throw Misuse("--output is required");
  adapt::AdaptRecipe recipe = adapt::make_adapt_recipe(layers_of(command, flags));
  recipe.train.threads = resolve_threads(static_cast<int>(recipe.train.threads));
  if (!flags.dry_run)
    refuse_run(flags.output, flags.overwrite, "'orthant resume' continues it, --overwrite replaces it");
  const adapt::Material material = open_told(recipe, flags.common);
  const std::vector<Choice> choices = adapt::fit_to_rows(recipe, material.shape());
  if (!flags.common.quiet) tell_choices(choices);
  if (flags.dry_run) return plan(recipe, material, flags.json);
  const RunFolder folder = RunFolder::create(flags.output, flags.overwrite);
  io::write_file(folder.recipe_file(), adapt::adapt_text(recipe));
  run_adapting(recipe, material, folder, false, flags.common.quiet, flags.json);
  if (flags.common.quiet) return;
  const std::string name = terminal_text(folder.path());
  fmt::print(stderr, "{}: 'orthant embed {}' makes the codes, 'orthant explore {}' shows them\n", name, name, name);
}

}  // namespace

void add_adapt(App& app) {
  auto flags = std::make_shared<AdaptFlags>();
  flags->common.seed = static_cast<uint64_t>(adapt::LearnOptions{}.seed);
  App* command =
      add_command(app, "adapt", "Learn sparse, non-negative features of vectors from any model", flags->common);
  command->add_option("embeddings", flags->embeddings, "Vectors: .npy, .npz or .safetensors, of any size")
      ->type_name("FILE");
  command->add_option("-o,--output", flags->output, "Folder of the run")->type_name("RUN");
  command->add_flag("--overwrite", flags->overwrite, "Replace the run if there is one");
  command->add_flag("--dry-run", flags->dry_run, "Print time and memory that it would take, and stop");
  command->add_flag("--json", flags->json, "Print what codes keep, or the plan, as one JSON document");
  add_short_flags(command, adapt::AdaptRecipe{}, kShortFlags, flags->settings);
  add_setting_flags(command, flags->settings);
  command->callback([command, flags] { run(command, *flags); });
}

}  // namespace orthant::cli
