#include "learn/task/evaluation.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "learn/loss/loss.h"
#include "learn/task/encode.h"
#include "orthant/data/subset.h"
#include "orthant/measure/knn.h"

namespace orthant {
namespace {

constexpr uint64_t kChoice = 0;  // seed of what is looked at

DatasetPtr at_most(const DatasetPtr& data, int64_t count) {
  return data->size() <= count ? data : subset(data, count, kChoice);
}

Encoded encode_plain(Model& model, const Recipe& recipe, const DatasetPtr& data) {
  const int threads = static_cast<int>(recipe.train.threads);
  Loader loader(data, plain_views(model.options().preprocessing),
                plain_loader(data->size(), recipe.train.batch, threads));
  return encode(model, loader, data->size());
}

void measure_loss(Model& model, const Recipe& recipe, const DatasetPtr& data, Evaluation& evaluation) {
  LoaderOptions options = plain_loader(data->size(), recipe.train.batch, static_cast<int>(recipe.train.threads));
  options.views = recipe.train.view_count;
  options.drop_last = true;
  options.vector_noise = recipe.data.vector_noise;
  options.vector_dropout = recipe.data.vector_dropout;
  options.seed = recipe.train.seed;
  Loader loader(data, recipe.views, options);
  const EvalScope eval(model);
  loader.start_epoch(0);
  double batches = 0;
  while (const Batch* batch = loader.next()) {
    const LossResult result = contrastive_loss(model.forward(batch_tensor(*batch)), batch->views, recipe.loss);
    evaluation.loss += result.value;
    evaluation.positive_cosine += result.positive_cosine;
    evaluation.negative_cosine += result.negative_cosine;
    ++batches;
  }
  evaluation.loss /= batches;
  evaluation.positive_cosine /= batches;
  evaluation.negative_cosine /= batches;
}

}  // namespace

Evaluation evaluate(Model& model, const Recipe& recipe, const DatasetPtr& train, const DatasetPtr& held_out) {
  const DatasetPtr queries = at_most(held_out, recipe.eval.size);
  const Encoded encoded = encode_plain(model, recipe, queries);
  Evaluation evaluation;
  evaluation.items = queries->size();
  evaluation.features = encoded.z.cols();
  evaluation.statistics = feature_statistics(encoded.z, encoded.labels);
  measure_loss(model, recipe, queries, evaluation);
  if (!train->info().class_names.empty()) {
    const Encoded bank = encode_plain(model, recipe, at_most(train, recipe.eval.bank));
    const search::NeighbourOptions search{.k = recipe.eval.k, .threads = static_cast<int>(recipe.train.threads)};
    const auto accuracy = [&](const Matrix& rows, const Matrix& asked) {
      return measure::knn_accuracy(rows, bank.labels, asked, encoded.labels, search).accuracy;
    };
    evaluation.knn_backbone = accuracy(bank.features, encoded.features);
    evaluation.knn_projector = accuracy(bank.z, encoded.z);
  }
  return evaluation;
}

Scalars measures_of(const Evaluation& evaluation) {
  const FeatureStatistics& s = evaluation.statistics;
  Scalars measures = {{"held_out_loss", evaluation.loss},
                      {"positive_cosine", evaluation.positive_cosine},
                      {"negative_cosine", evaluation.negative_cosine},
                      {"consistency", s.consistency},
                      {"consistency_abs", s.consistency_abs},
                      {"sparsity", s.sparsity},
                      {"correlation", s.correlation},
                      {"non_negative", s.non_negative},
                      {"active_features", static_cast<double>(s.active_features)},
                      {"effective_rank", s.effective_rank},
                      {"dead_features", static_cast<double>(s.dead_features)},
                      {"held_out_zero_rows", static_cast<double>(s.zero_rows)}};
  if (evaluation.knn_backbone) measures.push_back({"knn_backbone", *evaluation.knn_backbone});
  if (evaluation.knn_projector) measures.push_back({"knn_projector", *evaluation.knn_projector});
  return measures;
}

}  // namespace orthant
