#include "orthant/disentangle/factors.h"

#include <cmath>
#include <numeric>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/disentangle/beta_vae.h"
#include "orthant/disentangle/dci.h"
#include "orthant/disentangle/factor_target.h"
#include "orthant/disentangle/factor_vae.h"
#include "orthant/disentangle/merge_features.h"
#include "orthant/disentangle/mig.h"
#include "orthant/disentangle/modularity.h"
#include "orthant/disentangle/sap.h"
#include "orthant/fit/code_columns.h"

namespace orthant::disentangle {
namespace {

constexpr uint16_t kDrawStream = 0xff44;

struct Draw {
  std::vector<int64_t> train;
  std::vector<int64_t> test;
  bool fewer = false;
};

// Without replacement: the first items of a shuffled list, of which no more is shuffled than is needed.
Draw draw_items(int64_t items, const FactorOptions& options) {
  const bool fewer = items - options.test_size < options.train_size;
  const int64_t train = fewer ? (2 * items + 2) / 3 : options.train_size;
  const int64_t test = fewer ? items - train : options.test_size;
  std::vector<int64_t> all(static_cast<size_t>(items));
  std::iota(all.begin(), all.end(), 0);
  Rng rng({.seed = options.seed, .view = kDrawStream});
  for (size_t i = 0; i < static_cast<size_t>(train + test); ++i) std::swap(all[i], all[i + rng.below(all.size() - i)]);
  return {.train = {all.begin(), all.begin() + train},
          .test = {all.begin() + train, all.begin() + train + test},
          .fewer = fewer};
}

struct Sample {
  SparseMatrix codes;
  std::vector<Factor> factors;
};

FactorScoreSet score_all(const Sample& train, const Sample& test, const FactorOptions& options) {
  FactorScoreSet set{.codes = train.codes.cols()};
  const fit::CodeColumns columns(train.codes);
  for (int64_t j = 0; j < columns.cols(); ++j) set.live_codes += !columns.constant(j);
  if (!options.dci) {
    set.dci_disentanglement = set.dci_completeness = set.dci_informativeness = set.dci_train_accuracy = NAN;
  }
  if (set.live_codes == 0 || train.factors.empty()) return set;

  const InformationTable table =
      mutual_information(train.codes, train.factors, {.bins = options.bins, .threads = options.threads});
  const MigScore gaps = mig(table);
  set.mig = gaps.mig;
  set.rmig = gaps.rmig;
  set.jemmig = gaps.jemmig;
  set.modularity = modularity(table).modularity;
  if (options.dci) {
    const DciScore found = dci(train.codes, train.factors, test.codes, test.factors,
                               {.trees = options.dci_trees, .threads = options.threads});
    set.dci_disentanglement = found.disentanglement;
    set.dci_completeness = found.completeness;
    set.dci_informativeness = found.informativeness;
    set.dci_train_accuracy = found.train_accuracy;
  }
  set.sap =
      sap(train.codes, train.factors, test.codes, test.factors, {.c = options.svc_c, .threads = options.threads}).sap;
  const FactorVaeScore voted = factor_vae(train.codes, train.factors, test.codes, test.factors,
                                          {.batch = options.batch,
                                           .votes = options.votes,
                                           .test_votes = options.test_votes,
                                           .prune_below = options.prune_below,
                                           .seed = options.seed,
                                           .threads = options.threads});
  set.factor_vae = voted.accuracy;
  set.factor_vae_train = voted.train_accuracy;
  set.factor_vae_codes = voted.active_codes;
  const BetaVaeScore told = beta_vae(train.codes, train.factors, test.codes, test.factors,
                                     {.batch = options.batch,
                                      .points = options.votes,
                                      .test_points = options.test_votes,
                                      .seed = options.seed,
                                      .threads = options.threads});
  set.beta_vae = told.accuracy;
  set.beta_vae_train = told.train_accuracy;
  return set;
}

}  // namespace

void FactorOptions::validate() const {
  for_each_field(*this, [](const Field& field, const auto& value) {
    const auto number = static_cast<double>(value);
    const bool above = field.limits.exclusive_min ? number > field.limits.min : number >= field.limits.min;
    check(above && number <= field.limits.max, "[factor_scores] expected ", field.name, " from ", field.limits.min,
          " to ", field.limits.max, ", got ", value);
  });
}

FactorScores factor_scores(const Features& codes, std::span<const Factor> factors, const FactorOptions& options) {
  options.validate();
  check(codes.rows() > 0, "[factor_scores] expected at least one item, got none");
  check(!factors.empty(), "[factor_scores] expected at least one factor, got none");
  check_factors("factor_scores", factors, codes.rows());

  const Draw draw = draw_items(codes.rows(), options);
  FactorScores scores;
  scores.train_items = static_cast<int64_t>(draw.train.size());
  scores.test_items = static_cast<int64_t>(draw.test.size());
  scores.fewer_items = draw.fewer;
  Sample train{.codes = fit::gather_rows(codes, draw.train), .factors = {}};
  Sample test{.codes = fit::gather_rows(codes, draw.test), .factors = {}};
  for (const Factor& factor : factors) {
    Factor drawn = gather_items(factor, draw.train);
    if (factor_target(drawn).count < 2) {
      scores.left_out.push_back(factor.name);
      continue;
    }
    scores.factors.push_back(factor.name);
    train.factors.push_back(std::move(drawn));
    test.factors.push_back(gather_items(factor, draw.test));
  }
  scores.plain = score_all(train, test, options);
  const FeatureGroups groups =
      duplicate_features(train.codes, {.above = options.merge_above, .threads = options.threads});
  if (groups.count == train.codes.cols()) {
    scores.merged = scores.plain;
    return scores;
  }
  train.codes = merge_features(train.codes, groups);
  test.codes = merge_features(test.codes, groups);
  scores.merged = score_all(train, test, options);
  return scores;
}

}  // namespace orthant::disentangle
