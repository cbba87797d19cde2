#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/core/embeddings.h"
#include "orthant/core/rng.h"

namespace orthant::disentangle {

// Draws items that agree in one factor, from a finite table of items: stands in for a simulator that could make such
// items at will. The other factors are as they come in the table. Reading from several threads is safe.
class FixedFactorSampler {
 public:
  // Factors of N items, borrowed. Classes with a single item are never drawn: copies of one item agree in everything.
  explicit FixedFactorSampler(std::span<const Factor> factors);

  // Factors that vary and have a class of two or more items; a draw names one of them by its place in `factors`.
  int64_t usable() const { return static_cast<int64_t>(tables_.size()); }

  // A factor, each as likely as another; usable() must not be 0.
  int64_t draw_factor(Rng& rng) const;

  // An item, each of the factor's as likely as another; and an item of the same class, with replacement.
  int64_t draw_item(int64_t factor, Rng& rng) const;
  int64_t draw_like(int64_t factor, int64_t item, Rng& rng) const;

 private:
  struct Table {
    int64_t factor = 0;
    std::vector<int64_t> items;  // of drawable classes, class by class
    std::vector<int64_t> begin;  // by class of the factor: its run of `items`; one more at the end
    std::span<const int32_t> classes;
  };
  const Table& table(int64_t factor) const;

  std::vector<Table> tables_;
};

}  // namespace orthant::disentangle
