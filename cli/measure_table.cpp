#include "cli/measure_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace orthant::cli {
namespace {

using measure::MeasureReport;
using measure::Unit;
using measure::Value;

// What a number says, in a few words.
const std::map<std::string, std::string> kHints = {
    {"sparsity", "entries that are zero"},
    {"active_per_sample", "features that are on in a sample, on average"},
    {"dead_features", "features that are never on"},
    {"non_negative_ratio", "entries that are not negative"},
    {"class_consistency.active", "share of the main class where a feature is not zero"},
    {"class_consistency.positive", "the same where it is positive"},
    {"class_consistency.strong", "the same where it dominates (above 0.1 of the row)"},
    {"class_entropy", "nats; mixture of classes in a feature, lower is purer"},
    {"anchored_features", "features with a sample that has no other (Theorem 5)"},
    {"correlation.mean", "likeness of two features, lower is more disentangled"},
    {"correlation.median", "the same, of the pair in the middle"},
    {"effective_rank", "nats; directions in use, log of their number at most"},
    {"knn_accuracy", "class told by the nearest neighbours"},
    {"precision_at_10", "of the ten nearest, those of the same class"},
    {"map_at_10", "the same, where early places count more"},
    {"recall_at_10", "queries with any of their class among the ten"},
    {"sepin.1", "nats; what the best feature tells that no other does"},
    {"sepin.10", "nats; mean of the ten best"},
    {"sepin.100", "nats; mean of the hundred best"},
    {"sepin.all", "nats; mean of all"},
    {"mig", "gap between the two features that know most of a factor"},
    {"dci.disentanglement", "each feature is about one factor"},
    {"dci.completeness", "each factor is in one feature"},
    {"dci.informativeness", "factors predicted from all features"},
    {"sap", "gap between the two features that predict a factor best"},
    {"factor_vae", "fixed factor told by the feature that varies least"},
    {"beta_vae", "fixed factor told by differences of pairs"},
    {"modularity", "each feature depends on one factor"},
    {"stability.mean", "features found again by the other model, one to one"},
};

std::string shown(const Value& value) {
  switch (value.unit) {
    case Unit::ratio:
      return fmt::format("{:.2f} %", 100 * value.value);
    case Unit::whole:
      return fmt::format("{:.0f}", value.value);
    case Unit::number:
      return fmt::format("{:.2f}", value.value);
    case Unit::nats:
      return fmt::format("{:.4f}", value.value);
  }
  return "";
}

const Value* find(const MeasureReport& report, const std::string& key) {
  for (const auto& measure : report.measures) {
    for (const Value& value : measure.values) {
      if (value.key == key) return &value;
    }
  }
  return nullptr;
}

// Every key of any report, in the order of the first that has it.
std::vector<std::string> keys_of(std::span<const MeasureReport> reports) {
  std::vector<std::string> keys;
  for (const MeasureReport& report : reports) {
    for (const auto& measure : report.measures) {
      for (const Value& value : measure.values) {
        if (std::ranges::count(keys, value.key) == 0) keys.push_back(value.key);
      }
    }
  }
  return keys;
}

// Measures skipped for the same reason share a line.
std::string notes(const MeasureReport& report, const std::string& prefix) {
  std::vector<std::pair<std::string, std::string>> reasons;
  for (const auto& skipped : report.skipped) {
    const auto known = std::ranges::find(reasons, skipped.reason, &std::pair<std::string, std::string>::first);
    if (known == reasons.end()) {
      reasons.emplace_back(skipped.reason, skipped.id);
    } else {
      known->second += ", " + skipped.id;
    }
  }
  std::string text;
  for (const auto& [reason, ids] : reasons) text += fmt::format("{}skipped {}: {}\n", prefix, ids, reason);
  for (const std::string& warning : report.warnings) text += fmt::format("{}note: {}\n", prefix, warning);
  return text;
}

}  // namespace

std::string measure_table(std::span<const MeasureReport> reports, std::span<const std::string> names) {
  constexpr size_t kLabel = 27;
  size_t width = 14;
  for (const std::string& name : names) width = std::max(width, name.size() + 2);
  std::string text = fmt::format("{:<{}}", "", kLabel);
  for (const std::string& name : names) text += fmt::format("{:>{}}", name, width);
  text += fmt::format("\n{:<{}}", "rows x features", kLabel);
  for (const MeasureReport& report : reports) {
    text += fmt::format("{:>{}}", fmt::format("{} x {}", report.rows, report.cols), width);
  }
  text += "\n";
  for (const std::string& key : keys_of(reports)) {
    text += fmt::format("{:<{}}", key, kLabel);
    for (const MeasureReport& report : reports) {
      const Value* const value = find(report, key);
      text += fmt::format("{:>{}}", value ? shown(*value) : "-", width);
    }
    const auto hint = kHints.find(key);
    text += hint == kHints.end() ? "\n" : fmt::format("   {}\n", hint->second);
  }
  const std::string shared = notes(reports.front(), "");
  const bool same =
      std::ranges::all_of(reports, [&](const MeasureReport& report) { return notes(report, "") == shared; });
  if (same) return text + shared;
  for (size_t i = 0; i < reports.size(); ++i) text += notes(reports[i], names[i] + ": ");
  return text;
}

}  // namespace orthant::cli
