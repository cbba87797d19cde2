#include "orthant/catalogue/exemplars.h"

#include <algorithm>
#include <map>

#include "orthant/core/error.h"

namespace orthant {
namespace {

constexpr float kThreshold = 1e-5F;

struct Firing {
  float value;
  int64_t item;
};

Exemplars choose(std::vector<Firing> firing, std::span<const int64_t> labels, int64_t top, int64_t spread) {
  std::ranges::sort(firing, [](const Firing& a, const Firing& b) {
    return a.value != b.value ? a.value > b.value : a.item < b.item;
  });
  Exemplars chosen;
  const auto count = static_cast<int64_t>(firing.size());
  chosen.firing = count;
  for (int64_t i = 0; i < std::min(top, count); ++i) chosen.top.push_back(firing[static_cast<size_t>(i)].item);
  const int64_t kept = std::min(spread, count);
  for (int64_t i = 0; i < kept; ++i) {
    const int64_t at = kept > 1 ? i * (count - 1) / (kept - 1) : 0;
    chosen.spread.push_back(firing[static_cast<size_t>(at)].item);
  }
  if (labels.empty()) return chosen;
  std::map<int64_t, int64_t> counts;
  int64_t labelled = 0;
  for (const Firing& one : firing) {
    const int64_t label = labels[static_cast<size_t>(one.item)];
    if (label < 0) continue;
    ++counts[label];
    ++labelled;
  }
  if (labelled == 0) return chosen;
  const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  chosen.commonest = most->first;
  chosen.consistency = static_cast<double>(most->second) / static_cast<double>(labelled);
  return chosen;
}

}  // namespace

std::vector<Exemplars> exemplars(const Features& features, std::span<const int64_t> labels,
                                 std::span<const int64_t> columns, int64_t top, int64_t spread) {
  check(labels.empty() || static_cast<int64_t>(labels.size()) == features.rows(), "[exemplars] expected ",
        features.rows(), " labels or none, got ", labels.size());
  constexpr int64_t kUnwanted = -1;
  std::vector<int64_t> place(static_cast<size_t>(features.cols()), kUnwanted);
  for (size_t c = 0; c < columns.size(); ++c) {
    check(columns[c] >= 0 && columns[c] < features.cols(), "[exemplars] expected features from 0 to ",
          features.cols() - 1, ", got ", columns[c]);
    place[static_cast<size_t>(columns[c])] = static_cast<int64_t>(c);
  }
  std::vector<std::vector<Firing>> firing(columns.size());
  for (int64_t i = 0; i < features.rows(); ++i) {
    const double norm = features.row_norm(i);
    if (norm == 0) continue;
    features.visit_row(i, [&](int64_t j, float x) {
      const int64_t c = place[static_cast<size_t>(j)];
      const auto value = static_cast<float>(static_cast<double>(x) / norm);
      if (c != kUnwanted && value > kThreshold) firing[static_cast<size_t>(c)].push_back({value, i});
    });
  }
  std::vector<Exemplars> all;
  all.reserve(columns.size());
  for (auto& list : firing) all.push_back(choose(std::move(list), labels, top, spread));
  return all;
}

}  // namespace orthant
