#include "orthant/measure/sepin_rows.h"

#include <algorithm>
#include <cmath>

#include "orthant/measure/sepin_kernels.h"

namespace orthant::measure {
namespace {

constexpr double kZeroLength = 1e-12;
constexpr double kDominant = 0.5;

double product(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (size_t j = 0; j < a.size(); ++j) sum += static_cast<double>(a[j]) * b[j];
  return sum;
}

double product_without(std::span<const float> a, std::span<const float> b, int64_t feature) {
  const auto skip = static_cast<size_t>(feature);
  return product(a.first(skip), b.first(skip)) + product(a.subspan(skip + 1), b.subspan(skip + 1));
}

}  // namespace

SepinRows::SepinRows(const Features& first, const Features& second, std::span<const int64_t> pairs, bool renormalise)
    : renormalise_(renormalise), unit_(2 * static_cast<int64_t>(pairs.size()), first.cols()) {
  const auto rows = static_cast<size_t>(unit_.rows());
  squared_.resize(rows);
  dominant_.resize(rows, -1);
  reduced_index_.resize(rows, -1);
  for (size_t p = 0; p < pairs.size(); ++p) {
    fill_row(static_cast<int64_t>(p), first, pairs[p]);
    fill_row(static_cast<int64_t>(p + pairs.size()), second, pairs[p]);
  }
  reduce_rows();
  list_entries();
  for (int64_t p = 0; p < this->pairs(); ++p) {
    const double squares = squared_[static_cast<size_t>(p)] * squared_[static_cast<size_t>(partner(p))];
    positive_products_.push_back(product(unit_.row(p), unit_.row(partner(p))));
    positives_.push_back(squares > 0 ? positive_products_.back() / std::sqrt(squares) : 0);
  }
}

int64_t SepinRows::blocks() const { return (rows() + kSepinBlock - 1) / kSepinBlock; }

int64_t SepinRows::block_rows(int64_t block) const { return std::min(kSepinBlock, rows() - block * kSepinBlock); }

void SepinRows::fill_row(int64_t row, const Features& features, int64_t source) {
  const double length = features.row_norm(source);
  if (length <= kZeroLength) {
    ++zero_rows_;
    return;
  }
  const auto unit = unit_.mutable_row(row);
  features.visit_row(source,
                     [&](int64_t j, float x) { unit[static_cast<size_t>(j)] = static_cast<float>(x / length); });
  const double squared = product(unit, unit);
  squared_[static_cast<size_t>(row)] = squared;
  if (!renormalise_) return;
  for (size_t j = 0; j < unit.size(); ++j) {
    const double x = unit[j];
    if (x * x > kDominant * squared) dominant_[static_cast<size_t>(row)] = static_cast<int32_t>(j);
  }
}

void SepinRows::reduce_rows() {
  reduced_ = Matrix(std::ranges::count_if(dominant_, [](int32_t feature) { return feature >= 0; }), cols());
  int64_t next = 0;
  for (int64_t row = 0; row < rows(); ++row) {
    if (row % kSepinBlock == 0) reduced_begin_.push_back(next);
    const int64_t feature = dominant_[static_cast<size_t>(row)];
    if (feature < 0) continue;
    const double length = std::sqrt(product_without(unit_.row(row), unit_.row(row), feature));
    reduced_inverse_.push_back(length > kZeroLength ? 1 / length : 0);
    for (int64_t j = 0; j < cols(); ++j) {
      if (j != feature) reduced_(next, j) = static_cast<float>(unit_(row, j) * reduced_inverse_.back());
    }
    reduced_index_[static_cast<size_t>(row)] = static_cast<int32_t>(next++);
  }
  reduced_begin_.push_back(next);
}

void SepinRows::list_entries() {
  const auto slot = [this](int64_t feature, int64_t row) {
    return static_cast<size_t>(feature * blocks() + row / kSepinBlock);
  };
  entries_begin_.assign(static_cast<size_t>(cols() * blocks()) + 1, 0);
  for (int64_t row = 0; row < rows(); ++row) {
    for (int64_t j = 0; j < cols(); ++j) entries_begin_[slot(j, row) + 1] += unit_(row, j) != 0;
  }
  for (size_t i = 1; i < entries_begin_.size(); ++i) entries_begin_[i] += entries_begin_[i - 1];
  entries_.resize(static_cast<size_t>(entries_begin_.back()));
  std::vector<int64_t> next(entries_begin_.begin(), entries_begin_.end() - 1);
  for (int64_t row = 0; row < rows(); ++row) {
    for (int64_t j = 0; j < cols(); ++j) {
      if (unit_(row, j) == 0) continue;
      SepinEntry& entry = entries_[static_cast<size_t>(next[slot(j, row)]++)];
      entry.row = static_cast<int32_t>(row);
      entry.reduced = dominant_[static_cast<size_t>(row)] == j ? reduced_index_[static_cast<size_t>(row)] : -1;
      entry.value = unit_(row, j);
      entry.inverse = renormalise_ ? static_cast<float>(inverse_without(row, &entry)) : 1;
    }
  }
}

std::span<const SepinEntry> SepinRows::entries(int64_t feature, int64_t block) const {
  const int64_t* begin = entries_begin_.data() + feature * blocks() + block;
  return std::span(entries_).subspan(static_cast<size_t>(begin[0]), static_cast<size_t>(begin[1] - begin[0]));
}

std::span<const SepinEntry> SepinRows::entries(int64_t feature) const {
  const int64_t* begin = entries_begin_.data() + feature * blocks();
  return std::span(entries_).subspan(static_cast<size_t>(begin[0]), static_cast<size_t>(begin[blocks()] - begin[0]));
}

double SepinRows::inverse_without(int64_t row, const SepinEntry* entry) const {
  if (entry && entry->reduced >= 0) return reduced_inverse_[static_cast<size_t>(entry->reduced)];
  const double value = entry && renormalise_ ? entry->value : 0;
  const double left = squared_[static_cast<size_t>(row)] - value * value;
  return left > 0 ? 1 / std::sqrt(left) : 0;
}

double SepinRows::positive_without(int64_t feature, int64_t pair, const SepinEntry* first,
                                   const SepinEntry* second) const {
  double left = positive_products_[static_cast<size_t>(pair)];
  if ((first && first->reduced >= 0) || (second && second->reduced >= 0)) {
    left = product_without(unit_.row(pair), unit_.row(partner(pair)), feature);
  } else if (first && second) {
    left -= static_cast<double>(first->value) * second->value;
  }
  return left * inverse_without(pair, first) * inverse_without(partner(pair), second);
}

double SepinRows::negatives_without(int64_t feature, int64_t row, double temperature) const {
  const auto entries = this->entries(feature);
  const auto own = std::ranges::lower_bound(entries, row, {}, &SepinEntry::row);
  const double inverse = inverse_without(row, own != entries.end() && own->row == row ? &*own : nullptr);
  auto next = entries.begin();
  double sum = 0;
  for (int64_t other = 0; other < rows(); ++other) {
    const SepinEntry* const entry = next != entries.end() && next->row == other ? &*next++ : nullptr;
    if (other == row || other == partner(row)) continue;
    const double left = product_without(unit_.row(row), unit_.row(other), feature);
    sum += std::exp(left * inverse * inverse_without(other, entry) / temperature);
  }
  return sum;
}

}  // namespace orthant::measure
