#include <algorithm>
#include <numeric>

#include "orthant/core/error.h"
#include "orthant/measure/activity.h"
#include "orthant/measure/evaluation_parts.h"
#include "orthant/measure/knn.h"
#include "orthant/measure/official_retrieval.h"
#include "orthant/measure/retrieval.h"

namespace orthant::measure {
namespace {

constexpr int64_t kPlaces = 10;
constexpr int64_t kOfficialStep = 32;

// The features with the largest mean activation: of the bank, which is what a service would choose by.
std::optional<std::vector<int64_t>> kept_columns(const Evaluation& evaluation) {
  const int64_t keep = evaluation.options.keep;
  if (keep <= 0) return std::nullopt;
  check(keep <= evaluation.report.cols, "[", evaluation.input.name, "] expected to keep at most its ",
        evaluation.report.cols, " features, got ", keep);
  const Features& chosen_by = evaluation.input.bank ? *evaluation.input.bank : evaluation.input.features;
  const std::vector<double> activation = activity(chosen_by, {.threads = evaluation.options.threads}).expected_relu;
  std::vector<int64_t> order(activation.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](int64_t j) { return activation[static_cast<size_t>(j)]; });
  order.resize(static_cast<size_t>(keep));
  return order;
}

// "knn-accuracy/1" as the name and the version of a measure.
Measure identified(const std::string& identifier) {
  const size_t slash = identifier.find('/');
  return {identifier.substr(0, slash), std::stoll(identifier.substr(slash + 1)), {}, {}};
}

void add(Evaluation& evaluation, Measure measure, const std::vector<Value>& values) {
  for (const Value& value : values) {
    if (evaluation.wants(value.key)) measure.values.push_back(value);
  }
  if (!measure.values.empty()) evaluation.report.measures.push_back(std::move(measure));
}

// The official curve never reaches all features: its last point is the largest multiple of 32 below D.
void add_official(Evaluation& evaluation) {
  if (!evaluation.begins({"precision_at_10", "map_at_10"})) return;
  const int64_t last = (evaluation.report.cols - 1) / kOfficialStep * kOfficialStep;
  if (last == 0 || evaluation.input.bank) {
    return evaluation.skip({"precision_at_10", "map_at_10"},
                           last == 0 ? "the official curve needs more than 32 features"
                                     : "the official code searches the rows themselves, not a bank");
  }
  const auto points = official_retrieval(
      evaluation.input.features, evaluation.input.labels,
      {.step = last, .threads = evaluation.options.threads, .progress = evaluation.progress("precision_at_10")});
  const double precision = std::ranges::find(points, last, &OfficialRetrievalPoint::columns)->precision;
  Measure measure = identified(kOfficialRetrievalIdentifier);
  measure.parameters = {{"k", kPlaces}, {"columns", last}};
  add(evaluation, std::move(measure),
      {{"precision_at_10", precision, Unit::ratio}, {"map_at_10", precision, Unit::ratio}});
}

}  // namespace

void add_retrieval(Evaluation& evaluation) {
  const EvaluationInput& input = evaluation.input;
  if (!evaluation.begins({"knn_accuracy", "precision_at_10", "map_at_10", "recall_at_10"})) return;
  const auto skip = [&](const std::string& reason) {
    evaluation.skip({"knn_accuracy", "precision_at_10", "map_at_10", "recall_at_10"}, reason);
  };
  if (!evaluation.labelled()) return skip(kNoLabels);
  if (input.bank && input.bank_labels.empty()) return skip("the bank has no labels");
  if (!input.bank && evaluation.report.rows < 2) return skip("one row has no neighbours");
  const EvaluationOptions& options = evaluation.options;
  const Features& bank = input.bank ? *input.bank : input.features;
  const std::span<const int64_t> bank_labels = input.bank ? input.bank_labels : input.labels;
  const search::Neighbours found = search::neighbours(bank, input.features,
                                                      {.k = std::max(options.knn_k, kPlaces),
                                                       .exclude_self = !input.bank,
                                                       .threads = options.threads,
                                                       .columns = kept_columns(evaluation),
                                                       .progress = evaluation.progress("knn_accuracy")});
  const int64_t kept = options.keep > 0 ? options.keep : evaluation.report.cols;
  const auto parameters = [&](int64_t k) {
    return std::vector<std::pair<std::string, Setting>>{
        {"k", k},
        {"metric", std::string("cosine")},
        {"searched", std::string(input.bank ? "bank" : "the other rows")},
        {"features", kept}};
  };
  Measure knn = identified(kKnnIdentifier);
  knn.parameters = parameters(options.knn_k);
  const double accuracy = knn_accuracy(found, bank_labels, input.labels, options.knn_k).accuracy;
  add(evaluation, std::move(knn), {{"knn_accuracy", accuracy, Unit::ratio}});

  const Retrieval places = retrieval(found, bank_labels, input.labels, kPlaces);
  std::vector<Value> values;
  if (!options.official) {
    values = {{"precision_at_10", places.precision, Unit::ratio}, {"map_at_10", places.average_precision, Unit::ratio}};
  }
  values.push_back({"recall_at_10", places.recall, Unit::ratio});
  Measure by_place = identified(kRetrievalIdentifier);
  by_place.parameters = parameters(kPlaces);
  add(evaluation, std::move(by_place), values);
  if (options.official) add_official(evaluation);
}

}  // namespace orthant::measure
