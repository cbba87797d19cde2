#include "cli/supervised_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/frame/terminal_text.h"

namespace orthant::cli {
namespace {

constexpr size_t kClassesShown = 20;

std::string percent(double share) { return std::isnan(share) ? "-" : fmt::format("{:.1f}", share * 100); }

std::string percent(const Spread& spread) {
  if (std::isnan(spread.deviation)) return percent(spread.mean);
  return fmt::format("{} +- {}", percent(spread.mean), percent(spread.deviation));
}

std::string class_lines(const SupervisedResult& result) {
  if (result.class_names.size() > kClassesShown) return "";
  std::string text = "\nclass                      top-1 %\n";
  for (size_t c = 0; c < result.class_names.size(); ++c) {
    const Spread own = over_seeds(result, [&](const SeedOutcome& outcome) { return outcome.test.per_class[c]; });
    text += fmt::format("{:<24} {:>9}\n", terminal_text(result.class_names[c]), percent(own.mean));
  }
  return text;
}

std::string ood_lines(const SupervisedResult& result) {
  const auto rows = ood_table(result);
  if (rows.empty()) return "";
  std::string text = "\ntop-1 % at severity             1      2      3      4      5   mean\n";
  for (const OodRow& row : rows) {
    text += fmt::format("{:<25}", row.name);
    for (size_t level = 0; level < 5; ++level) {
      text += fmt::format(" {:>6}", row.levels.empty() ? "" : percent(row.levels[level]));
    }
    text += fmt::format("   {}\n", percent(row.top1));
  }
  return text;
}

std::string test_data_lines(const SupervisedResult& result) {
  const auto rows = test_data_table(result);
  if (rows.empty()) return "";
  size_t width = 24;
  for (const TestDataRow& row : rows) width = std::max(width, row.data.name.size());
  std::string text = fmt::format("\n{:<{}} {:>6} {:>8} {:>8} {:>14} {:>14}\n", "data", width, "split", "items",
                                 "classes", "top-1 %", "drop");
  const auto line = [&](const TestData& data, const Spread& top1, const std::string& drop) {
    text += fmt::format("{:<{}} {:>6} {:>8} {:>8} {:>14} {:>14}\n", terminal_text(data.name), width, data.split,
                        data.items, data.classes, percent(top1), drop);
  };
  const Scored& own = result.seeds.front().test;
  const auto classes = std::ranges::count_if(own.per_class, [](double share) { return !std::isnan(share); });
  line({result.recipe.data.source, result.recipe.data.eval_split, own.items, classes},
       over_seeds(result, [](const SeedOutcome& outcome) { return outcome.test.top1; }), "");
  for (const TestDataRow& row : rows) line(row.data, row.top1, percent(row.drop));
  return text;
}

}  // namespace

std::string result_table(const SupervisedResult& result) {
  const SupervisedOptions& train = result.recipe.train;
  const SeedOutcome& first = result.seeds.front();
  std::string text = fmt::format("{} of {} on {}\n", train.task, train.model, result.recipe.data.source);
  text += fmt::format("{} features, {}, {} training items, {} test items, {} classes, {}\n", train.layer, train.solver,
                      first.facts.at("items"), first.test.items, result.class_names.size(),
                      result.seeds.size() == 1 ? fmt::format("seed {}", first.seed)
                                               : fmt::format("{} seeds from {}", result.seeds.size(), first.seed));
  text += fmt::format("top-1 % {:>10}\n", percent(over_seeds(result, [](const auto& o) { return o.test.top1; })));
  text += fmt::format("top-5 % {:>10}\n", percent(over_seeds(result, [](const auto& o) { return o.test.top5; })));
  return text + class_lines(result) + ood_lines(result) + test_data_lines(result);
}

}  // namespace orthant::cli
