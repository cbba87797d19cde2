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
  evaluation.add("retrieval-official", {{"k", kPlaces}, {"columns", last}},
                 {{"precision_at_10", precision}, {"map_at_10", precision}});
}

}  // namespace

void add_retrieval(Evaluation& evaluation) {
  const EvaluationInput& input = evaluation.input;
  if (!evaluation.begins({"knn_accuracy", "precision_at_10", "map_at_10", "recall_at_10"})) return;
  const auto skip = [&](const std::string& reason) {
    evaluation.skip({"knn_accuracy", "precision_at_10", "map_at_10", "recall_at_10"}, reason);
  };
  if (!evaluation.labelled()) return skip(evaluation.no_classes);
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
    return Parameters{{"k", k},
                      {"metric", std::string("cosine")},
                      {"searched", std::string(input.bank ? "bank" : "the other rows")},
                      {"features", kept}};
  };
  const double accuracy = knn_accuracy(found, bank_labels, input.labels, options.knn_k).accuracy;
  evaluation.add("knn-accuracy", parameters(options.knn_k), {{"knn_accuracy", accuracy}});

  const Retrieval places = retrieval(found, bank_labels, input.labels, kPlaces);
  std::vector<std::pair<std::string, double>> values;
  if (!options.official) {
    values = {{"precision_at_10", places.precision}, {"map_at_10", places.average_precision}};
  }
  values.emplace_back("recall_at_10", places.recall);
  evaluation.add("retrieval", parameters(kPlaces), values);
  if (options.official) add_official(evaluation);
}

}  // namespace orthant::measure
