#include "learn/train/embed.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/data_flags.h"
#include "cli/frame/interrupt.h"
#include "cli/frame/processes.h"
#include "cli/frame/progress.h"
#include "cli/frame/terminal_text.h"
#include "cli/towers/tower_run.h"
#include "cli/training.h"
#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/corrupt/corrupt.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/settings_file.h"
#include "orthant/shards/meeting.h"
#include "orthant/shards/merge.h"
#include "orthant/sources/open.h"

namespace orthant::cli {
namespace {

struct EmbedFlags {
  Common common;
  std::string run;
  EmbeddingsKey key;  // but for the seed; an empty split: see unseen_split()
  int64_t batch = 256;
  std::string output;
  bool strict = false;
  bool overwrite = false;
  ProcessFlags processes;
};

// What the run was trained on, if nothing else is said.
std::string data_of(const EmbedFlags& flags, const Model& model) {
  if (!flags.key.data.empty()) return flags.key.data;
  const auto& notes = model.options().notes;
  const auto found = notes.find("data");
  check(found != notes.end(), "[embed] expected --data, since ", flags.run, " does not say what it was trained on");
  return found->second;
}

// Without data if these are what the run was trained on.
EmbeddingsKey key_of(const EmbedFlags& flags) {
  EmbeddingsKey key = flags.key;
  if (!is_run(flags.run)) return key;
  const RunPaths run(flags.run);
  const std::string own = key.tower == "b" ? trained_with(run) : trained_on(run);
  if (absolute_spec(key.data) == absolute_spec(own)) key.data.clear();
  return key;
}

// By default the file of the run that holds just this.
std::string output_of(const EmbedFlags& flags, EmbeddingsKey key) {
  if (!flags.output.empty()) return flags.output;
  check(is_run(flags.run), "[embed] expected -o FILE for a model that is not in a run, got none");
  const RunPaths run(flags.run);
  key.seed = flags.common.seed;
  std::filesystem::create_directories(run.embeddings_folder());
  return run.embeddings_file(key);
}

// The random views of the run's recipe.
Augmentation augmentation(const EmbedFlags& flags) {
  check(is_run(flags.run), "[embed] expected a run for --views, whose recipe says how views are made, got ", flags.run);
  const auto pairs = pair_recipe_of(flags.run);
  const std::string file = RunPaths(flags.run).recipe_file();
  const Recipe recipe =
      pairs ? tower_recipe(*pairs, tower_of(flags.key.tower)) : make_recipe({{file, io::read_settings(file)}});
  return {recipe.views, recipe.data.vector_noise, recipe.data.vector_dropout, text_views(recipe)};
}

// "test of folder:DIR: 6 of 60 items".
std::string taken(const Dataset& data) {
  const DatasetInfo& info = data.info();
  const auto all = std::ranges::find(info.splits, "all", &NamedCount::name);
  const bool known = all != info.splits.end() && all->count != data.size();
  return fmt::format("{} of {}: {}{} items", info.split, info.name, data.size(),
                     known ? fmt::format(" of {}", all->count) : "");
}

// Of a run of two towers what it was trained on comes in its pairs.
DatasetPtr open_items(const EmbedFlags& flags, const EmbeddingsKey& key, const std::string& source,
                      const DataOptions& options) {
  const auto pairs = key.data.empty() ? pair_recipe_of(flags.run) : std::nullopt;
  return pairs ? open_tower_data(*pairs, key.tower, options) : open_dataset(source, options);
}

// The parts of all processes, at rank 0; the others hand theirs over.
Embeddings put_together(Embeddings part, const std::string& output, const World& world, const EmbedOptions& options) {
  shards::Meeting meeting(output, world.rank, world.size);
  io::write_embeddings(meeting.part(), part);
  part = {};
  if (world.rank > 0) {
    meeting.hand_over(stop_if_interrupted);
    return {};
  }
  // What is mapped stays readable when the files are removed.
  Embeddings whole = shards::merge_parts(meeting.collect(stop_if_interrupted), options.augmentation ? options.views : 1,
                                         options.spool);
  meeting.finish();
  return whole;
}

void run(EmbedFlags flags) {
  const World world = enter_world(flags.processes);
  if (world.rank > 0) flags.common.quiet = true;  // rank 0 tells it all
  Model model = Model::load(model_file_of(flags.run, flags.key.tower));
  const std::string source = data_of(flags, model);
  EmbeddingsKey key = key_of(flags);
  const auto& notes = model.options().notes;
  if (key.split.empty())
    key.split = unseen_split(source, notes.contains("data") ? notes.at("data") : "",
                             {.strict = flags.strict, .threads = flags.common.threads});
  const std::string output = output_of(flags, key);
  refuse_existing(output, flags.overwrite);
  const DatasetPtr data = open_items(flags, key, source,
                                     {.split = key.split,
                                      .size = key.size,
                                      .strict = flags.strict,
                                      .threads = flags.common.threads,
                                      .corrupt = key.corrupt});
  tell_notes(data->info(), flags.common);
  Progress progress(flags.common.quiet);
  EmbedOptions options;
  options.layer = flags.key.layer;
  options.batch = flags.batch;
  options.all_texts = flags.key.tower == "b";
  options.threads = resolve_threads(flags.common.threads);
  options.seed = flags.common.seed;
  if (flags.key.views > 0) {
    options.augmentation = augmentation(flags);
    options.views = flags.key.views;
  }
  options.progress = [&](int64_t items) { progress.update({"embed", items, data->size(), "items"}); };
  options.rank = world.rank;
  options.ranks = world.size;
  options.spool.folder = std::filesystem::absolute(output).parent_path().string();
  Embeddings embeddings = embed(model, data, options);
  embeddings.how["model"] = flags.run;
  if (!flags.key.corrupt.empty()) embeddings.how["corrupt"] = corrupt::to_string(corrupt::parse(flags.key.corrupt));
  if (world.size > 1) {
    embeddings = put_together(std::move(embeddings), output, world, options);
    if (world.rank > 0) return;
  }
  io::write_embeddings(output, embeddings);
  progress.clear();
  if (!flags.common.quiet) {
    fmt::print(stderr, "{}: {} x {}, {}; {}\n", output, embeddings.rows(), embeddings.cols(),
               embeddings.sparse() ? "sparse" : "dense", terminal_text(taken(*data)));
  }
}

}  // namespace

void add_embed(App& app) {
  auto flags = std::make_shared<EmbedFlags>();
  flags->key.split.clear();
  App* command = add_learn_command(app, "embed", flags->common);
  command->add_option("run", flags->run, "Folder of a run, or its model.safetensors")->required()->type_name("RUN");
  command->add_option("--tower", flags->key.tower, "Of a run of two towers: a or b")
      ->check(one_of({"a", "b"}))
      ->capture_default_str();
  command->add_option("--data", flags->key.data, "Data set, KIND[:PATH]; default: what the run was trained on");
  command
      ->add_option("--split", flags->key.split,
                   "train, test or all; default: test, but all of other data that came without a split")
      ->check(one_of({"train", "test", "all"}))
      ->type_name("SPLIT");
  command->add_option("--size", flags->key.size, "Items to take; 0: all")->check(between(0, INT64_MAX))->type_name("N");
  command
      ->add_option("--corrupt", flags->key.corrupt,
                   "Corrupt the pictures: NAME or NAME:SEVERITY (1 to 5), such as fog:3; see docs/corruptions.md")
      ->type_name("NAME");
  command->add_flag("--strict", flags->strict, "Refuse a folder with unreadable pictures instead of skipping them");
  command->add_option("--layer", flags->key.layer, "projector: what the loss saw; backbone: what comes before")
      ->check(one_of({"projector", "backbone"}))
      ->capture_default_str();
  command->add_option("--views", flags->key.views, "Random views of each item instead of the item itself; 0: none")
      ->check(between(0, 64))
      ->type_name("N");
  command->add_option("--batch", flags->batch, "Items at once")
      ->check(between(1, 1 << 20))
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("-o,--output", flags->output,
                   "File: .safetensors, .npz (SciPy CSR if sparse), .npy or .csv; default: in the run's embeddings/, "
                   "named by the flags")
      ->type_name("FILE");
  command->add_flag("--overwrite", flags->overwrite, "Replace the file if it exists");
  command
      ->add_option("--processes", flags->processes.processes,
                   "Processes on this machine that embed a range of the items each")
      ->check(between(1, 4096))
      ->type_name("N")
      ->capture_default_str();
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
