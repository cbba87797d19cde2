#include "learn/task/evaluation.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <set>
#include <string>

#include "learn/loss/loss.h"
#include "learn/loss/supcon.h"
#include "learn/task/encode.h"
#include "orthant/core/error.h"
#include "orthant/data/subset.h"
#include "orthant/measure/knn.h"

namespace orthant {
namespace {

constexpr uint64_t kChoice = 0;  // seed of what is looked at
constexpr int64_t kSettlingItems = 2000;
constexpr double kPiece = 2e10;  // operations between two pauses: less than a second

DatasetPtr at_most(const DatasetPtr& data, int64_t count) {
  return data->size() <= count ? data : subset(data, count, kChoice);
}

// All but the items of another part: a graph is learned from as a whole, but nobody votes for themselves.
DatasetPtr without(const DatasetPtr& data, const Dataset& others) {
  std::set<std::string> taken;
  for (int64_t i = 0; i < others.size(); ++i) taken.insert(others.id(i));
  std::vector<int64_t> left;
  for (int64_t i = 0; i < data->size(); ++i) {
    if (!taken.contains(data->id(i))) left.push_back(i);
  }
  return subset(data, std::move(left));
}

// What an evaluation works with.
struct Work {
  Model& model;
  const Recipe& recipe;
  const Pause& pause;

  // Rows that go through the network at once.
  int64_t piece() const { return static_cast<int64_t>(std::clamp(kPiece / model.flops(), 8.0, 256.0)); }
  int threads() const { return static_cast<int>(recipe.train.threads); }
  void rest() const {
    if (pause) pause();
  }
};

Encoded encode_plain(const Work& work, const DatasetPtr& data, bool z = true) {
  Loader loader(data, plain_views(work.model.options().preprocessing),
                plain_loader(data->size(), work.piece(), work.threads()));
  return encode(work.model, loader, data->size(), {.z = z, .progress = [&](int64_t) { work.rest(); }});
}

// The loss needs the whole batch, the network does not.
at::Tensor forward_in_pieces(const Work& work, const at::Tensor& rows) {
  std::vector<at::Tensor> z;
  for (const at::Tensor& piece : rows.split(work.piece())) {
    z.push_back(work.model.forward(piece));
    work.rest();
  }
  return at::cat(z);
}

LossResult view_loss(const Recipe& recipe, const at::Tensor& z, const Batch& batch) {
  return is_supcon(recipe.train.method) ? supervised_contrastive_loss(z, batch.labels, recipe.loss)
                                        : contrastive_loss(z, batch.views, recipe.loss);
}

HeldOutViews measure_views(const Work& work, const DatasetPtr& data, const ViewLoss& loss) {
  const Recipe& recipe = work.recipe;
  LoaderOptions options = plain_loader(data->size(), recipe.train.batch, work.threads());
  options.views = recipe.train.view_count;
  options.drop_last = true;
  options.vector_noise = recipe.data.vector_noise;
  options.vector_dropout = recipe.data.vector_dropout;
  options.texts = text_views(recipe);
  options.seed = recipe.train.seed;
  Loader loader(data, recipe.views, options);
  const EvalScope eval(work.model);
  loader.start_epoch(0);
  HeldOutViews mean;
  const auto share = 1 / static_cast<double>(loader.batches());
  while (const Batch* batch = loader.next()) {
    const at::Tensor z = forward_in_pieces(work, batch_tensor(*batch, work.model.options()));
    const LossResult result = loss ? loss(z, *batch) : view_loss(recipe, z, *batch);
    mean.loss += share * result.value;
    mean.positive_cosine += share * result.positive_cosine;
    mean.negative_cosine += share * result.negative_cosine;
  }
  return mean;
}

KnnMonitor measure_knn(const Work& work, const DatasetPtr& voters, const Encoded& asked) {
  const Encoded bank = encode_plain(work, voters);
  const search::NeighbourOptions search{.k = work.recipe.eval.k, .threads = work.threads()};
  const auto accuracy = [&](const Matrix& rows, const Matrix& queries) {
    work.rest();
    return measure::knn_accuracy(rows, bank.labels, queries, asked.labels, search).accuracy;
  };
  return {accuracy(bank.features, asked.features), accuracy(bank.z, asked.z), voters->size(), search.k};
}

}  // namespace

void settle(Model& model, const Recipe& recipe, const DatasetPtr& train, const Pause& pause) {
  if (model.projector().is_settled()) return;
  Encoded items = encode_plain({model, recipe, pause}, at_most(train, kSettlingItems), /*z=*/false);
  const EvalScope eval(model);
  model.projector().settle(
      at::from_blob(items.features.mutable_data(), {items.features.rows(), items.features.cols()}, at::kFloat));
}

Evaluation evaluate(Model& model, const Recipe& recipe, const DatasetPtr& train, const DatasetPtr& held_out,
                    const Pause& pause, const std::function<void(const Encoded& items)>& look, const ViewLoss& loss) {
  const Work work{model, recipe, pause};
  const DatasetPtr queries = at_most(held_out, recipe.eval.size);
  const DatasetPtr voters = at_most(train->info().graph ? without(train, *queries) : train, recipe.eval.bank);
  const size_t classes = train->info().class_names.size();
  const Encoded encoded = encode_plain(work, queries);
  if (look) look(encoded);
  Evaluation evaluation;
  evaluation.items = queries->size();
  evaluation.features = encoded.z.cols();
  evaluation.statistics = feature_statistics(encoded.z, encoded.labels);
  work.rest();
  const bool compares = !is_cross_entropy(recipe.train.method) && !held_out->info().graph;
  if (compares && queries->size() >= 2) {
    evaluation.views = measure_views(work, queries, loss);
  } else if (compares) {
    evaluation.not_measured.push_back(join("the held-out loss, which takes two held-out items, got ", queries->size()));
  }
  if (classes >= 2 && voters->size() >= recipe.eval.k) {
    evaluation.knn = measure_knn(work, voters, encoded);
  } else if (classes >= 2) {
    evaluation.not_measured.push_back(
        join("k-NN, which takes eval.k = ", recipe.eval.k, " training items, got ", voters->size()));
  } else if (classes == 1) {
    evaluation.not_measured.emplace_back("k-NN, which takes two classes, got one");
  }
  return evaluation;
}

Scalars measures_of(const Evaluation& evaluation) {
  const FeatureStatistics& s = evaluation.statistics;
  Scalars measures;
  if (const auto& views = evaluation.views) {
    measures = {{"held_out_loss", views->loss},
                {"positive_cosine", views->positive_cosine},
                {"negative_cosine", views->negative_cosine}};
  }
  const Scalars statistics = {{"consistency", s.consistency},
                              {"consistency_abs", s.consistency_abs},
                              {"consistency_top", s.consistency_top},
                              {"consistency_top_chance", s.consistency_top_chance},
                              {"sparsity", s.sparsity},
                              {"correlation", s.correlation},
                              {"non_negative", s.non_negative},
                              {"active_features", static_cast<double>(s.active_features)},
                              {"effective_rank", s.effective_rank},
                              {"dead_features", static_cast<double>(s.dead_features)},
                              {"held_out_zero_rows", static_cast<double>(s.zero_rows)}};
  measures.insert(measures.end(), statistics.begin(), statistics.end());
  if (const auto& knn = evaluation.knn) {
    measures.push_back({"knn_backbone", knn->backbone});
    measures.push_back({"knn_projector", knn->projector});
    measures.push_back({"knn_bank", static_cast<double>(knn->bank)});
    measures.push_back({"knn_k", static_cast<double>(knn->k)});
  }
  return measures;
}

}  // namespace orthant
