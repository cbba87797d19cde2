#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "orthant/core/error.h"
#include "orthant/measure/activity.h"
#include "orthant/measure/communities.h"
#include "orthant/measure/consistency.h"
#include "orthant/measure/correlation.h"
#include "orthant/measure/effective_rank.h"
#include "orthant/measure/evaluation_parts.h"
#include "orthant/measure/official.h"

namespace orthant::measure {
namespace {

double as_number(int64_t count) { return static_cast<double>(count); }

using Numbers = std::vector<std::pair<std::string, double>>;

void add_official_correlation(Evaluation& evaluation, const OfficialStatistics& found) {
  Numbers numbers;
  if (found.active_features > 0) numbers.emplace_back("correlation.mean", found.training_correlation);
  if (found.summed_features > 0) numbers.emplace_back("correlation.median", found.correlation_median);
  evaluation.add("official.correlation", {{"sum_above", 10.0}, {"features", found.summed_features}}, numbers);
  if (numbers.size() == 2) return;
  evaluation.skip({"correlation"},
                  numbers.empty() ? "every feature is zero" : "correlation.median: no feature adds up to more than 10");
}

void add_official_classes(Evaluation& evaluation, const OfficialStatistics& found) {
  Numbers numbers;
  for (const auto& [key, rule] : {std::pair("class_consistency.active", &found.evaluation),
                                  {"class_consistency.strong", &found.metric},
                                  {"official.training_consistency", &found.training}}) {
    if (rule->features > 0) {
      numbers.emplace_back(key, rule->consistency);
    } else {
      evaluation.skip({"class_consistency"}, join(key, ": no feature is active in a sample with a label"));
    }
  }
  evaluation.add("official.class_consistency", {{"threshold", 1e-5}, {"strong", 0.1}}, numbers);
  const OfficialConsistency& rule = found.evaluation;
  numbers.clear();
  if (rule.features > 0) numbers.emplace_back("class_entropy", rule.entropy);
  if (rule.features > 1) numbers.emplace_back("official.entropy_deviation", rule.entropy_deviation);
  evaluation.add("official.class_entropy", {{"threshold", 1e-5}, {"epsilon", 1e-5}}, numbers);
  if (numbers.size() == 2) return;
  evaluation.skip({"class_entropy"}, rule.features == 0 ? "no feature is active in a sample with a label"
                                                        : "official.entropy_deviation: there is one feature only");
}

// The official code has a few statistics of its own, which its definitions' keys do not have room for.
void add_official(Evaluation& evaluation) {
  if (!evaluation.begins({"sparsity", "dead_features", "class_consistency", "class_entropy", "correlation"})) return;
  const EvaluationInput& input = evaluation.input;
  const OfficialStatistics found =
      official_statistics(input.features, evaluation.labelled() ? input.labels : std::span<const int64_t>(),
                          {.threads = evaluation.options.threads});
  evaluation.add("official.sparsity", {{"threshold", 1e-2}},
                 {{"sparsity", found.sparsity}, {"official.training_sparsity", found.training_sparsity}});
  const double dead = as_number(found.dead_features);
  evaluation.add("official.dead_features", {{"sum_below", 1e-5}},
                 {{"dead_features", dead}, {"official.dead_share", dead / as_number(input.features.cols())}});
  add_official_correlation(evaluation, found);
  if (evaluation.labelled()) add_official_classes(evaluation, found);
}

// The fewest numbers that hold half of their sum.
int64_t holders_of_half(std::vector<double> numbers, double sum) {
  std::ranges::sort(numbers, std::greater<>());
  double held = 0;
  int64_t count = 0;
  while (count < std::ssize(numbers) && 2 * held < sum) held += numbers[static_cast<size_t>(count++)];
  return count;
}

void add_top_consistency(Evaluation& evaluation) {
  if (!evaluation.wants("class_consistency")) return;
  const EvaluationOptions& options = evaluation.options;
  const TopConsistency found = top_consistency(evaluation.input.features, evaluation.input.labels,
                                               {.threshold = options.threshold, .threads = options.threads});
  if (found.rule.features == 0) return;  // as the rule `positive` says
  evaluation.add("class_consistency_top", {{"threshold", options.threshold}, {"share", ConsistencyOptions{}.top}},
                 {{"class_consistency.top", found.rule.mean_consistency},
                  {"chance.class_consistency.top", found.mean_chance},
                  {"class_consistency.top_items", found.mean_samples},
                  {"class_consistency.top_fewest", as_number(found.fewest)},
                  {"class_consistency.top_features", as_number(found.rule.features)}});
}

}  // namespace

void add_activity(Evaluation& evaluation) {
  const bool official = evaluation.options.official;
  if (official) add_official(evaluation);
  if (!evaluation.begins(
          {"sparsity", "active_per_sample", "dead_features", "non_negative_ratio", "anchored_features"})) {
    return;
  }
  const double threshold = evaluation.options.threshold;
  const Activity found =
      activity(evaluation.input.features, {.threshold = threshold, .threads = evaluation.options.threads});
  if (!official) {
    evaluation.add("sparsity", {{"threshold", threshold}}, {{"sparsity", found.sparsity}});
    evaluation.add("dead_features", {{"threshold", threshold}}, {{"dead_features", as_number(found.dead_features)}});
  }
  evaluation.add("active_per_sample", {{"threshold", threshold}}, {{"active_per_sample", found.active_per_sample}});
  evaluation.add("non_negative_ratio", {}, {{"non_negative_ratio", found.non_negative_ratio}});
  evaluation.add("anchored_features", {{"threshold", threshold}},
                 {{"anchored_features", as_number(found.anchored_features)}});
  if (found.zero_rows > 0) {
    evaluation.report.warnings.push_back(
        join(found.zero_rows, " of ", evaluation.report.rows, " rows are zero: they have no direction"));
  }
}

void add_consistency(Evaluation& evaluation) {
  if (!evaluation.begins({"class_consistency", "class_entropy"})) return;
  if (!evaluation.labelled()) return evaluation.skip({"class_consistency", "class_entropy"}, evaluation.no_classes);
  const EvaluationOptions& options = evaluation.options;
  const ClassConsistency found =
      class_consistency(evaluation.input.features, evaluation.input.labels,
                        {.threshold = options.threshold, .strong = options.strong, .threads = options.threads});
  Numbers consistency;
  const auto put = [&](const char* key, const RuleConsistency& rule) {
    if (rule.features > 0) {
      consistency.emplace_back(key, rule.mean_consistency);
    } else {
      evaluation.skip({"class_consistency"}, join(key, ": no feature is active in a sample with a label"));
    }
  };
  if (!options.official) put("class_consistency.active", found.active);
  put("class_consistency.positive", found.positive);
  if (!options.official) put("class_consistency.strong", found.strong);
  evaluation.add("class_consistency", {{"threshold", options.threshold}, {"strong", options.strong}}, consistency);
  add_top_consistency(evaluation);
  if (options.official) return;
  if (found.active.features == 0) {
    return evaluation.skip({"class_entropy"}, "no feature is active in a sample with a label");
  }
  evaluation.add("class_entropy", {{"threshold", options.threshold}, {"rule", std::string("active")}},
                 {{"class_entropy", found.active.mean_entropy}});
}

void add_communities(Evaluation& evaluation) {
  const EvaluationOptions& options = evaluation.options;
  const EvaluationInput& input = evaluation.input;
  const bool asked = std::ranges::find(options.only, "communities") != options.only.end();
  if ((input.edges.empty() && !asked) || !evaluation.begins({"communities"})) return;
  const std::vector<int64_t> parts = communities(input.features, options.threshold);
  Numbers numbers;
  if (const auto found = evaluation.labelled() ? community_agreement(parts, input.labels) : std::nullopt) {
    numbers = {{"communities.nmi", found->nmi}, {"communities.purity", found->purity}};
  }
  if (const auto found = modularity(parts, input.edges)) numbers.emplace_back("communities.modularity", *found);
  if (numbers.empty()) return evaluation.skip({"communities"}, evaluation.no_classes);
  numbers.emplace_back("communities.parts", static_cast<double>(std::set(parts.begin(), parts.end()).size()));
  evaluation.add("communities", {{"threshold", options.threshold}}, numbers);
}

void add_columns(Evaluation& evaluation) {
  const EvaluationOptions& options = evaluation.options;
  if (!options.official && evaluation.begins({"correlation"})) {
    const Correlation found =
        correlation(evaluation.input.features, {.threshold = options.threshold, .threads = options.threads});
    if (found.live.size() < 2) {
      evaluation.skip({"correlation"}, "fewer than two features are live");
    } else {
      evaluation.add("correlation",
                     {{"threshold", options.threshold}, {"live", static_cast<int64_t>(found.live.size())}},
                     {{"correlation.mean", found.mean}, {"correlation.median", found.median}});
    }
  }
  if (evaluation.begins({"effective_rank"})) {
    const double rank = effective_rank(evaluation.input.features, {.threads = options.threads});
    evaluation.add("effective_rank", {}, {{"effective_rank", rank}});
  }
}

void add_importance(Evaluation& evaluation) {
  const std::span<const float> learned = evaluation.input.importance;
  const std::vector<std::string>& only = evaluation.options.only;
  const bool asked = std::ranges::find(only, "importance") != only.end();
  if ((learned.empty() && !asked) || !evaluation.begins({"importance"})) return;
  double sum = 0;
  double squares = 0;
  for (const double s : learned) {
    sum += s;
    squares += s * s;
  }
  if (squares == 0) {
    return evaluation.skip({"importance"}, learned.empty() ? "no importance was learned" : "it is zero throughout");
  }
  const int64_t half = holders_of_half({learned.begin(), learned.end()}, sum);
  evaluation.add("importance", {},
                 {{"importance.effective", sum * sum / squares}, {"importance.half", as_number(half)}});
}

}  // namespace orthant::measure
