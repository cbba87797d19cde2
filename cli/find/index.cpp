#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/frame/interrupt.h"
#include "cli/frame/progress.h"
#include "cli/look_inputs.h"
#include "orthant/core/error.h"
#include "orthant/core/version.h"
#include "orthant/index/edit.h"
#include "orthant/index/recall.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/labels_file.h"
#include "orthant/io/text_lines.h"

namespace orthant::cli {
namespace {

using index::Index;

struct IndexFlags {
  Common common;
  std::string index;
  std::string embeddings;
  std::string labels;
  std::string output;
  std::string metric = "cosine";
  std::string values = "f32";
  std::vector<std::string> ids;
  std::string ids_file;
  bool replace = false;
  bool overwrite = false;
  bool json = false;
  bool edited = false;  // by one of the sub-commands
};

const std::vector<std::string> kMetrics = {"cosine", "dot"};
const std::vector<std::string> kValues = {"f32", "u16", "u8"};

Embeddings read_items(const IndexFlags& flags) {
  Embeddings embeddings = io::read_embeddings(embeddings_path(flags.embeddings));
  if (flags.labels.empty()) return embeddings;
  io::NamedLabels given = io::read_labels(flags.labels);
  check(std::ssize(given.labels) == embeddings.rows(), "[", flags.labels, "] expected a label for each of the ",
        embeddings.rows(), " rows of ", flags.embeddings, ", got ", given.labels.size());
  embeddings.labels = std::move(given.labels);
  embeddings.class_names = std::move(given.names);
  return embeddings;
}

void tell(const std::string& path, const IndexFlags& flags) {
  const Index index = Index::open(path);
  const index::Directory& directory = index.directory();
  const index::RecallPlan plan = index::plan_for(index, 0.95);
  if (flags.json) {
    nlohmann::ordered_json curve = nlohmann::ordered_json::array();
    for (const auto& point : directory.curve.points) {
      curve.push_back({{"blocks", point.blocks}, {"recall", point.recall}, {"error", point.error}});
    }
    const nlohmann::ordered_json report = {
        {"index", path},
        {"items", index.size()},
        {"features", index.features()},
        {"entries", index.entries()},
        {"segments", directory.segments.size()},
        {"bytes", index.file_bytes()},
        {"metric", kMetrics[static_cast<size_t>(directory.metric)]},
        {"values", kValues[static_cast<size_t>(directory.values)]},
        {"largest_loss", directory.largest_loss},
        {"blocks", index.blocks()},
        {"recall", {{"items", directory.curve.queries}, {"k", directory.curve.k}, {"curve", curve}}},
        {"version", version()}};
    fmt::print("{}\n", report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return;
  }
  if (flags.common.quiet) return;
  fmt::print(stderr, "{}: {} items x {} features, {} entries in {} segment{}, {:.1f} MB; {}\n", path, index.size(),
             index.features(), index.entries(), directory.segments.size(), directory.segments.size() == 1 ? "" : "s",
             static_cast<double>(index.file_bytes()) / 1e6, kMetrics[static_cast<size_t>(directory.metric)]);
  if (directory.values != index::Values::f32) {
    fmt::print(stderr, "values of {} bits: none is off by more than {:.2g} of its feature's largest\n",
               8 * index::value_bytes(directory.values), directory.largest_loss);
  }
  if (plan.blocks > 0) {
    fmt::print(stderr, "search --recall 0.95 reads {} of {} blocks: {:.3f} +- {:.3f} for {} items of it\n", plan.blocks,
               index.blocks(), plan.measured, plan.error, directory.curve.queries);
  } else {
    fmt::print(stderr, "search --recall 0.95 is exact here: reading enough blocks would be more work\n");
  }
}

index::Progress told_to(Progress& progress) {
  return [&progress](const std::string& what, int64_t done, int64_t total) {
    progress.update({what, done, total, "items"});
  };
}

// Says once that another process has the index, and goes on waiting until Ctrl-C.
index::Waiting waiting_for(const std::string& path) {
  return [path, said = false]() mutable {
    if (!said) fmt::print(stderr, "{}: another program changes it; waiting until it is done\n", path);
    said = true;
    stop_if_interrupted();
  };
}

void build(const IndexFlags& flags) {
  if (flags.edited) return;
  if (flags.embeddings.empty())
    throw Misuse("index: expected a file of embeddings or a run, or add, remove, merge or verify");
  if (flags.output.empty()) throw Misuse("index: expected -o FILE.oix");
  refuse_existing(flags.output, flags.overwrite);
  const Embeddings embeddings = read_items(flags);
  {
    Progress progress(flags.common.quiet);
    const auto choice = [](const std::vector<std::string>& from, const std::string& name) {
      return static_cast<uint32_t>(std::ranges::find(from, name) - from.begin());
    };
    index::build_index(flags.output, embeddings, flags.embeddings,
                       {.metric = static_cast<index::Metric>(choice(kMetrics, flags.metric)),
                        .values = static_cast<index::Values>(choice(kValues, flags.values)),
                        .threads = flags.common.threads,
                        .progress = told_to(progress),
                        .waiting = waiting_for(flags.output)});
  }
  tell(flags.output, flags);
}

void edit(const IndexFlags& flags, const std::function<void(const index::EditOptions&)>& work) {
  {
    Progress progress(flags.common.quiet);
    work({.replace = flags.replace,
          .threads = flags.common.threads,
          .progress = told_to(progress),
          .waiting = waiting_for(flags.index)});
  }
  tell(flags.index, flags);
}

void add_items(const IndexFlags& flags) {
  const Embeddings embeddings = read_items(flags);
  edit(flags, [&](const auto& options) { index::add_to_index(flags.index, embeddings, flags.embeddings, options); });
}

void remove_items(const IndexFlags& flags) {
  std::vector<std::string> ids = flags.ids;
  if (!flags.ids_file.empty()) {
    for (std::string& line : io::read_lines(flags.ids_file)) ids.push_back(std::move(line));
  }
  if (ids.empty()) throw Misuse("index remove: expected ids, or --ids FILE with one per line");
  edit(flags, [&](const auto& options) { index::remove_from_index(flags.index, ids, options); });
}

void verify(const IndexFlags& flags) {
  Index::open(flags.index).verify(flags.common.threads);
  tell(flags.index, flags);
}

App* add_edit(App& parent, const std::shared_ptr<IndexFlags>& flags, const std::string& name,
              const std::string& description, void (*run)(const IndexFlags&)) {
  App* command = add_command(parent, name, description, flags->common);
  command->add_option("index", flags->index, "The index")->required()->type_name("FILE.oix");
  command->add_flag("--json", flags->json, "Print what the index is as one JSON document");
  command->callback([flags, run] {
    flags->edited = true;
    run(*flags);
  });
  return command;
}

}  // namespace

void add_index(App& app) {
  auto flags = std::make_shared<IndexFlags>();
  App* command = add_command(app, "index", "Index non-negative features, to search millions of items in milliseconds",
                             flags->common);
  command->add_option("embeddings", flags->embeddings, "Embeddings, or a run (its test split)")->type_name("FILE|RUN");
  command->add_option("-o,--output", flags->output, "The index to write")->type_name("FILE.oix");
  command
      ->add_option("--labels", flags->labels, "Classes: integer .npy, or text with one per line (default: the file's)")
      ->type_name("FILE");
  command->add_option("--metric", flags->metric, "What a score is: cosine of the angle, or dot product")
      ->check(one_of(kMetrics))
      ->capture_default_str();
  command
      ->add_option("--values", flags->values,
                   "Form of the values: f32 as they are; u16, u8 smaller, with a loss that is told")
      ->check(one_of(kValues))
      ->capture_default_str();
  command->add_flag("--overwrite", flags->overwrite, "Replace the file if it exists");
  command->add_flag("--json", flags->json, "Print what the index is as one JSON document");
  command->callback([flags] { build(*flags); });

  App* add = add_edit(*command, flags, "add", "Add items as a segment of their own", add_items);
  add->add_option("embeddings", flags->embeddings, "Embeddings, or a run (its test split)")
      ->required()
      ->type_name("FILE|RUN");
  add->add_option("--labels", flags->labels, "Classes, as for index")->type_name("FILE");
  add->add_flag("--replace", flags->replace, "Items whose ids are there already take their place");
  App* remove = add_edit(*command, flags, "remove", "Remove items by id", remove_items);
  remove->add_option("ids", flags->ids, "Ids")->type_name("ID ...");
  remove->add_option("--ids", flags->ids_file, "Ids, one per line")->type_name("FILE");
  add_edit(*command, flags, "merge", "Write all that is left as one segment", [](const IndexFlags& all) {
    edit(all, [&](const auto& options) { index::merge_index(all.index, options); });
  });
  add_edit(*command, flags, "verify", "Compare everything with its checksum, and say what the index is", verify);
}

}  // namespace orthant::cli
