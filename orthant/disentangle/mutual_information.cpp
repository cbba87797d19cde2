#include "orthant/disentangle/mutual_information.h"

#include <algorithm>
#include <cmath>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/disentangle/factor_target.h"
#include "orthant/fit/code_columns.h"

namespace orthant::disentangle {
namespace {

constexpr double kRounding = 1e-12;  // what is left of the difference of entropies that should be equal

double entropy_of(std::span<const int64_t> counts, double total) {
  double entropy = 0;
  for (const int64_t count : counts) {
    if (count > 0) entropy -= static_cast<double>(count) / total * std::log(static_cast<double>(count) / total);
  }
  return entropy;
}

struct Histogram {
  std::vector<size_t> bin_of;  // by entry of the column
  size_t zero_bin = 0;
};

// Which of the equally wide bins a value is in is decided against the edges themselves, as NumPy does, because a
// quotient can round across an edge.
Histogram histogram(const fit::CodeColumns::Column& column, bool has_zeros, int64_t bins) {
  const auto [low, high] = std::ranges::minmax(column.values);
  const double first = has_zeros ? std::min(0.0F, low) : low;
  const double last = has_zeros ? std::max(0.0F, high) : high;
  std::vector<double> edges(static_cast<size_t>(bins));
  for (size_t b = 0; b < edges.size(); ++b) {
    edges[b] = first + static_cast<double>(b) * ((last - first) / static_cast<double>(bins));
  }
  const auto bin = [&](double x) {
    return static_cast<size_t>(std::max<int64_t>(std::ranges::upper_bound(edges, x) - edges.begin() - 1, 0));
  };
  Histogram found;
  for (const float x : column.values) found.bin_of.push_back(bin(x));
  found.zero_bin = bin(0);
  return found;
}

struct Information {
  double information;
  double joint_entropy;
};

Information information(const fit::CodeColumns::Column& column, const Histogram& histogram, const FactorTarget& target,
                        double factor_entropy, int64_t bins) {
  const auto classes = static_cast<size_t>(target.count);
  std::vector<int64_t> joint(static_cast<size_t>(bins) * classes);
  std::vector<int64_t> zeros = target.members;
  for (size_t e = 0; e < column.rows.size(); ++e) {
    const auto c = static_cast<size_t>(target.train[static_cast<size_t>(column.rows[e])]);
    ++joint[histogram.bin_of[e] * classes + c];
    --zeros[c];
  }
  for (size_t c = 0; c < classes; ++c) joint[histogram.zero_bin * classes + c] += zeros[c];
  std::vector<int64_t> marginal(static_cast<size_t>(bins));
  for (size_t i = 0; i < joint.size(); ++i) marginal[i / classes] += joint[i];
  const auto total = static_cast<double>(target.train.size());
  const double both = entropy_of(joint, total);
  const double shared = entropy_of(marginal, total) + factor_entropy - both;
  return {shared > kRounding ? shared : 0, both};
}

}  // namespace

InformationTable mutual_information(const Features& codes, std::span<const Factor> factors,
                                    const InformationOptions& options) {
  check_factors("mutual_information", factors, codes.rows());
  check(options.bins >= 2 && options.bins <= 1'000'000, "[mutual_information] expected 2 to 1000000 bins, got ",
        options.bins);
  const fit::CodeColumns columns(codes);
  std::vector<FactorTarget> targets;
  InformationTable table{.information = Matrix64(codes.cols(), static_cast<int64_t>(factors.size())),
                         .joint_entropy = Matrix64(codes.cols(), static_cast<int64_t>(factors.size())),
                         .entropy = {}};
  for (const Factor& factor : factors) {
    targets.push_back(factor_target(factor));
    table.entropy.push_back(entropy_of(targets.back().members, static_cast<double>(codes.rows())));
  }
  parallel_for(columns.cols(), 4, options.threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      for (size_t k = 0; k < targets.size(); ++k) {
        table.joint_entropy(i, static_cast<int64_t>(k)) = table.entropy[k];
      }
      if (columns.constant(i)) continue;
      const auto column = columns.column(i);
      const Histogram bins = histogram(column, static_cast<int64_t>(column.rows.size()) < columns.rows(), options.bins);
      for (size_t k = 0; k < targets.size(); ++k) {
        if (targets[k].count < 2) continue;
        const Information found = information(column, bins, targets[k], table.entropy[k], options.bins);
        table.information(i, static_cast<int64_t>(k)) = found.information;
        table.joint_entropy(i, static_cast<int64_t>(k)) = found.joint_entropy;
      }
    }
  });
  return table;
}

}  // namespace orthant::disentangle
