#include "orthant/run/supervised_result.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "orthant/core/error.h"
#include "orthant/corrupt/corrupt.h"

namespace orthant {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr int64_t kTop = 5;

// Classes that come before `label` in a row of logits.
int64_t rank_of(std::span<const float> logits, int64_t label) {
  const float own = logits[static_cast<size_t>(label)];
  int64_t rank = 0;
  for (size_t c = 0; c < logits.size(); ++c) {
    rank += logits[c] > own || (logits[c] == own && static_cast<int64_t>(c) < label);
  }
  return rank;
}

// The families of the benchmark; a corruption that is in none stands for itself.
std::string family(const std::string& name) {
  struct Member {
    const char* name;
    const char* family;
  };
  static constexpr std::array kMembers = {
      Member{"gaussian_noise", "noise"}, Member{"shot_noise", "noise"},   Member{"impulse_noise", "noise"},
      Member{"defocus_blur", "blur"},    Member{"glass_blur", "blur"},    Member{"motion_blur", "blur"},
      Member{"zoom_blur", "blur"},       Member{"snow", "weather"},       Member{"frost", "weather"},
      Member{"fog", "weather"},          Member{"brightness", "weather"}, Member{"contrast", "digital"},
      Member{"elastic", "digital"},      Member{"pixelate", "digital"},   Member{"jpeg", "digital"}};
  const auto* found = std::ranges::find_if(kMembers, [&](const Member& member) { return name == member.name; });
  return found == kMembers.end() ? "" : found->family;
}

// Which of the conditions are of this corruption, or of any in this group.
template <class Wanted>
std::vector<size_t> conditions_of(const SupervisedResult& result, const Wanted& wanted) {
  std::vector<size_t> indices;
  for (size_t i = 0; i < result.conditions.size(); ++i) {
    if (wanted(corrupt::parse(result.conditions[i]))) indices.push_back(i);
  }
  return indices;
}

double mean_top1(const SeedOutcome& outcome, const std::vector<size_t>& conditions) {
  double sum = 0;
  for (const size_t i : conditions) sum += outcome.ood[i].top1;
  return sum / static_cast<double>(conditions.size());
}

OodRow corruption_row(const SupervisedResult& result, const std::string& name, const std::vector<size_t>& conditions) {
  OodRow row{name, family(name), std::vector<double>(corrupt::kSeverities, kNone), {}};
  for (const size_t i : conditions) {
    const int severity = corrupt::parse(result.conditions[i]).severity;
    row.levels[static_cast<size_t>(severity - 1)] =
        over_seeds(result, [&](const SeedOutcome& outcome) { return outcome.ood[i].top1; }).mean;
  }
  row.top1 = over_seeds(result, [&](const SeedOutcome& outcome) { return mean_top1(outcome, conditions); });
  return row;
}

}  // namespace

Scored score(const Matrix& logits, std::span<const int64_t> labels, int64_t classes) {
  check(static_cast<int64_t>(labels.size()) == logits.rows(), "[score] expected ", logits.rows(), " labels, got ",
        labels.size());
  Scored scored{.per_class = std::vector<double>(static_cast<size_t>(classes), 0), .items = logits.rows()};
  std::vector<double> counts(static_cast<size_t>(classes), 0);
  double first = 0;
  double among = 0;
  for (int64_t i = 0; i < logits.rows(); ++i) {
    const int64_t label = labels[static_cast<size_t>(i)];
    check(label >= 0 && label < classes, "[score] expected labels from 0 to ", classes - 1, ", got ", label);
    ++counts[static_cast<size_t>(label)];
    if (label >= logits.cols()) continue;
    const int64_t rank = rank_of(logits.row(i), label);
    first += rank == 0;
    among += rank < kTop;
    scored.per_class[static_cast<size_t>(label)] += rank == 0;
  }
  for (size_t c = 0; c < counts.size(); ++c)
    scored.per_class[c] = counts[c] > 0 ? scored.per_class[c] / counts[c] : kNone;
  const auto items = static_cast<double>(std::max<int64_t>(scored.items, 1));
  scored.top1 = first / items;
  scored.top5 = among / items;
  return scored;
}

Spread spread(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, values.size() > 1 ? std::sqrt(squares / (count - 1)) : kNone};
}

std::vector<TestDataRow> test_data_table(const SupervisedResult& result) {
  std::vector<TestDataRow> rows;
  for (size_t i = 0; i < result.test_data.size(); ++i) {
    rows.push_back(
        {result.test_data[i], over_seeds(result, [&](const SeedOutcome& seed) { return seed.test_data[i].top1; }),
         over_seeds(result, [&](const SeedOutcome& seed) { return seed.test_data[i].top5; }),
         over_seeds(result, [&](const SeedOutcome& seed) { return seed.test.top1 - seed.test_data[i].top1; })});
  }
  return rows;
}

std::vector<OodRow> ood_table(const SupervisedResult& result) {
  std::vector<OodRow> rows;
  for (const corrupt::Kind& kind : corrupt::names()) {
    const auto own = conditions_of(result, [&](const corrupt::Corruption& c) { return c.name == kind.name; });
    if (!own.empty()) rows.push_back(corruption_row(result, kind.name, own));
  }
  // Corruptions weigh the same in their group, however many severities each was asked at.
  const size_t corruptions = rows.size();
  for (const std::string group : {"noise", "blur", "weather", "digital", "corruption"}) {
    std::vector<std::vector<size_t>> members;
    for (size_t r = 0; r < corruptions; ++r) {
      if (rows[r].group.empty() || (group != "corruption" && rows[r].group != group)) continue;
      members.push_back(conditions_of(result, [&](const corrupt::Corruption& c) { return c.name == rows[r].name; }));
    }
    if (members.empty()) continue;
    const auto mean = [&](const SeedOutcome& outcome) {
      double sum = 0;
      for (const auto& conditions : members) sum += mean_top1(outcome, conditions);
      return sum / static_cast<double>(members.size());
    };
    rows.push_back({group, "", {}, over_seeds(result, mean)});
  }
  return rows;
}

}  // namespace orthant
