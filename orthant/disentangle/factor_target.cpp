#include "orthant/disentangle/factor_target.h"

#include <algorithm>

#include "orthant/core/error.h"

namespace orthant::disentangle {

FactorTarget factor_target(const Factor& train, const Factor& test) {
  std::vector<int32_t> present = train.classes;
  std::ranges::sort(present);
  present.erase(std::unique(present.begin(), present.end()), present.end());
  const auto number_of = [&](int32_t c) {
    const auto at = std::ranges::lower_bound(present, c);
    return at != present.end() && *at == c ? static_cast<int32_t>(at - present.begin()) : -1;
  };
  FactorTarget target;
  target.count = static_cast<int32_t>(present.size());
  target.members.resize(present.size());
  for (const int32_t c : train.classes) {
    target.train.push_back(number_of(c));
    ++target.members[static_cast<size_t>(target.train.back())];
  }
  for (const int32_t c : test.classes) target.test.push_back(number_of(c));
  return target;
}

Factor gather_items(const Factor& factor, std::span<const int64_t> items) {
  Factor some{.name = factor.name, .values = factor.values, .classes = {}, .period = factor.period};
  some.classes.reserve(items.size());
  for (const int64_t i : items) some.classes.push_back(factor.classes[static_cast<size_t>(i)]);
  return some;
}

void check_factors(const char* where, std::span<const Factor> factors, int64_t items) {
  for (const Factor& factor : factors) {
    check(static_cast<int64_t>(factor.classes.size()) == items, "[", where, "] expected ", items, " values of factor ",
          factor.name, ", got ", factor.classes.size());
    for (const int32_t c : factor.classes) {
      check(c >= 0 && static_cast<size_t>(c) < factor.values.size(), "[", where, "] expected classes of factor ",
            factor.name, " from 0 to ", factor.values.size(), " - 1, got ", c);
    }
  }
}

}  // namespace orthant::disentangle
