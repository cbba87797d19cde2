#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <span>

#include "cli/commands.h"
#include "cli/embed_process.h"
#include "cli/frame/progress.h"
#include "cli/frame/terminal_text.h"
#include "cli/look_inputs.h"
#include "cli/measure_table.h"
#include "cli/towers/measure_pairs.h"
#include "orthant/catalogue/measure_input.h"
#include "orthant/catalogue/run_embeddings.h"
#include "orthant/core/error.h"
#include "orthant/data/class_match.h"
#include "orthant/io/atomic_file.h"
#include "orthant/measure/evaluation.h"
#include "orthant/measure/knn_drop.h"
#include "orthant/run/run_paths.h"
#include "orthant/sources/open.h"

namespace orthant::cli {
namespace {

struct MeasureFlags {
  Common common;
  std::vector<std::string> embeddings;
  std::vector<std::string> views;
  std::vector<std::string> banks;
  std::string labels;
  std::string factors;
  std::string compare;
  std::string reference;
  std::vector<std::string> test_data;
  bool pairs = false;
  std::string definition = "paper";
  measure::EvaluationOptions options;
  double temperature = 0;
  bool json = false;
  std::string output;
  bool overwrite = false;
};

// The i-th of a flag that may be given once for each file of embeddings.
std::string of_file(const std::vector<std::string>& values, size_t i) { return values.empty() ? "" : values[i]; }

measure::MeasureReport measure_input(const MeasureFlags& flags, const catalogue::MeasureInput& input) {
  measure::EvaluationOptions options = flags.options;
  options.sepin.temperature =
      flags.temperature > 0 ? flags.temperature : input.temperature().value_or(options.sepin.temperature);
  return measure::evaluate(input.input(), options);
}

catalogue::MeasureFiles files_of(const MeasureFlags& flags, size_t i) {
  const std::string bank = of_file(flags.banks, i);
  return {.embeddings = flags.embeddings[i],
          .labels = flags.labels,
          .factors = flags.factors,
          .views = of_file(flags.views, i),
          .bank = bank.empty() ? "" : embeddings_path(bank, "train"),
          .compare = flags.compare.empty() ? "" : embeddings_path(flags.compare),
          .reference = flags.reference.empty() ? "" : embeddings_path(flags.reference)};
}

measure::MeasureReport measure_one(const MeasureFlags& flags, size_t i) {
  catalogue::MeasureFiles files = files_of(flags, i);
  files.embeddings = embeddings_path(files.embeddings);
  return measure_input(flags, catalogue::MeasureInput(files));
}

// Heads a column: the run for a file inside one, otherwise the file's own name.
std::string short_name(const std::string& path) {
  const std::filesystem::path file = std::filesystem::path(path).lexically_normal();
  if (std::filesystem::is_directory(file)) return (file.has_filename() ? file : file.parent_path()).filename();
  const std::filesystem::path run = file.parent_path().parent_path();
  if (file.parent_path() == RunPaths(run.string()).embeddings_folder()) return run.filename();
  return file.stem();
}

// "folder:sketches" of "folder:/data/sketches".
std::string short_data(const std::string& spec) {
  const size_t colon = spec.find(':');
  if (colon == std::string::npos) return spec;
  return spec.substr(0, colon + 1) + short_name(spec.substr(colon + 1));
}

struct Column {
  std::string name;
  measure::MeasureReport report;
};

// A run on its own test items and on other data, all against its training embeddings where these are there.
std::vector<Column> measure_on_test_data(const MeasureFlags& flags, size_t i) {
  const std::string& run = flags.embeddings[i];
  check(is_run(run), "[", run, "] expected a run for --test-data, whose model can embed it, got ",
        std::filesystem::exists(run) ? "a file" : "no such run");
  const auto embed = embed_process(flags.common);
  catalogue::MeasureFiles files = files_of(flags, i);
  const std::string training = RunPaths(run).embeddings_file({.split = "train"});
  if (files.bank.empty() && std::filesystem::exists(training)) files.bank = training;
  catalogue::RunEmbeddings own = catalogue::run_embeddings(run, {}, embed);
  files.embeddings = own.file;
  const NamedClasses known{own.file, own.embeddings.class_names};
  std::vector<Column> columns = {
      {short_name(run), measure_input(flags, catalogue::MeasureInput(std::move(own.embeddings), files))}};
  files.labels = files.factors = files.views = files.compare = files.reference = "";  // are of the run's own items
  for (const std::string& data : flags.test_data) {
    const std::string split = unseen_split(data, trained_on(RunPaths(run)));
    catalogue::RunEmbeddings made = catalogue::run_embeddings(run, {.data = data, .split = split}, embed);
    files.embeddings = join(run, " on ", data);
    const std::vector<std::string>& classes = made.embeddings.class_names;
    if (!classes.empty() && !known.names.empty()) match_classes({data, classes}, known);
    columns.push_back({join(short_name(run), " on ", short_data(data)),
                       measure_input(flags, catalogue::MeasureInput(std::move(made.embeddings), files))});
    measure::add_knn_drop(columns.back().report, columns.front().report);
  }
  return columns;
}

// What gives a measure what it lacks.
std::string advice(std::span<const measure::MeasureReport> reports) {
  constexpr std::pair<const char*, const char*> kFlags[] = {{"no labels", "--labels FILE"},
                                                            {"no second view", "--views FILE"},
                                                            {"no ground-truth factors", "--factors FILE"},
                                                            {"no second model", "--compare FILE"},
                                                            {"no reference", "--reference FILE"}};
  std::string text;
  for (const auto& [reason, flag] : kFlags) {
    const bool met = std::ranges::any_of(reports, [reason = reason](const measure::MeasureReport& report) {
      return std::ranges::count(report.skipped, reason, &measure::Skipped::reason) > 0;
    });
    if (met) text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", reason, flag);
  }
  return text.empty() ? "" : text + "\n";
}

void check_counts(const MeasureFlags& flags) {
  for (const auto& [name, values] : {std::pair("--views", &flags.views), std::pair("--bank", &flags.banks)}) {
    check(values->empty() || values->size() == flags.embeddings.size(), "[", name, "] expected one for each of the ",
          flags.embeddings.size(), " embeddings, got ", values->size());
  }
}

std::vector<Column> measure_all(const MeasureFlags& flags) {
  std::vector<Column> all;
  for (size_t i = 0; i < flags.embeddings.size(); ++i) {
    if (flags.test_data.empty()) {
      all.push_back({short_name(flags.embeddings[i]), measure_one(flags, i)});
    } else {
      std::ranges::move(measure_on_test_data(flags, i), std::back_inserter(all));
    }
  }
  return all;
}

std::vector<Column> measure_pairs(const MeasureFlags& flags) {
  std::vector<Column> all;
  auto reports = pair_reports(
      flags.embeddings, flags.labels,
      {.threshold = flags.options.threshold, .seed = flags.common.seed, .threads = flags.common.threads}, flags.common);
  const bool files = reports.size() < flags.embeddings.size();
  for (size_t i = 0; i < reports.size(); ++i) {
    all.push_back({files ? "pairs" : short_name(flags.embeddings[i]), std::move(reports[i])});
  }
  return all;
}

void run(const MeasureFlags& flags) {
  if (!flags.output.empty()) refuse_existing(flags.output, flags.overwrite);
  check_counts(flags);
  std::vector<measure::MeasureReport> reports;
  std::vector<std::string> names;
  for (Column& column : flags.pairs ? measure_pairs(flags) : measure_all(flags)) {
    names.push_back(terminal_text(column.name));
    reports.push_back(std::move(column.report));
  }
  const std::string document = measure::to_json(reports) + "\n";
  if (!flags.output.empty()) io::write_file(flags.output, document);
  if (flags.json) {
    fmt::print("{}", document);
  } else if (flags.pairs) {
    fmt::print("{}", pair_table(reports, names));
  } else {
    fmt::print("{}{}", measure_table(reports, names), advice(reports));
  }
}

// Measures that a pair does not have.
void add_pairs(App& command, MeasureFlags& flags) {
  Option* const pairs =
      command.add_flag("--pairs", flags.pairs,
                       "How two towers find each other: of a run with two, or of two files that belong together by id");
  for (const char* other : {"--views", "--factors", "--bank", "--test-data", "--compare", "--reference", "--definition",
                            "--only", "--keep", "--knn-k", "--temperature", "--sepin-variants"}) {
    pairs->excludes(command.get_option(other));
  }
}

void add_inputs(App& command, MeasureFlags& flags) {
  command.add_option("embeddings", flags.embeddings, "Embeddings (.safetensors, .npy, .npz, SciPy CSR) or runs")
      ->type_name("FILE|RUN")
      ->required();
  command
      .add_option("--labels", flags.labels, "Classes: integer .npy, or text with one per line (default: the file's)")
      ->type_name("FILE");
  command.add_option("--views", flags.views, "Second views, or what embed --views 2 wrote; one for each embeddings")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command.add_option("--factors", flags.factors, "Ground truth: integer .npy [items, factors] (default: the file's)")
      ->type_name("FILE");
  command
      .add_option("--bank", flags.banks,
                  "Training embeddings that k-NN and retrieval search, or a run that has them; one for each")
      ->type_name("FILE|RUN")
      ->allow_extra_args(false);
  command.add_option("--test-data", flags.test_data, "Measure runs on this data set as well, KIND[:PATH]; repeatable")
      ->type_name("DATA")
      ->allow_extra_args(false);
  command
      .add_option("--reference", flags.reference,
                  "Vectors of the same items by something else (pixels, another encoder), for monosemanticity")
      ->type_name("FILE|RUN");
  command.add_option("--compare", flags.compare, "Embeddings of the same items by another model, for stability")
      ->type_name("FILE|RUN");
}

}  // namespace

void add_measure(App& app) {
  auto flags = std::make_shared<MeasureFlags>();
  App* command = add_command(
      app, "measure", "What features are like: sparsity, consistency, correlation, retrieval, ...", flags->common);
  add_inputs(*command, *flags);
  command->add_option("--definition", flags->definition, "paper, or official: as the official code computes it")
      ->check(one_of({"paper", "official"}))
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--only", flags->options.only, "Some measures, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(one_of(measure::measure_names()))
      ->type_name("NAME,...");
  command->add_option("--threshold", flags->options.threshold, "An entry is active if |x| is above it")
      ->check(above_zero())
      ->type_name("X")
      ->capture_default_str();
  command->add_option("--keep", flags->options.keep, "Features that k-NN and retrieval use, the most active (0: all)")
      ->check(between(0, INT32_MAX))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--knn-k", flags->options.knn_k, "Neighbours that vote")
      ->check(between(1, INT32_MAX))
      ->type_name("K")
      ->capture_default_str();
  command->add_option("--temperature", flags->temperature, "Of SEPIN's loss (default: the file's, or 0.2)")
      ->check(above_zero())
      ->type_name("X");
  command->add_flag("--sepin-variants", flags->options.sepin_variants,
                    "SEPIN also with the positive outside the denominator, and with rows scaled once");
  add_pairs(*command, *flags);
  command->add_flag("--json", flags->json, "Print one JSON document");
  command->add_option("-o,--output", flags->output, "Write the JSON document here")->type_name("FILE");
  command->add_flag("--overwrite", flags->overwrite, "Replace the file if it exists");
  command->callback([flags] {
    flags->options.official = flags->definition == "official";
    flags->options.threads = flags->common.threads;
    flags->options.sepin.seed = flags->common.seed;
    flags->options.factors.seed = flags->common.seed;
    Progress progress(flags->common.quiet);
    flags->options.progress = std::ref(progress);
    run(*flags);
  });
}

}  // namespace orthant::cli
