#include "orthant/measure/consistency.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orthant/core/error.h"
#include "orthant/disentangle/chance_purity.h"
#include "orthant/measure/class_counts.h"
#include "orthant/search/strongest.h"

namespace orthant::measure {
namespace {

std::vector<int64_t> members_of(const Classes& classes) {
  std::vector<int64_t> members(static_cast<size_t>(classes.count()));
  for (const int32_t c : classes.of_row) {
    if (c >= 0) ++members[static_cast<size_t>(c)];
  }
  return members;
}

std::vector<bool> known(const Classes& classes) {
  std::vector<bool> rows;
  rows.reserve(classes.of_row.size());
  for (const int32_t c : classes.of_row) rows.push_back(c >= 0);
  return rows;
}

// [C, D]
std::vector<int32_t> counts_of(const search::StrongestItems& strongest, const Classes& classes, size_t features) {
  std::vector<int32_t> counts(features * static_cast<size_t>(classes.count()));
  for (size_t j = 0; j < features; ++j) {
    for (const int32_t i : strongest.of(static_cast<int64_t>(j))) {
      ++counts[static_cast<size_t>(classes.of_row[static_cast<size_t>(i)]) * features + j];
    }
  }
  return counts;
}

void add_chance(const std::vector<double>& of_samples, TopConsistency& found) {
  for (size_t j = 0; j < found.rule.samples.size(); ++j) {
    const int64_t samples = found.rule.samples[j];
    if (samples == 0) continue;
    found.chance[j] = of_samples[static_cast<size_t>(samples)];
    found.fewest = found.fewest == 0 ? samples : std::min(found.fewest, samples);
    found.mean_samples += static_cast<double>(samples) / static_cast<double>(found.rule.features);
    found.mean_chance += found.chance[j] / static_cast<double>(found.rule.features);
  }
}

}  // namespace

RuleConsistency judge_counts(std::span<const int32_t> counts, int64_t features, double epsilon) {
  const auto cols = static_cast<size_t>(features);
  RuleConsistency rule;
  rule.consistency.assign(cols, std::numeric_limits<double>::quiet_NaN());
  rule.entropy = rule.consistency;
  rule.samples.resize(cols);
  for (size_t j = 0; j < cols; ++j) {
    int64_t total = 0;
    int32_t most = 0;
    for (size_t at = j; at < counts.size(); at += cols) {
      total += counts[at];
      most = std::max(most, counts[at]);
    }
    rule.samples[j] = total;
    if (total == 0) continue;
    double entropy = 0;
    for (size_t at = j; at < counts.size(); at += cols) {
      const double share = counts[at] / static_cast<double>(total);
      if (share > 0) entropy -= share * std::log(share + epsilon);
    }
    rule.consistency[j] = most / static_cast<double>(total);
    rule.entropy[j] = entropy;
    rule.mean_consistency += rule.consistency[j];
    rule.mean_entropy += entropy;
    ++rule.features;
  }
  if (rule.features > 0) {
    rule.mean_consistency /= static_cast<double>(rule.features);
    rule.mean_entropy /= static_cast<double>(rule.features);
  }
  return rule;
}

ClassConsistency class_consistency(const Features& features, std::span<const int64_t> labels,
                                   const ConsistencyOptions& options) {
  check(features.rows() > 0 && features.cols() > 0, "[class_consistency] expected features, got ", features.rows(),
        " x ", features.cols());
  check(options.threshold >= 0 && options.strong >= 0, "[class_consistency] expected thresholds from 0 on, got ",
        options.threshold, " and ", options.strong);
  const Classes classes = index_classes(labels, features.rows(), "class_consistency");
  const ClassCounts counts = class_counts(features, classes, row_lengths(features, {}, options.threads),
                                          {options.threshold, options.strong}, options.threads);
  return {judge_counts(counts.active, features.cols()), judge_counts(counts.positive, features.cols()),
          judge_counts(counts.strong, features.cols()), classes.count(), classes.labelled};
}

TopConsistency top_consistency(const Features& features, std::span<const int64_t> labels,
                               const ConsistencyOptions& options) {
  check(features.rows() > 0 && features.cols() > 0, "[top_consistency] expected features, got ", features.rows(), " x ",
        features.cols());
  check(options.top > 0 && options.top <= 1, "[top_consistency] expected a share above 0 and up to 1, got ",
        options.top);
  const Classes classes = index_classes(labels, features.rows(), "top_consistency");
  TopConsistency found;
  found.classes = classes.count();
  found.most = search::items_of_share(options.top, classes.labelled);
  found.chance.assign(static_cast<size_t>(features.cols()), std::numeric_limits<double>::quiet_NaN());
  if (classes.labelled == 0) {
    found.rule = judge_counts({}, features.cols());
    return found;
  }
  const search::StrongestItems strongest = search::strongest_items(
      features, known(classes), {.most = found.most, .threshold = options.threshold, .threads = options.threads});
  found.rule = judge_counts(counts_of(strongest, classes, static_cast<size_t>(features.cols())), features.cols());
  add_chance(disentangle::chance_purity(members_of(classes), found.most), found);
  return found;
}

}  // namespace orthant::measure
