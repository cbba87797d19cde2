#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "orthant/core/embeddings.h"
#include "orthant/core/features.h"
#include "orthant/core/fields.h"

namespace orthant::disentangle {

// Settings of every measure against ground-truth factors; the defaults are those of disentanglement_lib.
struct FactorOptions {
  int64_t train_size = 10000;  // items drawn to estimate and to fit on
  int64_t test_size = 5000;    // other items drawn to score on; with fewer items in all: two thirds and one third
  int64_t bins = 20;           // of a code's histogram, for mutual information
  bool dci = true;             // the costly one can be left out: its scores are then NaN
  int64_t dci_trees = 100;     // boosting rounds per factor; fewer are faster and rank codes much the same
  double svc_c = 0.01;         // penalty of SAP's linear classifiers
  int64_t batch = 64;          // items (pairs) behind one vote of the FactorVAE (one point of the beta-VAE) score
  int64_t votes = 10000;       // votes and points to fit on
  int64_t test_votes = 5000;   // votes and points to score on
  double prune_below = 0.05;   // codes with a smaller standard deviation cast no FactorVAE vote
  double merge_above = 0.95;   // codes whose columns have a larger cosine are duplicates
  uint64_t seed = 0;
  int threads = 0;  // 0: as many as the machine offers; never changes a result

  void validate() const;  // std::invalid_argument that names the first setting outside its range
};

// Lists every setting but seed and threads, which every command has anyway; see orthant/core/fields.h.
template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, FactorOptions>
void for_each_field(Options& o, Visitor&& visit) {
  const Limits count{.min = 1, .max = 100'000'000};
  visit(Field{"train_size", "Items drawn to fit factor measures on", count}, o.train_size);
  visit(Field{"test_size", "Other items drawn to score them on", count}, o.test_size);
  visit(Field{"bins", "Bins of a code's histogram for mutual information", {.min = 2, .max = 10000}}, o.bins);
  visit(Field{"dci", "Compute DCI, by far the longest of the factor measures"}, o.dci);
  visit(Field{"dci_trees", "Boosting rounds per factor of DCI", {.min = 1, .max = 100000}}, o.dci_trees);
  visit(Field{"svc_c", "Penalty of SAP's linear classifiers", {.min = 0, .exclusive_min = true}}, o.svc_c);
  visit(Field{"batch", "Items that share a factor in one FactorVAE or beta-VAE sample", {.min = 2, .max = 1 << 20}},
        o.batch);
  visit(Field{"votes", "FactorVAE votes and beta-VAE points to fit on", count}, o.votes);
  visit(Field{"test_votes", "FactorVAE votes and beta-VAE points to score on", count}, o.test_votes);
  visit(Field{"prune_below", "Least standard deviation of a code that votes", {.min = 0}}, o.prune_below);
  visit(Field{"merge_above", "Cosine above which two codes are duplicates", {.min = 0, .max = 1}}, o.merge_above);
}

// Every score of one set of codes. All are in 0..1 and larger is better, but for rmig and jemmig (in nats).
struct FactorScoreSet {
  int64_t codes = 0;               // columns that were scored
  int64_t live_codes = 0;          // of these, not constant over the training items
  double mig = 0;                  // `mig`
  double rmig = 0;                 // gap in nats, not divided by the factor's entropy
  double jemmig = 0;               // smaller is better
  double modularity = 0;           // `modularity`, mean over codes that know something of a factor
  double dci_disentanglement = 0;  // `dci.disentanglement`
  double dci_completeness = 0;     // `dci.completeness`
  double dci_informativeness = 0;  // `dci.informativeness`: accuracy on test items
  double dci_train_accuracy = 0;   // the same on training items
  double sap = 0;                  // `sap`
  double factor_vae = 0;           // `factor_vae`: accuracy on test votes
  double factor_vae_train = 0;     // the same on training votes
  int64_t factor_vae_codes = 0;    // codes that were not pruned
  double beta_vae = 0;             // `beta_vae`: accuracy on test points
  double beta_vae_train = 0;       // the same on training points
};

struct FactorScores {
  int64_t train_items = 0;
  int64_t test_items = 0;
  bool fewer_items = false;           // there were not train_size + test_size items: two thirds, one third
  std::vector<std::string> factors;   // that were scored
  std::vector<std::string> left_out;  // constant over the training items
  FactorScoreSet plain;               // of the codes as they are
  FactorScoreSet merged;              // `merged.*`: duplicates summed first; equals `plain` where there are none
};

// Scores codes [N, D] against what is known of the N items. One draw of items without replacement, keyed by the seed,
// serves every measure; dense and sparse input give the same answer. Where no factor or no live code is left all scores
// are 0. Identifiers, formulas and edge cases: docs/measures.md.
//
// Takes about 20 bytes per non-zero of the drawn items. Throws std::invalid_argument for no items, no factors, a factor
// of another length or with a class out of range, an option out of range, or NaN among the drawn items (with its
// place).
FactorScores factor_scores(const Features& codes, std::span<const Factor> factors, const FactorOptions& options = {});

}  // namespace orthant::disentangle
