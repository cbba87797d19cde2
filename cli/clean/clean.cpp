#include "orthant/clean/clean.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/embed_process.h"
#include "cli/frame/progress.h"
#include "cli/frame/terminal_text.h"
#include "cli/look_inputs.h"
#include "orthant/catalogue/make_items.h"
#include "orthant/catalogue/names.h"
#include "orthant/catalogue/run_embeddings.h"
#include "orthant/clean/clean_json.h"
#include "orthant/core/error.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/labels_file.h"
#include "orthant/run/run_paths.h"
#include "orthant/sources/open.h"

namespace orthant::cli {
namespace {

struct CleanFlags {
  Common common;
  std::string input;
  std::string data;
  std::string split;
  std::string labels;
  std::string bank;
  std::string output;
  int64_t top = 10;
  bool json = false;
  bool overwrite = false;
};

// The embeddings that are looked at, with everything that is known of the items.
Embeddings read_items(const CleanFlags& flags) {
  const std::string split = !flags.split.empty() ? flags.split : flags.bank.empty() ? "train" : "test";
  Embeddings embeddings;
  io::NamedLabels given = flags.labels.empty() ? io::NamedLabels() : io::read_labels(flags.labels);
  DatasetPtr data;
  if (is_run(flags.input)) {
    embeddings =
        catalogue::run_embeddings(flags.input, {.data = flags.data, .split = split}, embed_process(flags.common))
            .embeddings;
  } else {
    embeddings = io::read_embeddings(embeddings_path(flags.input));
    DataOptions options;
    options.split = flags.split.empty() ? "all" : flags.split;
    if (!flags.data.empty()) data = open_dataset(flags.data, options);
  }
  check(given.labels.empty() || std::ssize(given.labels) == embeddings.rows(), "[", flags.labels,
        "] expected a label for each of the ", embeddings.rows(), " items of ", flags.input, ", got ",
        given.labels.size());
  const catalogue::NamedEmbeddings named{flags.input, &embeddings};
  catalogue::Items items = catalogue::make_items(std::span(&named, 1), {.data = data}, std::move(given));
  embeddings.ids = std::move(items.ids);
  embeddings.labels = std::move(items.labels);
  embeddings.class_names = std::move(items.classes);
  return embeddings;
}

std::string read_bank_ids(const Embeddings& bank, int64_t i) {
  return bank.ids.empty() ? std::to_string(i) : bank.ids[static_cast<size_t>(i)];
}

std::function<std::string(int64_t)> feature_names(const CleanFlags& flags, const Embeddings& embeddings) {
  std::shared_ptr<catalogue::Names> names;
  if (is_run(flags.input))
    names = std::make_shared<catalogue::Names>(RunPaths(flags.input).names_file(), embeddings.cols());
  return [names, &embeddings](int64_t f) {
    const std::string own = embeddings.feature_names.empty() ? "" : embeddings.feature_names[static_cast<size_t>(f)];
    const std::string given = names ? names->get(f).name : "";
    return !given.empty() ? given : !own.empty() ? own : fmt::format("f{}", f);
  };
}

void print_table(const clean::CleanReport& report, const clean::CleanNames& names, const CleanFlags& flags) {
  using clean::Kind;
  constexpr std::pair<Kind, const char*> kTitles[] = {{Kind::label, "labels"},
                                                      {Kind::duplicate, "duplicates"},
                                                      {Kind::leak, "leaks"},
                                                      {Kind::outlier, "outliers"},
                                                      {Kind::empty, "empty"}};
  fmt::print("{} items\n", report.items);
  for (const auto& [kind, title] : kTitles) {
    if (kind == Kind::leak && flags.bank.empty()) continue;
    fmt::print("\n{:<11}{:>6} suspect; {}\n", title, report.count(kind), clean::words_of(report, kind));
    int64_t shown = 0;
    for (const clean::Suspect& suspect : report.suspects) {
      if (suspect.kind != kind) continue;
      if (shown++ == flags.top) {
        fmt::print("  ... and {} more: -o FILE.csv has all\n", report.count(kind) - flags.top);
        break;
      }
      fmt::print("  {:<24} {:.3f}  {}\n", terminal_text(names.item(suspect.item)), suspect.score,
                 terminal_text(clean::words_of(suspect, names)));
    }
  }
}

void run(const CleanFlags& flags) {
  const std::string ending = std::filesystem::path(flags.output).extension();
  if (!flags.output.empty()) {
    refuse_existing(flags.output, flags.overwrite);
    check(ending == ".csv" || ending == ".json", "[", flags.output,
          "] expected a name that ends with .csv or .json, got ", ending.empty() ? "none" : ending);
  }
  const Embeddings embeddings = read_items(flags);
  Embeddings bank;
  if (!flags.bank.empty()) bank = io::read_embeddings(embeddings_path(flags.bank, "train"));
  Progress progress(flags.common.quiet);
  const clean::CleanReport report = clean::find_suspects(
      embeddings, embeddings.labels, flags.bank.empty() ? std::nullopt : std::optional<Features>(bank),
      {.seed = flags.common.seed, .threads = flags.common.threads, .progress = std::ref(progress)});
  progress.clear();
  const clean::CleanNames names{.item = [&](int64_t i) { return embeddings.ids[static_cast<size_t>(i)]; },
                                .bank_item = [&](int64_t i) { return read_bank_ids(bank, i); },
                                .klass =
                                    [&](int64_t c) {
                                      const bool named = static_cast<size_t>(c) < embeddings.class_names.size();
                                      return named ? embeddings.class_names[static_cast<size_t>(c)] : std::to_string(c);
                                    },
                                .feature = feature_names(flags, embeddings)};
  const std::string document = clean::to_json(report, names) + "\n";
  if (!flags.output.empty()) io::write_file(flags.output, ending == ".csv" ? clean::to_csv(report, names) : document);
  if (flags.json) {
    fmt::print("{}", document);
  } else {
    print_table(report, names, flags);
  }
}

}  // namespace

void add_clean(App& app) {
  auto flags = std::make_shared<CleanFlags>();
  App* command =
      add_command(app, "clean", "Items to look at: wrong labels, duplicates, leaks, outliers", flags->common);
  command->add_option("input", flags->input, "Embeddings (.safetensors, .npy, .npz, SciPy CSR), or a run")
      ->required()
      ->type_name("FILE|RUN");
  command->add_option(
      "--data", flags->data,
      "Data set, KIND[:PATH]: what a run embeds (default: what it was trained on); of a file, its ids and labels");
  command
      ->add_option("--split", flags->split,
                   "train, test or all (of a run: train, test with --bank; of a file's data: all)")
      ->check(one_of({"train", "test", "all"}))
      ->type_name("SPLIT");
  command
      ->add_option("--labels", flags->labels, "Classes: integer .npy, or text with one per line (default: the file's)")
      ->type_name("FILE");
  command
      ->add_option("--bank", flags->bank, "Training embeddings, or a run that has them: what is there too has leaked")
      ->type_name("FILE|RUN");
  command->add_option("--top", flags->top, "Suspects of each kind that are printed")
      ->check(between(0, INT64_MAX))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("-o,--output", flags->output, "All suspects: .csv or .json")->type_name("FILE");
  command->add_flag("--json", flags->json, "Print one JSON document");
  command->add_flag("--overwrite", flags->overwrite, "Replace the file if it exists");
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
