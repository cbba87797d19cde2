#include "orthant/measure/retrieval.h"

#include <algorithm>
#include <unordered_map>

#include "orthant/core/error.h"

namespace orthant::measure {
namespace {

void check_arguments(const search::Neighbours& found, std::span<const int64_t> bank_labels,
                     std::span<const int64_t> query_labels, int64_t k) {
  check(k >= 1, "[retrieval] expected k of at least 1, got ", k);
  check(static_cast<int64_t>(query_labels.size()) == found.queries(), "[retrieval] expected a label for each of ",
        found.queries(), " queries, got ", query_labels.size());
  for (const auto labels : {bank_labels, query_labels}) {
    const auto bad = std::ranges::find_if(labels, [](int64_t label) { return label < -1; });
    check(bad == labels.end(), "[retrieval] expected labels from -1 (unknown), got ", bad == labels.end() ? 0 : *bad);
  }
  const auto indices = found.indices.values();
  check(indices.empty() || *std::ranges::max_element(indices) < static_cast<int64_t>(bank_labels.size()),
        "[retrieval] expected a label for every row of the bank, got ", bank_labels.size());
  const auto rows = static_cast<int64_t>(bank_labels.size()) - (found.self_excluded ? 1 : 0);
  check(found.queries() == 0 || found.k() >= std::min(k, rows), "[retrieval] expected a search of at least ",
        std::min(k, rows), " neighbours, got ", found.k());
}

}  // namespace

Retrieval retrieval(const search::Neighbours& found, std::span<const int64_t> bank_labels,
                    std::span<const int64_t> query_labels, int64_t k) {
  check_arguments(found, bank_labels, query_labels, k);
  std::unordered_map<int64_t, int64_t> class_sizes;
  for (const int64_t label : bank_labels) ++class_sizes[label];
  Retrieval result{.k = k};
  for (int64_t q = 0; q < found.queries(); ++q) {
    const int64_t truth = query_labels[static_cast<size_t>(q)];
    const auto size = class_sizes.find(truth);
    int64_t relevant = truth >= 0 && size != class_sizes.end() ? size->second : 0;
    if (relevant > 0 && found.self_excluded && bank_labels[static_cast<size_t>(q)] == truth) --relevant;
    if (relevant == 0) continue;
    ++result.counted;
    int64_t hits = 0;
    double precisions = 0;
    for (int64_t n = 0; n < std::min(k, found.k()); ++n) {
      if (bank_labels[static_cast<size_t>(found.indices(q, n))] != truth) continue;
      precisions += static_cast<double>(++hits) / static_cast<double>(n + 1);
    }
    result.precision += static_cast<double>(hits) / static_cast<double>(k);
    result.average_precision += precisions / static_cast<double>(std::min(k, relevant));
    result.recall += hits > 0 ? 1 : 0;
  }
  result.left_out = found.queries() - result.counted;
  const auto count = static_cast<double>(std::max<int64_t>(result.counted, 1));
  result.precision /= count;
  result.average_precision /= count;
  result.recall /= count;
  return result;
}

Retrieval retrieval(const Features& bank, std::span<const int64_t> bank_labels, const Features& queries,
                    std::span<const int64_t> query_labels, const search::NeighbourOptions& options) {
  check(static_cast<int64_t>(bank_labels.size()) == bank.rows() &&
            static_cast<int64_t>(query_labels.size()) == queries.rows(),
        "[retrieval] expected a label for each of ", bank.rows(), " rows and ", queries.rows(), " queries, got ",
        bank_labels.size(), " and ", query_labels.size());
  return retrieval(search::neighbours(bank, queries, options), bank_labels, query_labels, options.k);
}

Retrieval retrieval(const Features& features, std::span<const int64_t> labels, search::NeighbourOptions options) {
  options.exclude_self = true;
  return retrieval(features, labels, features, labels, options);
}

}  // namespace orthant::measure
