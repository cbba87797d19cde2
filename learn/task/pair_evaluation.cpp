#include "learn/task/pair_evaluation.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "learn/loss/pair_loss.h"
#include "learn/task/encode.h"
#include "orthant/data/subset.h"
#include "orthant/pairing/ranking.h"
#include "orthant/pairing/sharing.h"

namespace orthant {
namespace {

constexpr uint64_t kChoice = 0;  // seed of what is looked at
constexpr double kPiece = 2e10;  // operations between two pauses: less than a second
constexpr double kCollapsedCosine = 0.95;

// The rows of one tower, and the items that they are of.
struct TowerRows {
  Matrix z;
  std::vector<int64_t> labels;
  std::vector<int64_t> owner;
};

TowerRows encode_tower(Model& model, const DatasetPtr& data, bool all_texts, int threads, const Pause& pause) {
  const auto piece = static_cast<int64_t>(std::clamp(kPiece / model.flops(), 8.0, 256.0));
  const EncodeOptions options{.features = false, .progress = [&](int64_t) {
                                if (pause) pause();
                              }};
  if (data->info().text) {
    ItemTexts texts = item_texts(*data, all_texts);
    TowerRows rows{encode_texts(model, texts.texts, piece, options).z, {}, std::move(texts.items)};
    for (const int64_t item : rows.owner) rows.labels.push_back(data->label(item));
    return rows;
  }
  Loader loader(data, plain_views(model.options().preprocessing), plain_loader(data->size(), piece, threads));
  Encoded encoded = encode(model, loader, data->size(), options);
  TowerRows rows{std::move(encoded.z), std::move(encoded.labels), {}};
  rows.owner.resize(static_cast<size_t>(data->size()));
  std::iota(rows.owner.begin(), rows.owner.end(), int64_t{0});
  return rows;
}

// The first row of each item, as a tensor.
at::Tensor first_rows(const TowerRows& rows, int64_t items) {
  at::Tensor firsts = at::empty({items, rows.z.cols()});
  int64_t next = 0;
  for (size_t i = 0; i < rows.owner.size(); ++i) {
    if (rows.owner[i] != next) continue;
    std::ranges::copy(rows.z.row(static_cast<int64_t>(i)), firsts[next++].data_ptr<float>());
  }
  return firsts;
}

HeldOutViews loss_of(const at::Tensor& za, const at::Tensor& zb, const at::Tensor& log_scale,
                     const PairRecipe& recipe) {
  const at::NoGradGuard no_gradients;
  const int64_t batch = std::min(recipe.train.batch, za.size(0));
  const int64_t batches = za.size(0) / batch;
  HeldOutViews mean;
  for (int64_t i = 0; i < batches; ++i) {
    const PairLossResult result =
        pair_loss(za.narrow(0, i * batch, batch), zb.narrow(0, i * batch, batch), log_scale, recipe.loss);
    mean.loss += result.value / static_cast<double>(batches);
    mean.positive_cosine += result.positive_cosine / static_cast<double>(batches);
    mean.negative_cosine += result.negative_cosine / static_cast<double>(batches);
  }
  return mean;
}

Retrieval retrieval_of(const std::vector<pairing::Place>& places) {
  return {pairing::recall_at(places, 1), pairing::recall_at(places, 5), pairing::recall_at(places, 10),
          pairing::median_rank(places)};
}

Evaluation statistics_of(const TowerRows& rows) {
  Evaluation evaluation;
  evaluation.statistics = feature_statistics(rows.z, rows.labels);
  evaluation.features = rows.z.cols();
  evaluation.items = rows.z.rows();
  return evaluation;
}

}  // namespace

PairEvaluation evaluate_pairs(Model& a, Model& b, const at::Tensor& log_scale, const PairRecipe& recipe,
                              const PairedData& held_out, const Pause& pause) {
  const auto chosen = [&](const DatasetPtr& data) {
    return data->size() <= recipe.eval.size ? data : subset(data, recipe.eval.size, kChoice);
  };
  const auto threads = static_cast<int>(recipe.train.threads);
  const TowerRows rows_a = encode_tower(a, chosen(held_out.a), false, threads, pause);
  const TowerRows rows_b = encode_tower(b, chosen(held_out.b), true, threads, pause);
  PairEvaluation evaluation;
  evaluation.items = std::min(recipe.eval.size, held_out.a->size());
  if (evaluation.items >= 2) {
    evaluation.pairs =
        loss_of(first_rows(rows_a, evaluation.items), first_rows(rows_b, evaluation.items), log_scale, recipe);
  }
  const pairing::Ranking ranking = pairing::rank_pairs(rows_a.z, rows_b.z, rows_b.owner, threads);
  if (pause) pause();
  evaluation.a_to_b = retrieval_of(ranking.a_to_b);
  evaluation.b_to_a = retrieval_of(ranking.b_to_a);
  evaluation.shared_features = pairing::sharing(rows_a.z, rows_b.z, rows_b.owner).jaccard;
  evaluation.towers = {statistics_of(rows_a), statistics_of(rows_b)};
  return evaluation;
}

Scalars measures_of(const PairEvaluation& evaluation) {
  Scalars measures;
  if (const auto& pairs = evaluation.pairs) {
    measures = {{"held_out_loss", pairs->loss},
                {"positive_cosine", pairs->positive_cosine},
                {"negative_cosine", pairs->negative_cosine}};
  }
  const auto add = [&](const std::string& way, const Retrieval& found) {
    measures.push_back({way + "_recall_at_1", found.recall_at_1});
    measures.push_back({way + "_recall_at_5", found.recall_at_5});
    measures.push_back({way + "_recall_at_10", found.recall_at_10});
    measures.push_back({way + "_median_rank", static_cast<double>(found.median_rank)});
  };
  add("a_to_b", evaluation.a_to_b);
  add("b_to_a", evaluation.b_to_a);
  measures.push_back({"held_out_pairs", static_cast<double>(evaluation.items)});
  measures.push_back({"shared_features", evaluation.shared_features});
  for (const Tower tower : {Tower::a, Tower::b}) {
    for (const Scalar& scalar : measures_of(evaluation.towers[static_cast<size_t>(tower)])) {
      measures.push_back({scalar.name + "_" + to_string(tower), scalar.value});
    }
  }
  return measures;
}

std::vector<Warning> warnings(const PairEvaluation& evaluation, const PairRecipe& recipe) {
  std::vector<Warning> found;
  if (evaluation.pairs && evaluation.pairs->negative_cosine > kCollapsedCosine) {
    found.push_back({"collapse", fmt::format("collapse: rows of different pairs have a mean cosine of {:.2f}, so "
                                             "everything looks alike; lower optimiser.rate (now {})",
                                             evaluation.pairs->negative_cosine, recipe.optimiser.rate)});
  }
  for (const Tower tower : {Tower::a, Tower::b}) {
    const std::string name = to_string(tower);
    for (Warning& warning : warnings(evaluation.towers[static_cast<size_t>(tower)], tower_recipe(recipe, tower))) {
      const size_t at = warning.text.find("projector.");
      if (at != std::string::npos) warning.text.insert(at + std::string("projector").size(), "_" + name);
      found.push_back({warning.kind + " " + name, "tower " + name + ": " + warning.text});
    }
  }
  return found;
}

}  // namespace orthant
