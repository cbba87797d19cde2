#include <algorithm>
#include <numeric>

#include "orthant/core/error.h"
#include "orthant/measure/activity.h"
#include "orthant/measure/classes.h"
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

// The official curve never reaches all features: its last point is the largest multiple of 32 below D.
void add_official(Evaluation& evaluation) {
  if (!evaluation.begins({"precision_at_10", "map_at_10"})) return;
  const int64_t last = (evaluation.report.cols - 1) / kOfficialStep * kOfficialStep;
  if (last == 0 || evaluation.input.bank) {
    return evaluation.skip({"precision_at_10", "map_at_10"},
                           last == 0 ? "the official curve needs more than 32 features"
                                     : "the official code searches the rows themselves, not a bank");
  }
  const auto points = official_retrieval(evaluation.input.features, evaluation.input.labels,
                                         {.step = last, .threads = evaluation.options.threads});
  const auto point = std::ranges::find(points, last, &OfficialRetrievalPoint::columns);
  for (const char* id : {"precision_at_10", "map_at_10"}) {
    evaluation.add({id, 1, {{"k", kPlaces}, {"columns", last}}, {{id, point->precision, Unit::ratio}}}, true);
  }
}

}  // namespace

void add_retrieval(Evaluation& evaluation) {
  const EvaluationInput& input = evaluation.input;
  if (!evaluation.begins({"knn_accuracy", "precision_at_10", "map_at_10", "recall_at_10"})) return;
  const auto skip = [&](const std::string& reason) {
    evaluation.skip({"knn_accuracy", "precision_at_10", "map_at_10", "recall_at_10"}, reason);
  };
  if (!evaluation.labelled()) return skip("no labels: give them with --labels, or in the file");
  if (input.bank && input.bank_labels.empty()) return skip("the bank has no labels");
  if (!input.bank && evaluation.report.rows < 2) return skip("one row has no neighbours");
  const EvaluationOptions& options = evaluation.options;
  const Features& bank = input.bank ? *input.bank : input.features;
  const std::span<const int64_t> bank_labels = input.bank ? input.bank_labels : input.labels;
  index_classes(bank_labels, bank.rows(), input.name + ", bank");
  const Neighbours found = neighbours(bank, input.features,
                                      {.k = std::max(options.knn_k, kPlaces),
                                       .exclude_self = !input.bank,
                                       .threads = options.threads,
                                       .columns = kept_columns(evaluation),
                                       .progress = {}});
  const std::string searched = input.bank ? "bank" : "the other rows";
  const int64_t kept = options.keep > 0 ? options.keep : evaluation.report.cols;
  const auto parameters = [&](int64_t k) {
    return std::vector<std::pair<std::string, Setting>>{
        {"k", k}, {"metric", std::string("cosine")}, {"searched", searched}, {"features", kept}};
  };
  const KnnAccuracy knn = knn_accuracy(found, bank_labels, input.labels, options.knn_k);
  evaluation.add({"knn_accuracy", 1, parameters(options.knn_k), {{"knn_accuracy", knn.accuracy, Unit::ratio}}});
  const Retrieval places = retrieval(found, bank_labels, input.labels, kPlaces);
  if (options.official) {
    add_official(evaluation);
  } else {
    evaluation.add({"precision_at_10", 1, parameters(kPlaces), {{"precision_at_10", places.precision, Unit::ratio}}});
    evaluation.add({"map_at_10", 1, parameters(kPlaces), {{"map_at_10", places.average_precision, Unit::ratio}}});
  }
  evaluation.add({"recall_at_10", 1, parameters(kPlaces), {{"recall_at_10", places.recall, Unit::ratio}}});
}

}  // namespace orthant::measure
