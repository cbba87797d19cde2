#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <optional>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/measure_files.h"
#include "cli/measure_table.h"
#include "cli/progress.h"
#include "orthant/core/error.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/embeddings_file.h"
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

// One bar after the other, for the measures that take long.
class MeasureProgress {
 public:
  explicit MeasureProgress(bool quiet) : quiet_(quiet) {}

  void operator()(const std::string& measure, int64_t done, int64_t total) {
    stop_if_interrupted();
    if (done == 0 || measure != measure_) bar_.reset();
    if (total == 0) return;
    if (!bar_) bar_.emplace(measure, "steps", total, quiet_);
    measure_ = measure;
    bar_->update(done);
  }

 private:
  bool quiet_;
  std::string measure_;
  std::optional<Progress> bar_;
};

// The i-th of a flag that may be given once for each file of embeddings.
std::string of_file(const std::vector<std::string>& values, size_t i) { return values.empty() ? "" : values[i]; }

measure::MeasureReport measure_one(const MeasureFlags& flags, size_t i) {
  const std::string path = embeddings_path(flags.embeddings[i]);
  const Embeddings embeddings = io::read_embeddings(path);
  measure::EvaluationInput input{.name = path, .features = embeddings};
  const std::vector<int64_t> labels = flags.labels.empty() ? embeddings.labels : read_labels(flags.labels);
  check(labels.empty() || static_cast<int64_t>(labels.size()) == embeddings.rows(), "[", flags.labels,
        "] expected a label for each of the ", embeddings.rows(), " rows of ", path, ", got ", labels.size());
  input.labels = labels;
  const std::vector<Factor> factors = flags.factors.empty() ? embeddings.factors : read_factors(flags.factors);
  input.factors = factors;
  measure::EvaluationOptions options = flags.options;
  ViewPair pair;
  if (const std::string views = of_file(flags.views, i); !views.empty()) {
    pair = read_views(views, embeddings.rows(), embeddings.cols());
    input.first_view = pair.first_is_features ? Features(embeddings) : features_of(pair.first);
    input.second_view = features_of(pair.second);
    options.sepin.temperature = measure::stated_temperature(*pair.file).value_or(options.sepin.temperature);
  }
  if (flags.temperature > 0) options.sepin.temperature = flags.temperature;
  Embeddings bank;
  if (const std::string from = of_file(flags.banks, i); !from.empty()) {
    bank = io::read_embeddings(from);
    check_finite(bank, from);
    input.bank = Features(bank);
    input.bank_labels = bank.labels;
  }
  Embeddings other;
  if (!flags.compare.empty()) {
    other = io::read_embeddings(embeddings_path(flags.compare));
    input.other = Features(other);
  }
  return measure::evaluate(input, options);
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
  } else if (!flags.common.quiet) {
    fmt::print("{}", measure_table(reports, names));
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
  command->add_flag("--json", flags->json, "Print one JSON document");
  command->add_option("-o,--output", flags->output, "Write the JSON document here")->type_name("FILE");
  command->add_flag("--overwrite", flags->overwrite, "Replace the file if it exists");
  command->callback([flags] {
    flags->options.official = flags->definition == "official";
    flags->options.threads = flags->common.threads;
    flags->options.sepin.seed = flags->common.seed;
    flags->options.factors.seed = flags->common.seed;
    MeasureProgress progress(flags->common.quiet);
    flags->options.progress = std::ref(progress);
    run(*flags);
  });
}

}  // namespace orthant::cli
