#include "cli/towers/measure_pairs.h"

#include <algorithm>
#include <filesystem>

#include "cli/embed_process.h"
#include "cli/measure_table.h"
#include "orthant/catalogue/run_embeddings.h"
#include "orthant/core/error.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/labels_file.h"
#include "orthant/pairing/owners.h"
#include "orthant/run/run_paths.h"

namespace orthant::cli {
namespace {

constexpr std::string_view kChance = "chance.";

measure::MeasureReport report_of(const std::string& name, const Embeddings& a, const Embeddings& b,
                                 const std::string& labels, const pairing::PairOptions& options) {
  const std::vector<int64_t> owner = pairing::owners_of(a, b);
  const std::vector<int64_t> classes = labels.empty() ? a.labels : io::read_labels(labels).labels;
  check(classes.empty() || static_cast<int64_t>(classes.size()) == a.rows(), "[", labels,
        "] expected a label for each of ", a.rows(), " items, got ", classes.size());
  return pairing::pair_report({name, a, b, owner, classes}, options);
}

measure::MeasureReport report_of_run(const std::string& run, const std::string& labels,
                                     const pairing::PairOptions& options, const Common& common) {
  check(std::filesystem::exists(RunPaths(run).second_model_file()), "[", run,
        "] expected a run with two towers for --pairs, got one with a single tower");
  const auto embed = embed_process(common);
  const auto tower = [&](const std::string& name) {
    EmbeddingsKey key;
    key.tower = name;
    return catalogue::run_embeddings(run, key, embed).embeddings;
  };
  return report_of(run, tower("a"), tower("b"), labels, options);
}

// Only the values whose key has the prefix kChance, or only the others; a prefix is dropped. Chance has no rows.
measure::MeasureReport half_of(measure::MeasureReport report, bool chance) {
  for (measure::Measure& measure : report.measures) {
    std::erase_if(measure.values,
                  [&](const measure::Value& value) { return value.key.starts_with(kChance) != chance; });
    for (measure::Value& value : measure.values) {
      if (chance) value.key.erase(0, kChance.size());
    }
  }
  if (chance) report.rows = 0;
  return report;
}

}  // namespace

std::vector<measure::MeasureReport> pair_reports(const std::vector<std::string>& inputs, const std::string& labels,
                                                 const pairing::PairOptions& options, const Common& common) {
  const auto runs = std::ranges::count_if(inputs, [](const std::string& path) { return is_run(path); });
  if (runs == 0) {
    check(inputs.size() == 2, "[--pairs] expected runs with two towers, or two files of embeddings, got ",
          inputs.size(), inputs.size() == 1 ? " that is no run: " : " that are no runs, the first ", inputs.front());
    return {report_of(inputs[0] + ", " + inputs[1], io::read_embeddings(inputs[0]), io::read_embeddings(inputs[1]),
                      labels, options)};
  }
  check(runs == static_cast<ptrdiff_t>(inputs.size()), "[--pairs] expected either runs or two files, got both");
  std::vector<measure::MeasureReport> reports;
  for (const std::string& run : inputs) reports.push_back(report_of_run(run, labels, options, common));
  return reports;
}

std::string pair_table(std::span<const measure::MeasureReport> reports, std::span<const std::string> names) {
  std::vector<measure::MeasureReport> columns;
  std::vector<std::string> heads;
  for (size_t i = 0; i < reports.size(); ++i) {
    columns.push_back(half_of(reports[i], false));
    columns.push_back(half_of(reports[i], true));
    heads.push_back(names[i]);
    heads.emplace_back("chance");
  }
  return measure_table(columns, heads);
}

}  // namespace orthant::cli
