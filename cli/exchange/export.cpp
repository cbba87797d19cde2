#include "orthant/exchange/export.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/frame/progress.h"
#include "cli/look_inputs.h"
#include "orthant/core/error.h"
#include "orthant/exchange/item_keys.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/labels_file.h"

namespace orthant::cli {
namespace {

struct ExportFlags {
  Common common;
  std::string embeddings;
  std::string labels;
  std::string output;
  exchange::ExportOptions options;
  bool json = false;
};

Embeddings read(const ExportFlags& flags, const std::string& path) {
  Embeddings embeddings = io::read_embeddings(path);
  if (flags.labels.empty()) return embeddings;
  io::NamedLabels given = io::read_labels(flags.labels);
  check(std::ssize(given.labels) == embeddings.rows(), "[", flags.labels, "] expected a label for each of the ",
        embeddings.rows(), " rows of ", path, ", got ", given.labels.size());
  embeddings.labels = std::move(given.labels);
  embeddings.class_names = std::move(given.names);
  return embeddings;
}

exchange::ExportSummary exported(const Embeddings& embeddings, const ExportFlags& flags) {
  try {
    return exchange::export_embeddings(embeddings, flags.output, flags.options);
  } catch (const exchange::IdsDoNotFit& error) {
    fail(error.what(), "; --row-ids calls items by their row instead");
  }
}

void run(ExportFlags& flags) {
  if (!flags.options.overwrite) refuse_existing(flags.output, false);
  flags.options.source = embeddings_path(flags.embeddings);
  const Embeddings embeddings = read(flags, flags.options.source);
  Progress progress(flags.common.quiet);
  flags.options.threads = flags.common.threads;
  flags.options.progress = [&](int64_t done, int64_t total) { progress.update({"export", done, total, "items"}); };
  const exchange::ExportSummary summary = exported(embeddings, flags);
  progress.clear();
  if (flags.json) {
    const nlohmann::ordered_json report = {{"source", flags.options.source}, {"to", flags.options.to},
                                           {"output", flags.output},         {"rows", summary.rows},
                                           {"columns", embeddings.cols()},   {"entries", summary.entries},
                                           {"remarks", summary.remarks}};
    fmt::print("{}\n", report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else if (!flags.common.quiet) {
    fmt::print(stderr, "{}: {} items, {} values that are not 0; {} says how to load it\n", flags.output, summary.rows,
               summary.entries, (std::filesystem::path(flags.output) / "README.md").string());
    for (const std::string& remark : summary.remarks) fmt::print(stderr, "{}\n", remark);
  }
}

}  // namespace

void add_export(App& app) {
  auto flags = std::make_shared<ExportFlags>();
  App* command = add_command(
      app, "export", "Embeddings for another search engine, with the settings that keep them intact", flags->common);
  std::vector<std::string> names;
  std::string listing = "Targets:\n";
  for (const exchange::ExportTarget& target : exchange::export_targets()) {
    names.push_back(target.name);
    listing += fmt::format("  {:<15}{}\n", target.name, target.what);
  }
  command
      ->add_option("embeddings", flags->embeddings,
                   "Embeddings (.safetensors, .npy, .npz, SciPy CSR), or a run (its test split)")
      ->required()
      ->type_name("FILE|RUN");
  command->add_option("--to", flags->options.to, "What for, see below")
      ->required()
      ->check(one_of(names))
      ->type_name("TARGET");
  command->add_option("-o,--output", flags->output, "A new folder, with a README.md that says how to load it")
      ->required()
      ->type_name("DIR");
  command
      ->add_option("--labels", flags->labels, "Classes: integer .npy, or text with one per line (default: the file's)")
      ->type_name("FILE");
  command->add_option("--name", flags->options.name, "Of the collection, index or table")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_flag("--row-ids", flags->options.row_ids, "Call items by their row instead of their ids");
  command->add_flag("--json", flags->json, "Print one JSON document");
  command->add_flag("--overwrite", flags->options.overwrite, "Replace an earlier export");
  command->footer(listing);
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
