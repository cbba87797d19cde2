#include "orthant/disentangle/fixed_factor.h"

#include <algorithm>

#include "orthant/core/error.h"

namespace orthant::disentangle {

FixedFactorSampler::FixedFactorSampler(std::span<const Factor> factors) {
  for (size_t k = 0; k < factors.size(); ++k) {
    std::vector<std::vector<int64_t>> members(factors[k].values.size());
    for (size_t i = 0; i < factors[k].classes.size(); ++i) {
      members[static_cast<size_t>(factors[k].classes[i])].push_back(static_cast<int64_t>(i));
    }
    const auto occur = std::ranges::count_if(members, [](const auto& items) { return !items.empty(); });
    Table table{.factor = static_cast<int64_t>(k), .items = {}, .begin = {0}, .classes = factors[k].classes};
    for (const auto& items : members) {
      if (items.size() >= 2) table.items.insert(table.items.end(), items.begin(), items.end());
      table.begin.push_back(static_cast<int64_t>(table.items.size()));
    }
    if (occur >= 2 && !table.items.empty()) tables_.push_back(std::move(table));
  }
}

const FixedFactorSampler::Table& FixedFactorSampler::table(int64_t factor) const {
  const auto found = std::ranges::find(tables_, factor, &Table::factor);
  check(found != tables_.end(), "[factors] expected a factor with two items of one class, got factor ", factor);
  return *found;
}

int64_t FixedFactorSampler::draw_factor(Rng& rng) const { return tables_[rng.below(tables_.size())].factor; }

int64_t FixedFactorSampler::draw_item(int64_t factor, Rng& rng) const {
  const Table& from = table(factor);
  return from.items[rng.below(from.items.size())];
}

int64_t FixedFactorSampler::draw_like(int64_t factor, int64_t item, Rng& rng) const {
  const Table& from = table(factor);
  const auto c = static_cast<size_t>(from.classes[static_cast<size_t>(item)]);
  const auto begin = static_cast<uint64_t>(from.begin[c]);
  return from.items[begin + rng.below(static_cast<uint64_t>(from.begin[c + 1]) - begin)];
}

}  // namespace orthant::disentangle
