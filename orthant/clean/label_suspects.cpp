#include "orthant/clean/label_suspects.h"

#include <algorithm>

namespace orthant::clean {
namespace {

// By class, the mean probability that its labels get.
std::vector<double> confidences(std::span<const int64_t> labels, const Matrix& probabilities) {
  std::vector<double> sum(static_cast<size_t>(probabilities.cols()));
  std::vector<int64_t> count(sum.size());
  for (int64_t i = 0; i < probabilities.rows(); ++i) {
    const int64_t label = labels[static_cast<size_t>(i)];
    if (label < 0) continue;
    sum[static_cast<size_t>(label)] += double{probabilities(i, label)};
    ++count[static_cast<size_t>(label)];
  }
  for (size_t c = 0; c < sum.size(); ++c) sum[c] = count[c] == 0 ? 0 : sum[c] / static_cast<double>(count[c]);
  return sum;
}

std::vector<Reason> reasons_for(const Features& features, int64_t i, const fit::LogisticModel& model, int64_t suggested,
                                int64_t label, int64_t most) {
  std::vector<Reason> reasons;
  if (suggested >= model.weights.rows() || label >= model.weights.rows()) return reasons;
  features.visit_row(i, [&](int64_t f, float x) {
    const double value = double{x} * (double{model.weights(suggested, f)} - double{model.weights(label, f)});
    if (value > 0) reasons.push_back({f, value});
  });
  std::ranges::stable_sort(reasons, std::ranges::greater(), &Reason::value);
  if (std::ssize(reasons) > most) reasons.resize(static_cast<size_t>(most));
  return reasons;
}

}  // namespace

std::vector<Suspect> label_suspects(const Features& features, std::span<const int64_t> labels,
                                    const Judgement& judgement, const std::vector<bool>& skip,
                                    const CleanOptions& options, LabelFacts& facts) {
  const Matrix& p = judgement.probabilities;
  const std::vector<double> usual = confidences(labels, p);
  std::vector<int64_t> of_class(static_cast<size_t>(p.cols()));
  std::vector<Suspect> found;
  int64_t agreed = 0;
  for (int64_t i = 0; i < p.rows(); ++i) {
    const int64_t label = labels[static_cast<size_t>(i)];
    if (label < 0) continue;
    ++facts.judged;
    ++of_class[static_cast<size_t>(label)];
    const auto row = p.row(i);
    const int64_t best = std::ranges::max_element(row) - row.begin();
    if (best == label) {
      ++agreed;
      continue;
    }
    const double relative =
        double{row[static_cast<size_t>(label)]} / std::max(usual[static_cast<size_t>(label)], 1e-12);
    if (skip[static_cast<size_t>(i)] || relative >= options.low_confidence) continue;
    const int32_t fold = judgement.fold[static_cast<size_t>(i)];
    found.push_back({.kind = Kind::label,
                     .item = i,
                     .score = 1 - relative,
                     .label = label,
                     .suggested = best,
                     .own = double{row[static_cast<size_t>(label)]},
                     .likelier = double{row[static_cast<size_t>(best)]},
                     .reasons = reasons_for(features, i, judgement.models[static_cast<size_t>(fold)], best, label,
                                            options.reasons)});
  }
  if (facts.judged > 0) {
    facts.agreement = static_cast<double>(agreed) / static_cast<double>(facts.judged);
    facts.chance = static_cast<double>(*std::ranges::max_element(of_class)) / static_cast<double>(facts.judged);
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &Suspect::score);
  return found;
}

}  // namespace orthant::clean
