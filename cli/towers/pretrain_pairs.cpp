#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>

#include "cli/data_flags.h"
#include "cli/frame/run_model.h"
#include "cli/towers/pair_plan.h"
#include "cli/towers/pairs.h"
#include "learn/task/pair_task.h"
#include "learn/text/word_vectors.h"
#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/safetensors.h"
#include "orthant/run/checkpoint.h"
#include "orthant/run/model_metadata.h"
#include "orthant/towers/tower_files.h"

namespace orthant::cli {
namespace {

constexpr std::array kPairFlags = {
    ShortFlag{"--pairs", "data.source"},
    ShortFlag{"--with", "data.with"},
    ShortFlag{"--init-from-a", "train.init_from_a"},
    ShortFlag{"--init-from-b", "train.init_from_b"},
    ShortFlag{"--freeze", "train.freeze"},
    ShortFlag{"--word-vectors", "train.word_vectors"},
    ShortFlag{"--learn-temperature", "loss.learn_temperature"},
    ShortFlag{"--scale-cap", "loss.scale_cap"},
};

// Where a tower starts from.
struct Start {
  std::string file;
  std::optional<ModelOptions> model;  // if it is a model of ours
};

std::string start_file(const std::string& source, Tower tower) {
  const bool of_two = is_run(source) && !trained_with(RunPaths(source)).empty();
  return of_two ? tower_file(RunPaths(source), tower) : run_model_file(source);
}

// Its network comes before everything that was said.
std::map<Tower, Start> find_starts(std::vector<SettingsLayer>& layers) {
  std::map<Tower, Start> starts;
  const PairRecipe asked = make_pair_recipe(layers);
  for (const Tower tower : {Tower::a, Tower::b}) {
    const std::string source = tower_recipe(asked, tower).train.init_from;
    if (source.empty()) continue;
    Start start{start_file(source, tower), {}};
    const auto metadata = io::SafeTensors::open(start.file).metadata();
    if (metadata.contains("backbone.name")) {
      start.model = parse_model_metadata(metadata, start.file);
      layers.insert(layers.begin(), {source, tower_settings(*start.model, tower)});
    }
    starts[tower] = std::move(start);
  }
  return starts;
}

// A projector of other widths than the one in the file starts anew.
bool takes_projector(const PairRecipe& recipe, Tower tower, const Start& start) {
  return !start.model || start.model->projector == recipe.of(tower).projector;
}

void check_start(const PairRecipe& recipe, Tower tower, const Start& start) {
  if (!start.model) return;
  ModelOptions model = *start.model;
  model.projector = recipe.of(tower).projector;
  check_architecture(tower_recipe(recipe, tower), model, start.file);
}

void tell_choices(const std::vector<Choice>& choices) {
  for (const Choice& choice : choices) {
    fmt::print(stderr, "orthant: {}{}\n", choice.text,
               choice.key.empty() ? "" : fmt::format("; --set {}=... changes that", choice.key));
  }
}

void refuse_misuse(const App* command, const PairSession& session) {
  if (session.budget > 0) throw Misuse("--budget is for one data set: expected it without --pairs");
  if (!session.dry_run && session.output.empty()) throw Misuse("--output is required");
  if (command->count("--init-from") > 0) throw Misuse("--init-from is for one network: expected --init-from-a or -b");
}

bool reads_texts(const PairRecipe& recipe, Tower tower) { return recipe.of(tower).backbone.name.starts_with("text-"); }

// Networks that start from word vectors have words as long as these, unless it was said otherwise.
void fit_words(PairRecipe& recipe, const std::vector<SettingsLayer>& layers) {
  if (recipe.train.word_vectors.empty()) return;
  const int64_t dims = word_vector_dims(recipe.train.word_vectors);
  for (const Tower tower : {Tower::a, Tower::b}) {
    const bool chosen =
        said(layers, "backbone.dims") || said(layers, fmt::format("backbone_{}.dims", to_string(tower)));
    if (reads_texts(recipe, tower) && !chosen) recipe.of(tower).backbone.dims = dims;
  }
}

// The words of every tower that reads texts and has not learned its own.
void start_words(PairTask& task, const PairRecipe& recipe, const std::map<Tower, Start>& starts, const Common& common) {
  bool read = false;
  for (const Tower tower : {Tower::a, Tower::b}) {
    if (!reads_texts(recipe, tower) || starts.contains(tower)) continue;
    const int64_t words = start_from_word_vectors(task.model(tower), recipe.train.word_vectors);
    if (!common.quiet) fmt::print(stderr, "orthant: tower {} starts from {} word vectors\n", to_string(tower), words);
    read = true;
  }
  check(read, "[", recipe.train.word_vectors, "] expected a new tower that reads texts for word vectors, got none");
}

}  // namespace

void add_pair_flags(App* command, SettingSources& sources) {
  add_short_flags(command, PairRecipe{}, kPairFlags, sources);
  command->add_flag_function(
      "--shared-projector", [&sources] { sources.set_flag("--shared-projector", "train.shared_projector", "true"); },
      "Both towers end in one projector");
}

bool names_pairs(const App* command, const SettingSources& sources) {
  const bool pairs = command->count("--pairs") > 0;
  if (pairs && command->count("--data") > 0) throw Misuse("--pairs and --data: expected one of them");
  if (pairs != (command->count("--with") > 0)) throw Misuse("--pairs A --with B: expected both or neither");
  const bool named = pairs || sources.says("data.with");
  for (const ShortFlag& entry : kPairFlags) {
    if (!named && command->count(entry.flag) > 0) throw Misuse(fmt::format("{}: expected it with --pairs", entry.flag));
  }
  if (!named && command->count("--shared-projector") > 0) throw Misuse("--shared-projector: expected it with --pairs");
  return named;
}

void pretrain_pairs(const App* command, const SettingSources& sources, const Common& common,
                    const PairSession& session) {
  refuse_misuse(command, session);
  auto layers = setting_layers(command, sources, common, pair_keys());
  const std::map<Tower, Start> starts = find_starts(layers);
  PairRecipe recipe = make_pair_recipe(layers);
  recipe.train.threads = resolve_threads(static_cast<int>(recipe.train.threads));
  const PairedParts data = open_paired_parts(recipe);
  tell_notes(data.train.a->info(), common);
  tell_notes(data.train.b->info(), common);
  const std::vector<Choice> choices = fit_pairs(recipe, layers, data.train);
  fit_words(recipe, layers);
  for (const auto& [tower, start] : starts) check_start(recipe, tower, start);
  if (!common.quiet) tell_choices(choices);
  if (session.dry_run) return print_pair_plan(recipe, data.train, session.json, common.quiet);
  refuse_run(session.output, session.overwrite, kRunExists);
  PairTask task(recipe, data);
  for (const auto& [tower, start] : starts) {
    const bool taken = recipe.train.shared_projector && tower == Tower::b && starts.contains(Tower::a);
    if (takes_projector(recipe, tower, start) && !taken) {
      task.model(tower).load_weights(start.file);
    } else {
      task.model(tower).load_backbone(start.file);
    }
  }
  if (!recipe.train.word_vectors.empty()) start_words(task, recipe, starts, common);
  const RunFolder folder = RunFolder::create(session.output, session.overwrite);
  Trainer trainer(task, recipe.optimiser, recipe.train.threads);
  if (!starts.empty() || !recipe.train.word_vectors.empty())
    write_checkpoint(folder.checkpoint_folder(), 0, trainer.save());
  io::write_file(folder.recipe_file(), pair_text(recipe));
  run_session(trainer, tower_recipe(recipe, Tower::a), folder, common.quiet, session.json);
}

}  // namespace orthant::cli
