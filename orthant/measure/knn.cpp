#include "orthant/measure/knn.h"

#include <algorithm>
#include <vector>

#include "orthant/core/error.h"

namespace orthant::measure {
namespace {

struct Votes {
  int64_t label;
  int64_t count;
  double scores;
};

void check_labels(const search::Neighbours& found, std::span<const int64_t> bank_labels,
                  std::span<const int64_t> query_labels) {
  check(static_cast<int64_t>(query_labels.size()) == found.queries(), "[k-NN] expected a label for each of ",
        found.queries(), " queries, got ", query_labels.size());
  for (const auto labels : {bank_labels, query_labels}) {
    const auto bad = std::ranges::find_if(labels, [](int64_t label) { return label < -1; });
    check(bad == labels.end(), "[k-NN] expected labels from -1 (unknown), got ", bad == labels.end() ? 0 : *bad);
  }
  const auto indices = found.indices.values();
  check(indices.empty() || *std::ranges::max_element(indices) < static_cast<int64_t>(bank_labels.size()),
        "[k-NN] expected a label for every row of the bank, got ", bank_labels.size());
}

// The class voted for, -1 if nobody votes.
int64_t vote(const search::Neighbours& found, int64_t query, int64_t k, std::span<const int64_t> labels,
             std::vector<Votes>& votes) {
  votes.clear();
  for (int64_t n = 0; n < k; ++n) {
    const int64_t label = labels[static_cast<size_t>(found.indices(query, n))];
    if (label < 0) continue;
    auto place = std::ranges::find(votes, label, &Votes::label);
    if (place == votes.end()) place = votes.insert(place, {label, 0, 0.0});
    ++place->count;
    place->scores += static_cast<double>(found.scores(query, n));
  }
  const auto best = std::ranges::max_element(votes, [](const Votes& a, const Votes& b) {
    if (a.count != b.count) return a.count < b.count;
    return a.scores != b.scores ? a.scores < b.scores : a.label > b.label;
  });
  return best == votes.end() ? -1 : best->label;
}

}  // namespace

KnnAccuracy knn_accuracy(const search::Neighbours& found, std::span<const int64_t> bank_labels,
                         std::span<const int64_t> query_labels, int64_t k) {
  check(k >= 1, "[k-NN] expected k of at least 1, got ", k);
  check_labels(found, bank_labels, query_labels);
  KnnAccuracy result;
  std::vector<Votes> votes;
  int64_t right = 0;
  for (int64_t q = 0; q < found.queries(); ++q) {
    const int64_t truth = query_labels[static_cast<size_t>(q)];
    if (truth < 0) continue;
    ++result.counted;
    right += vote(found, q, std::min(k, found.k()), bank_labels, votes) == truth;
  }
  result.left_out = found.queries() - result.counted;
  if (result.counted > 0) result.accuracy = static_cast<double>(right) / static_cast<double>(result.counted);
  return result;
}

KnnAccuracy knn_accuracy(const Features& bank, std::span<const int64_t> bank_labels, const Features& queries,
                         std::span<const int64_t> query_labels, const search::NeighbourOptions& options) {
  check(static_cast<int64_t>(bank_labels.size()) == bank.rows() &&
            static_cast<int64_t>(query_labels.size()) == queries.rows(),
        "[k-NN] expected a label for each of ", bank.rows(), " rows and ", queries.rows(), " queries, got ",
        bank_labels.size(), " and ", query_labels.size());
  return knn_accuracy(search::neighbours(bank, queries, options), bank_labels, query_labels, options.k);
}

KnnAccuracy knn_accuracy(const Features& features, std::span<const int64_t> labels, search::NeighbourOptions options) {
  options.exclude_self = true;
  return knn_accuracy(features, labels, features, labels, options);
}

}  // namespace orthant::measure
