#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <span>

#include "cli/commands.h"
#include "cli/frame/progress.h"
#include "cli/look_inputs.h"
#include "cli/measure_table.h"
#include "orthant/catalogue/measure_input.h"
#include "orthant/core/error.h"
#include "orthant/io/atomic_file.h"
#include "orthant/measure/evaluation.h"

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
  std::string definition = "paper";
  measure::EvaluationOptions options;
  double temperature = 0;
  bool json = false;
  std::string output;
  bool overwrite = false;
};

// The i-th of a flag that may be given once for each file of embeddings.
std::string of_file(const std::vector<std::string>& values, size_t i) { return values.empty() ? "" : values[i]; }

measure::MeasureReport measure_one(const MeasureFlags& flags, size_t i) {
  const catalogue::MeasureInput input({.embeddings = embeddings_path(flags.embeddings[i]),
                                       .labels = flags.labels,
                                       .factors = flags.factors,
                                       .views = of_file(flags.views, i),
                                       .bank = of_file(flags.banks, i),
                                       .compare = flags.compare.empty() ? "" : embeddings_path(flags.compare)});
  measure::EvaluationOptions options = flags.options;
  options.sepin.temperature =
      flags.temperature > 0 ? flags.temperature : input.temperature().value_or(options.sepin.temperature);
  return measure::evaluate(input.input(), options);
}

// What gives a measure what it lacks.
std::string advice(std::span<const measure::MeasureReport> reports) {
  constexpr std::pair<const char*, const char*> kFlags[] = {{"no labels", "--labels FILE"},
                                                            {"no second view", "--views FILE"},
                                                            {"no ground-truth factors", "--factors FILE"},
                                                            {"no second model", "--compare FILE"}};
  std::string text;
  for (const auto& [reason, flag] : kFlags) {
    const bool met = std::ranges::any_of(reports, [&](const measure::MeasureReport& report) {
      return std::ranges::count(report.skipped, reason, &measure::Skipped::reason) > 0;
    });
    if (met) text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", reason, flag);
  }
  return text.empty() ? "" : text + "\n";
}

// Heads a column: the run for a file inside one, otherwise the file's own name.
std::string short_name(const std::string& path) {
  const std::filesystem::path file = std::filesystem::path(path).lexically_normal();
  if (std::filesystem::is_directory(file)) return (file.has_filename() ? file : file.parent_path()).filename();
  if (file.parent_path().filename() == "embeddings") return file.parent_path().parent_path().filename();
  return file.stem();
}

void run(const MeasureFlags& flags) {
  if (!flags.output.empty()) refuse_existing(flags.output, flags.overwrite);
  for (const auto& [name, values] : {std::pair("--views", &flags.views), std::pair("--bank", &flags.banks)}) {
    check(values->empty() || values->size() == flags.embeddings.size(), "[", name, "] expected one for each of the ",
          flags.embeddings.size(), " embeddings, got ", values->size());
  }
  std::vector<measure::MeasureReport> reports;
  std::vector<std::string> names;
  for (size_t i = 0; i < flags.embeddings.size(); ++i) {
    reports.push_back(measure_one(flags, i));
    names.push_back(short_name(flags.embeddings[i]));
  }
  const std::string document = measure::to_json(reports) + "\n";
  if (!flags.output.empty()) io::write_file(flags.output, document);
  if (flags.json) {
    fmt::print("{}", document);
  } else {
    fmt::print("{}{}", measure_table(reports, names), advice(reports));
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
  command.add_option("--bank", flags.banks, "Training embeddings that k-NN and retrieval search; one for each")
      ->type_name("FILE")
      ->allow_extra_args(false);
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
