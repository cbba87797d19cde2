#include "orthant/measure/evaluation.h"

#include <algorithm>

#include "orthant/core/error.h"
#include "orthant/measure/classes.h"
#include "orthant/measure/evaluation_parts.h"

namespace orthant::measure {
namespace {

void check_names(const std::vector<std::string>& only) {
  const std::vector<std::string> names = measure_names();
  for (const std::string& name : only) {
    std::string known;
    for (const std::string& each : names) known += (known.empty() ? "" : ", ") + each;
    check(std::ranges::count(names, name) > 0, "[evaluate] expected measures among ", known, ", got ", name);
  }
}

void check_shape(const Features& features, int64_t rows, int64_t cols, const std::string& where) {
  check(features.rows() == rows && features.cols() == cols, "[", where, "] expected ", rows, " x ", cols,
        " like the features, got ", features.rows(), " x ", features.cols());
}

void check_input(const EvaluationInput& input) {
  check(input.features.rows() > 0 && input.features.cols() > 0, "[", input.name, "] expected features, got ",
        input.features.rows(), " x ", input.features.cols());
  check_finite(input.features, input.name);
  if (input.bank) check_shape(*input.bank, input.bank->rows(), input.features.cols(), input.name + ", bank");
  check(input.importance.empty() || std::ssize(input.importance) == input.features.cols(), "[", input.name,
        "] expected an importance of each of ", input.features.cols(), " features, got ", input.importance.size());
  if (input.reference) {
    check_shape(*input.reference, input.features.rows(), input.reference->cols(), input.name + ", reference");
  }
  if (input.first_view && input.second_view) {
    check_shape(*input.second_view, input.first_view->rows(), input.first_view->cols(), input.name + ", second view");
  }
}

}  // namespace

bool Evaluation::wants(const std::string& name) const {
  return options.only.empty() || std::ranges::count(options.only, name) > 0;
}

bool Evaluation::begins(std::initializer_list<const char*> ids) const {
  if (std::ranges::none_of(ids, [&](const char* id) { return wants(id); })) return false;
  if (options.progress) options.progress(*ids.begin(), 0, 0);
  return true;
}

std::function<void(int64_t done, int64_t total)> Evaluation::progress(const std::string& id) const {
  if (!options.progress) return {};
  return [this, id](int64_t done, int64_t total) { options.progress(id, done, total); };
}

void Evaluation::add(const char* id, Parameters parameters, const std::vector<std::pair<std::string, double>>& values) {
  const ListedMeasure& known = listed(id);
  Measure measure{known.id, known.version, std::move(parameters), {}};
  for (const auto& [key, value] : values) {
    const ListedKey& meant = known.expect(key);
    if (wants(meant.name)) measure.values.push_back({key, value, meant.unit});
  }
  if (!measure.values.empty()) report.measures.push_back(std::move(measure));
}

void Evaluation::skip(std::initializer_list<const char*> ids, const std::string& reason) {
  for (const char* id : ids) {
    if (wants(id)) report.skipped.push_back({id, reason});
  }
}

std::vector<std::string> measure_names() {
  std::vector<std::string> names;
  for (const ListedMeasure& measure : listing()) {
    for (const ListedKey& key : measure.keys) {
      if (!key.name.empty() && std::ranges::count(names, key.name) == 0) names.push_back(key.name);
    }
  }
  return names;
}

MeasureReport evaluate(const EvaluationInput& input, const EvaluationOptions& options) {
  check_names(options.only);
  check_input(input);
  Evaluation evaluation{input, options, {}};
  MeasureReport& report = evaluation.report;
  report.source = input.name;
  report.definition = options.official ? "official" : "paper";
  report.rows = input.features.rows();
  report.cols = input.features.cols();
  report.sparse = input.features.sparse() != nullptr;
  if (!input.labels.empty()) {
    const Classes classes = index_classes(input.labels, report.rows, input.name);
    if (classes.count() > 1) {
      report.labelled = classes.labelled;
      report.classes = classes.count();
    } else if (classes.count() == 1) {
      evaluation.no_classes = join("labels of one class only, ", classes.numbers.front());
      report.warnings.push_back(evaluation.no_classes + ": they count as none");
    }
  }
  add_activity(evaluation);
  add_consistency(evaluation);
  add_communities(evaluation);
  add_columns(evaluation);
  add_importance(evaluation);
  add_monosemanticity(evaluation);
  add_retrieval(evaluation);
  add_sepin(evaluation);
  add_factors(evaluation);
  add_following(evaluation);
  add_stability(evaluation);
  return std::move(report);
}

}  // namespace orthant::measure
