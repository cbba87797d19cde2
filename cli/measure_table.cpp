#include "cli/measure_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace orthant::cli {
namespace {

using measure::MeasureReport;
using measure::Unit;
using measure::Value;

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

// A line of the table: what the number of the first report that has it says.
struct Line {
  std::string key;
  std::string words;
};

std::string words_of(const measure::Measure& measure, const std::string& key) {
  const auto known = std::ranges::find(measure::listing(), measure.id, &measure::ListedMeasure::id);
  const measure::ListedKey* const listed = known == measure::listing().end() ? nullptr : known->find(key);
  if (!listed) return "";
  return fmt::format("{}{}{}", listed->unit == Unit::nats ? "nats; " : "", listed->words,
                     listed->better == measure::Better::lower ? ", lower is better" : "");
}

// Every key of any report, in the order of the first that has it.
std::vector<Line> lines_of(std::span<const MeasureReport> reports) {
  std::vector<Line> lines;
  for (const MeasureReport& report : reports) {
    for (const auto& measure : report.measures) {
      for (const Value& value : measure.values) {
        if (std::ranges::count(lines, value.key, &Line::key) > 0) continue;
        lines.push_back({value.key, words_of(measure, value.key)});
      }
    }
  }
  return lines;
}

const Value* find(const MeasureReport& report, const std::string& key) {
  for (const auto& measure : report.measures) {
    const auto found = std::ranges::find(measure.values, key, &Value::key);
    if (found != measure.values.end()) return &*found;
  }
  return nullptr;
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
  const std::vector<Line> lines = lines_of(reports);
  size_t label = 31;
  for (const Line& line : lines) label = std::max(label, line.key.size() + 1);
  size_t width = 14;
  for (const std::string& name : names) width = std::max(width, name.size() + 2);
  std::string text = fmt::format("{:<{}}", "", label);
  for (const std::string& name : names) text += fmt::format("{:>{}}", name, width);
  text += fmt::format("\n{:<{}}", "rows x features", label);
  for (const MeasureReport& report : reports) {
    text += fmt::format("{:>{}}", report.rows > 0 ? fmt::format("{} x {}", report.rows, report.cols) : "", width);
  }
  text += "\n";
  for (const auto& [key, words] : lines) {
    text += fmt::format("{:<{}}", key, label);
    for (const MeasureReport& report : reports) {
      const Value* const value = find(report, key);
      text += fmt::format("{:>{}}", value ? shown(*value) : "-", width);
    }
    text += words.empty() ? "\n" : fmt::format("   {}\n", words);
  }
  const std::string shared = notes(reports.front(), "");
  const bool same =
      std::ranges::all_of(reports, [&](const MeasureReport& report) { return notes(report, "") == shared; });
  if (same) return text + shared;
  for (size_t i = 0; i < reports.size(); ++i) text += notes(reports[i], names[i] + ": ");
  return text;
}

}  // namespace orthant::cli
