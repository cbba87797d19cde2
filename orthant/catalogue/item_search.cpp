#include "orthant/catalogue/item_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace orthant::catalogue {
namespace {

constexpr int64_t kBlock = 8192;  // items whose scores stay in the first cache

bool better(const ItemMatch& a, const ItemMatch& b) { return a.score != b.score ? a.score > b.score : a.item < b.item; }

}  // namespace

// The best so far, the worst of them in front. Items are offered in rising order.
class ItemSearch::Best {
 public:
  Best(int64_t k, int64_t except) : k_(static_cast<size_t>(k)), except_(except) {}

  void offer(int64_t item, double score) {
    if ((list_.size() == k_ && score <= least_) || item == except_ || k_ == 0) return;
    if (list_.size() == k_) {
      std::ranges::pop_heap(list_, better);
      list_.pop_back();
    }
    list_.push_back({item, score});
    std::ranges::push_heap(list_, better);
    if (list_.size() == k_) least_ = list_.front().score;
  }
  std::vector<ItemMatch> take() {
    std::ranges::sort(list_, better);
    return std::move(list_);
  }

 private:
  size_t k_;
  int64_t except_;
  double least_ = -std::numeric_limits<double>::infinity();
  std::vector<ItemMatch> list_;
};

ItemSearch::ItemSearch(const Features& features, const search::Columns& columns)
    : features_(features), columns_(&columns), lengths_(static_cast<size_t>(features.rows())) {
  for (int64_t i = 0; i < features.rows(); ++i) {
    const double length = features.row_norm(i);
    lengths_[static_cast<size_t>(i)] = length > 0 ? static_cast<float>(1 / length) : 0;
  }
}

void ItemSearch::search_sparse(const RowEntries& row, Best& best) const {
  std::vector<SparseMatrix::Row> lists;
  for (const int32_t column : row.columns) lists.push_back(columns_->sparse()->row(column));
  std::vector<size_t> at(lists.size());
  std::array<float, kBlock> products;
  for (int64_t begin = 0; begin < features_.rows(); begin += kBlock) {
    const int64_t end = std::min(begin + kBlock, features_.rows());
    products.fill(0);
    for (size_t l = 0; l < lists.size(); ++l) {
      const auto& [items, values] = lists[l];
      const float weight = row.values[l];
      size_t k = at[l];
      for (; k < items.size() && items[k] < end; ++k) {
        products[static_cast<size_t>(items[k] - begin)] += weight * values[k];
      }
      at[l] = k;
    }
    for (int64_t i = begin; i < end; ++i) {
      best.offer(i, products[static_cast<size_t>(i - begin)] * lengths_[static_cast<size_t>(i)]);
    }
  }
}

void ItemSearch::search_dense(const RowEntries& row, Best& best) const {
  std::vector<float> spread(static_cast<size_t>(features_.cols()));
  for (size_t k = 0; k < row.columns.size(); ++k) spread[static_cast<size_t>(row.columns[k])] = row.values[k];
  for (int64_t i = 0; i < features_.rows(); ++i) {
    float product = 0;
    features_.visit_row(i, [&](int64_t j, float x) { product += spread[static_cast<size_t>(j)] * x; });
    best.offer(i, product * lengths_[static_cast<size_t>(i)]);
  }
}

std::vector<ItemMatch> ItemSearch::nearest(const RowEntries& row, int64_t k, int64_t except) const {
  constexpr int64_t kSpare = 8;  // so that rounding here does not decide who is the last
  Best best(k + kSpare, except);
  if (columns_->sparse()) {
    search_sparse(row, best);
  } else {
    search_dense(row, best);
  }
  std::vector<ItemMatch> found = best.take();
  for (ItemMatch& match : found) match.score = explain(row, row_entries(features_, match.item)).score;
  std::ranges::sort(found, better);
  found.resize(std::min(found.size(), static_cast<size_t>(k)));
  return found;
}

}  // namespace orthant::catalogue
