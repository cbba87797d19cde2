#include "orthant/pairing/pair_report.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/measure/classes.h"
#include "orthant/measure/consistency.h"
#include "orthant/pairing/gap.h"
#include "orthant/pairing/owners.h"
#include "orthant/pairing/ranking.h"
#include "orthant/pairing/sharing.h"

namespace orthant::pairing {
namespace {

using measure::MeasureReport;
using Values = std::vector<std::pair<std::string, double>>;

void add(MeasureReport& report, const char* id, measure::Parameters parameters, const Values& values) {
  const measure::ListedMeasure& known = measure::listed(id);
  measure::Measure measured{known.id, known.version, std::move(parameters), {}};
  for (const auto& [key, value] : values) measured.values.push_back({key, value, known.expect(key).unit});
  report.measures.push_back(std::move(measured));
}

void put_places(Values& values, const std::string& key, std::span<const Place> places) {
  for (const int64_t k : {1, 5, 10}) values.emplace_back(join(key, ".recall_at_", k), recall_at(places, k));
  values.emplace_back(key + ".median_rank", static_cast<double>(median_rank(places)));
}

void add_ranks(const PairInput& input, const PairOptions& options, MeasureReport& report) {
  const Ranking ranking = rank_pairs(input.a, input.b, input.owner, options.threads);
  std::vector<int64_t> owned(static_cast<size_t>(input.a.rows()));
  for (const int64_t item : input.owner) ++owned[static_cast<size_t>(item)];
  const std::vector<int64_t> one(input.owner.size(), 1);
  Values values;
  put_places(values, "pairs.a_to_b", ranking.a_to_b);
  put_places(values, "pairs.b_to_a", ranking.b_to_a);
  put_places(values, "chance.pairs.a_to_b", chance_places(owned, input.b.rows()));
  put_places(values, "chance.pairs.b_to_a", chance_places(one, input.a.rows()));
  add(report, "pair_recall", {}, values);
  const auto alone = std::ranges::count(owned, 0);
  if (alone > 0) report.warnings.push_back(join(alone, " items without a partner ask nothing; they can be found"));
}

void add_gap(const PairInput& input, MeasureReport& report) {
  const ModalityGap gap = modality_gap(input.a, input.b, input.owner);
  add(report, "modality_gap", {},
      {{"pairs.gap", gap.distance},
       {"pairs.cosine.matched", gap.matched},
       {"pairs.cosine.unmatched", gap.unmatched},
       {"pairs.cosine.within_a", gap.within_a},
       {"pairs.cosine.within_b", gap.within_b}});
}

void add_sharing(const PairInput& input, const PairOptions& options, MeasureReport& report) {
  Values values;
  const auto put = [&](const std::string& key, const Sharing& shared) {
    values.emplace_back(key + ".jaccard", shared.jaccard);
    values.emplace_back(key + ".mass_a", shared.mass_a);
    values.emplace_back(key + ".mass_b", shared.mass_b);
  };
  put("pairs.shared", sharing(input.a, input.b, input.owner, options.threshold));
  if (input.a.rows() > 1) {
    const std::vector<int64_t> others = other_owners(input.owner, input.a.rows(), options.seed);
    put("chance.pairs.shared", sharing(input.a, input.b, others, options.threshold));
  }
  const LiveFeatures live = live_in_both(input.a, input.b, options.threshold);
  values.emplace_back("pairs.live.both", static_cast<double>(live.both));
  values.emplace_back("pairs.live.only_a", static_cast<double>(live.only_a));
  values.emplace_back("pairs.live.only_b", static_cast<double>(live.only_b));
  values.emplace_back("pairs.live.neither", static_cast<double>(live.neither));
  add(report, "pair_sharing", {{"threshold", options.threshold}, {"seed", static_cast<int64_t>(options.seed)}}, values);
}

void add_consistency(const PairInput& input, const PairOptions& options, MeasureReport& report) {
  const auto skip = [&](const std::string& reason) { report.skipped.push_back({"pair_consistency", reason}); };
  if (input.labels.empty()) return skip("no labels");
  const measure::Classes classes = measure::index_classes(input.labels, input.a.rows(), input.name);
  if (classes.count() < 2) return skip("labels of less than two classes");
  report.labelled = classes.labelled;
  report.classes = classes.count();
  std::vector<int64_t> labels_of_b;
  for (const int64_t item : input.owner) labels_of_b.push_back(input.labels[static_cast<size_t>(item)]);
  Values values;
  const auto put = [&](const std::string& side, const Features& features, std::span<const int64_t> labels) {
    const auto found = measure::class_consistency(
        features, labels, {.threshold = options.threshold, .strong = options.strong, .threads = options.threads});
    const std::string key = "pairs.class_consistency." + side;
    values.emplace_back(key + ".active", found.active.mean_consistency);
    values.emplace_back(key + ".positive", found.positive.mean_consistency);
    values.emplace_back(key + ".strong", found.strong.mean_consistency);
  };
  put("a", input.a, input.labels);
  put("b", input.b, labels_of_b);
  add(report, "pair_consistency", {{"threshold", options.threshold}, {"strong", options.strong}}, values);
}

void warn_of_zeros(const Features& features, const char* side, MeasureReport& report) {
  int64_t zeros = 0;
  for (int64_t i = 0; i < features.rows(); ++i) zeros += features.row_norm(i) == 0 ? 1 : 0;
  if (zeros > 0) report.warnings.push_back(join(zeros, " rows of ", side, " are zero: they are like nothing"));
}

}  // namespace

MeasureReport pair_report(const PairInput& input, const PairOptions& options) {
  MeasureReport report;
  report.source = input.name;
  report.rows = input.a.rows();
  report.cols = input.a.cols();
  report.sparse = input.a.sparse() != nullptr && input.b.sparse() != nullptr;
  check(input.a.cols() > 0, "[", input.name, "] expected features, got none");
  add_ranks(input, options, report);
  add_gap(input, report);
  add_sharing(input, options, report);
  add_consistency(input, options, report);
  warn_of_zeros(input.a, "a", report);
  warn_of_zeros(input.b, "b", report);
  return report;
}

}  // namespace orthant::pairing
