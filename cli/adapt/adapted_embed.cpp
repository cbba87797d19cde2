#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/adapt/adapting.h"
#include "cli/frame/progress.h"
#include "cli/frame/run_model.h"
#include "orthant/adapt/embed.h"
#include "orthant/core/error.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/settings_file.h"
#include "orthant/run/run_paths.h"

namespace orthant::cli {
namespace {

struct EmbedFlags {
  Common common;
  std::string run;
  EmbeddingsKey key = {.split = "all"};
  std::string labels;
  std::string ids;
  std::string output;
  bool overwrite = false;
};

// Rows of the run's own vectors; empty: all.
std::vector<int64_t> rows_of(const adapt::AdaptRecipe& recipe, const adapt::Vectors& vectors,
                             const std::string& split) {
  if (split == "all") return {};
  const auto held =
      adapt::held_out_rows(vectors.rows(), recipe.data.held_out, static_cast<uint64_t>(recipe.train.seed));
  check(split == "train" || !held.empty(), "[embed] expected rows that were held out, got a run without any");
  if (split == "test") return held;
  std::vector<int64_t> rows;
  for (int64_t i = 0; i < vectors.rows(); ++i) {
    if (!std::ranges::binary_search(held, i)) rows.push_back(i);
  }
  return rows;
}

std::string output_of(const EmbedFlags& flags) {
  if (!flags.output.empty()) return flags.output;
  const RunPaths run(flags.run);
  std::filesystem::create_directories(run.embeddings_folder());
  return run.embeddings_file(flags.key);
}

void run(EmbedFlags flags) {
  const RunPaths paths(flags.run);
  const adapt::Adapter adapter = adapt::read_adapter(run_model_file(flags.run));
  const adapt::AdaptRecipe recipe =
      adapt::make_adapt_recipe({{paths.recipe_file(), io::read_settings(paths.recipe_file())}});
  const bool second = flags.key.tower == "b";
  check(!second || !recipe.data.second.empty(), "[embed] expected a run of two towers for --tower b, got one of one");
  std::string& data = flags.key.data;
  if (data.starts_with("npy:")) data.erase(0, 4);
  const std::string own = second ? recipe.data.second : recipe.data.embeddings;
  if (!data.empty() && std::filesystem::absolute(data) == own) data.clear();
  check(data.empty() || flags.key.split == "all", "[embed] expected --split all for other vectors, got ",
        flags.key.split);
  const std::string output = output_of(flags);
  refuse_existing(output, flags.overwrite);
  const adapt::Vectors vectors(data.empty() ? own : data);
  adapt::DataOptions names = data.empty() ? recipe.data : adapt::DataOptions{};
  if (!flags.labels.empty()) names.labels = flags.labels;
  if (!flags.ids.empty()) names.ids = flags.ids;
  const std::vector<int64_t> rows = data.empty() ? rows_of(recipe, vectors, flags.key.split) : std::vector<int64_t>();
  Progress progress(flags.common.quiet);
  adapt::EmbedOptions options;
  options.active = flags.key.active;
  options.second = second;
  options.threads = flags.common.threads;
  options.spool.folder = std::filesystem::absolute(output).parent_path().string();
  const int64_t total = rows.empty() ? vectors.rows() : std::ssize(rows);
  options.progress = [&](int64_t done) { progress.update({"embed", done, total, "rows"}); };
  Embeddings embeddings = adapt::embed(adapter, vectors, adapt::row_names(names, vectors), rows, options);
  embeddings.how["model"] = flags.run;
  embeddings.how["split"] = flags.key.split;
  io::write_embeddings(output, embeddings);
  progress.clear();
  if (!flags.common.quiet) {
    fmt::print(stderr, "{}: {} x {}, {}\n", output, embeddings.rows(), embeddings.cols(),
               embeddings.sparse() ? "sparse" : "dense");
  }
}

}  // namespace

void add_adapted_embed(App& app) {
  auto flags = std::make_shared<EmbedFlags>();
  App* command = add_command(app, "embed", "Apply an adapter to vectors", flags->common);
  command->add_option("run", flags->run, "Folder of a run of 'orthant adapt'")->required()->type_name("RUN");
  command->add_option("--data", flags->key.data, "Vectors of the same kind; default: those it was learned from")
      ->type_name("FILE");
  command->add_option("--active", flags->key.active, "Features on per row; 0: as it was learned")
      ->check(between(0, 1 << 20))
      ->type_name("K");
  command->add_option("--split", flags->key.split, "Of its own vectors: all, train (learned from) or test (held out)")
      ->check(one_of({"train", "test", "all"}))
      ->type_name("SPLIT")
      ->capture_default_str();
  command->add_option("--tower", flags->key.tower, "Of a run of two towers: a or b")
      ->check(one_of({"a", "b"}))
      ->capture_default_str();
  command->add_option("--labels", flags->labels, "Classes of the rows (default: as the run has them)")
      ->type_name("FILE");
  command->add_option("--ids", flags->ids, "Ids of the rows (default: as the run has them)")->type_name("FILE");
  command
      ->add_option("-o,--output", flags->output,
                   "File: .safetensors, .npz (SciPy CSR), .npy or .csv; default: in the run's embeddings/")
      ->type_name("FILE");
  command->add_flag("--overwrite", flags->overwrite, "Replace the file if it exists");
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
