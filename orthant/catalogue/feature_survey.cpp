#include "orthant/catalogue/feature_survey.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "orthant/catalogue/feature_examples.h"
#include "orthant/disentangle/merge_features.h"
#include "orthant/linalg/column_gram.h"
#include "orthant/measure/activity.h"
#include "orthant/measure/class_counts.h"
#include "orthant/measure/consistency.h"
#include "orthant/measure/correlation.h"
#include "orthant/words/feature_words.h"
#include "orthant/words/word_table.h"

namespace orthant::catalogue {
namespace {

constexpr int64_t kTop = 12;
constexpr int64_t kMostInMap = 256;
constexpr int64_t kMostRanges = 40;
constexpr double kDense = 0.5;          // firing rate above which a feature is called dense
constexpr double kDenseProduct = 0.25;  // share of entries from which a product of dense blocks is the faster one
constexpr double kDuplicate = 0.95;

Matrix64 gram_of(const Features& features, int threads) {
  const auto* sparse = features.sparse();
  const double size = static_cast<double>(features.rows()) * static_cast<double>(features.cols());
  if (sparse && static_cast<double>(sparse->nnz()) > kDenseProduct * size) {
    return linalg::column_gram(sparse->to_dense(), {.threads = threads});
  }
  return linalg::column_gram(features, {.threads = threads});
}

Matrix cosines_of(const Matrix64& gram) {
  std::vector<int64_t> all(static_cast<size_t>(gram.rows()));
  std::iota(all.begin(), all.end(), 0);
  const Matrix64 exact = measure::cosines(gram, all);
  Matrix rounded(exact.rows(), exact.cols());
  std::ranges::transform(exact.values(), rounded.mutable_values().begin(),
                         [](double x) { return static_cast<float>(std::clamp(x, -1.0, 1.0)); });
  return rounded;
}

// The longest column of each group of duplicates stands for it.
void mark_duplicates(std::vector<FeatureSummary>& summaries, const disentangle::FeatureGroups& groups,
                     const Matrix64& gram) {
  std::vector<int64_t> leader(static_cast<size_t>(groups.count), -1);
  for (size_t f = 0; f < summaries.size(); ++f) {
    int64_t& leads = leader[static_cast<size_t>(groups.group[f])];
    const auto at = static_cast<int64_t>(f);
    if (leads < 0 || gram(at, at) > gram(leads, leads)) leads = at;
  }
  for (size_t f = 0; f < summaries.size(); ++f) {
    const int64_t leads = leader[static_cast<size_t>(groups.group[f])];
    if (leads != static_cast<int64_t>(f)) summaries[f].duplicate_of = leads;
  }
}

std::optional<NegativeSide> negative_side(const search::Columns& columns, int64_t f) {
  const std::vector<Activation> items = strongest(columns, f, kTop, Side::kNegative);
  if (items.empty()) return {};
  int64_t below = 0;
  columns.visit(f, [&](int64_t, float x) { below += -x > kFiringThreshold; });
  NegativeSide side;
  side.rate = static_cast<double>(below) / static_cast<double>(columns.items());
  side.min = items.front().value;
  for (const Activation& one : items) side.top.push_back(one.item);
  return side;
}

void add_activity(FeatureSurvey& survey, const measure::Activity& activity, const search::Columns& columns) {
  for (int64_t f = 0; f < columns.features(); ++f) {
    const auto at = static_cast<size_t>(f);
    FeatureSummary summary;
    summary.feature = f;
    summary.firing_rate = static_cast<double>(activity.firing[at]) / static_cast<double>(columns.items());
    summary.expected_activation = activity.expected[at];
    summary.anchors = activity.anchors[at];
    summary.dead = activity.firing[at] == 0;
    summary.dense = summary.firing_rate > kDense;
    summary.max = largest(columns, f);
    for (const Activation& one : strongest(columns, f, kTop)) summary.top.push_back(one.item);
    summary.negative = negative_side(columns, f);
    survey.summaries.push_back(std::move(summary));
  }
}

// Counts [C, D] of the classes there are as a table [D, C] of all classes.
DenseMatrix<int64_t> by_feature(const std::vector<int32_t>& counts, const measure::Classes& classes, int64_t features,
                                int64_t all_classes) {
  DenseMatrix<int64_t> table(features, all_classes);
  for (int64_t f = 0; f < features; ++f) {
    for (int64_t c = 0; c < classes.count(); ++c) {
      table(f, classes.numbers[static_cast<size_t>(c)]) = counts[static_cast<size_t>(c * features + f)];
    }
  }
  return table;
}

// What the classes of one side of a feature have in common; the card and the negative side tell it alike.
template <class Told>
void tell_classes(Told& told, std::span<const int64_t> counts) {
  const auto total = std::accumulate(counts.begin(), counts.end(), int64_t{0});
  for (const int64_t count : counts) {
    told.profile.push_back(total > 0 ? static_cast<double>(count) / static_cast<double>(total) : 0);
  }
  if (total == 0) return;
  told.commonest = std::ranges::max_element(counts) - counts.begin();
  told.consistency = told.profile[static_cast<size_t>(*told.commonest)];
}

void add_classes(FeatureSurvey& survey, const Features& features, const Items& items, int threads) {
  const measure::Classes classes = measure::index_classes(items.labels, features.rows(), "catalogue");
  if (classes.labelled == 0) return;
  measure::ClassCounts counts = measure::class_counts(features, classes, measure::row_lengths(features, {}, threads),
                                                      {.weak = kFiringThreshold}, threads);
  const measure::RuleConsistency rule = measure::judge_counts(counts.positive, features.cols());
  survey.class_sizes.resize(items.classes.size());
  for (const int64_t label : items.labels) {
    if (label >= 0) ++survey.class_sizes[static_cast<size_t>(label)];
  }
  const auto all = static_cast<int64_t>(items.classes.size());
  survey.class_counts = by_feature(counts.positive, classes, features.cols(), all);
  std::ranges::transform(counts.active, counts.positive, counts.active.begin(), std::minus());
  survey.negative_counts = by_feature(counts.active, classes, features.cols(), all);
  std::vector<double> known;
  for (int64_t f = 0; f < features.cols(); ++f) {
    FeatureSummary& summary = survey.summaries[static_cast<size_t>(f)];
    tell_classes(summary, survey.class_counts.row(f));
    if (summary.negative) tell_classes(*summary.negative, survey.negative_counts.row(f));
    if (!summary.consistency) continue;
    summary.entropy = std::max(0.0, rule.entropy[static_cast<size_t>(f)]);
    known.push_back(*summary.consistency);
  }
  survey.consistency = histogram(known, 0, 1, 20);
}

void add_words(std::vector<FeatureSummary>& summaries, const Features& features, const Items& items, int threads) {
  const words::WordTable table = words::word_table(items.texts, {.threads = threads});
  std::vector<words::FeatureWords> all = words::feature_words(features, table, {.threads = threads});
  for (size_t f = 0; f < summaries.size(); ++f) {
    summaries[f].words = std::move(all[f].raising);
    if (summaries[f].negative) summaries[f].negative->words = std::move(all[f].lowering);
  }
}

// Ranges of whole numbers, so that each holds as many of them as any other.
Histogram active_histogram(const std::vector<int64_t>& samples) {
  int64_t most = 0;
  for (size_t active = 0; active < samples.size(); ++active) {
    if (samples[active] > 0) most = static_cast<int64_t>(active);
  }
  const int64_t width = most / kMostRanges + 1;
  Histogram result;
  result.counts.resize(static_cast<size_t>(most / width + 1));
  for (int64_t active = 0; active <= most; ++active) {
    result.counts[static_cast<size_t>(active / width)] += samples[static_cast<size_t>(active)];
  }
  for (size_t k = 0; k <= result.counts.size(); ++k)
    result.edges.push_back(static_cast<double>(k) * static_cast<double>(width));
  return result;
}

std::vector<int64_t> most_expected(const std::vector<FeatureSummary>& summaries) {
  std::vector<int64_t> live;
  for (const FeatureSummary& summary : summaries) {
    if (!summary.dead) live.push_back(summary.feature);
  }
  std::ranges::stable_sort(live, std::ranges::greater(),
                           [&](int64_t f) { return summaries[static_cast<size_t>(f)].expected_activation; });
  live.resize(std::min(live.size(), static_cast<size_t>(kMostInMap)));
  std::ranges::sort(live);
  return live;
}

}  // namespace

FeatureSurvey survey_features(const Features& features, const search::Columns& columns, const Items& items,
                              int threads) {
  FeatureSurvey survey;
  const measure::Activity activity = measure::activity(features, {.threshold = kFiringThreshold, .threads = threads});
  add_activity(survey, activity, columns);
  if (!items.labels.empty()) add_classes(survey, features, items, threads);
  if (!items.texts.empty()) add_words(survey.summaries, features, items, threads);
  const Matrix64 gram = gram_of(features, threads);
  mark_duplicates(survey.summaries, disentangle::duplicate_features(gram, {.above = kDuplicate}), gram);
  survey.cosines = cosines_of(gram);
  survey.active = active_histogram(activity.active_histogram);
  survey.correlation = correlation_map(survey.cosines, most_expected(survey.summaries));
  return survey;
}

}  // namespace orthant::catalogue
