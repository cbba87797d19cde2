#include "learn/train/session.h"

#include <chrono>
#include <cmath>

#include "orthant/core/error.h"
#include "orthant/sources/open.h"

namespace orthant {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void stop_diverged(const Trainer& trainer, const RunFolder& folder, const std::string& what) {
  throw std::runtime_error(
      join("[", folder.path(), "] expected ", what, ", got NaN or infinity at step ", trainer.position().step,
           "; the last good checkpoint is kept: lower optimiser.rate or raise optimiser.warmup_epochs, then ",
           "'orthant resume ", folder.path(), " --force --set optimiser.rate=...'"));
}

double epochs_done(const Trainer& trainer) {
  return static_cast<double>(trainer.position().epoch) +
         static_cast<double>(trainer.position().batch) / static_cast<double>(trainer.batches());
}

MetricsLine step_line(const Trainer& trainer, const StepResult& result) {
  MetricsLine line{"step", trainer.position().step, epochs_done(trainer), {}};
  line.scalars = {{"loss", result.loss},
                  {"rate", result.rate},
                  {"blend", result.blend},
                  {"positive_cosine", result.positive_cosine},
                  {"negative_cosine", result.negative_cosine},
                  {"sparsity", result.sparsity},
                  {"zero_rows", static_cast<double>(result.zero_rows)}};
  if (result.online_accuracy) line.scalars.push_back({"online_accuracy", *result.online_accuracy});
  return line;
}

void add_evaluation(const Evaluation& evaluation, std::vector<Scalar>& scalars) {
  const FeatureStatistics& s = evaluation.statistics;
  scalars.insert(scalars.end(), {{"held_out_loss", evaluation.loss},
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
                                 {"held_out_zero_rows", static_cast<double>(s.zero_rows)}});
  if (evaluation.knn_backbone) scalars.push_back({"knn_backbone", *evaluation.knn_backbone});
  if (evaluation.knn_projector) scalars.push_back({"knn_projector", *evaluation.knn_projector});
}

// One session's bookkeeping around the trainer.
struct Session {
  Trainer& trainer;
  const TrainingData& data;
  const RunFolder& folder;
  const SessionListener& listener;
  MetricsLog log;
  Clock::time_point last_save = Clock::now();
  Clock::time_point epoch_start = Clock::now();
  int64_t epoch_first_step = 0;

  void begin_epoch() {
    trainer.begin_epoch();
    epoch_start = Clock::now();
    epoch_first_step = trainer.position().step;
  }

  void require_finite(const StepResult& result) const {
    if (!std::isfinite(result.loss)) stop_diverged(trainer, folder, "a finite loss");
  }

  void log_step(const StepResult& result) {
    const TrainOptions& options = trainer.recipe().train;
    if (trainer.position().step % options.log_steps == 0) log.add(step_line(trainer, result));
  }

  void save() {
    if (!trainer.weights_are_finite()) stop_diverged(trainer, folder, "finite weights");
    write_checkpoint(folder.checkpoint_folder(), trainer.position().step, trainer.save());
    last_save = Clock::now();
  }

  void save_if_due() {
    const TrainOptions& options = trainer.recipe().train;
    if (trainer.position().batch == trainer.batches()) return;  // the end of the epoch saves
    const bool by_steps = options.checkpoint_steps > 0 && trainer.position().step % options.checkpoint_steps == 0;
    const bool by_time = options.checkpoint_seconds > 0 && seconds_since(last_save) >= options.checkpoint_seconds;
    if (by_steps || by_time) save();
  }

  bool told_to_stop(const StepResult& result) const {
    return listener.step && !listener.step(trainer.position(), result);
  }

  void report_epoch(double rate) {
    const EpochTally& tally = trainer.tally();
    const double seconds = seconds_since(epoch_start);
    const auto images =
        static_cast<double>((trainer.position().step - epoch_first_step) * trainer.recipe().train.batch);
    MetricsLine line{"epoch", trainer.position().step, epochs_done(trainer), {}};
    line.scalars = {{"loss", tally.loss / tally.steps},      {"rate", rate},
                    {"zero_rows", tally.zero_rows},          {"seconds", seconds},
                    {"images_per_second", images / seconds}, {"wait_share", trainer.wait_share()}};
    if (tally.counted > 0) line.scalars.push_back({"online_accuracy", tally.correct / tally.counted});
    if (is_measured(trainer.position().epoch + 1)) measure(line);
    log.add(line);
    if (listener.epoch) listener.epoch(line);
  }

  bool is_measured(int64_t epoch) const {
    const int64_t every = trainer.recipe().eval.every;
    return epoch == trainer.recipe().train.epochs || (every > 0 && epoch % every == 0);
  }

  void measure(MetricsLine& line) {
    const Evaluation evaluation = evaluate(trainer.model(), trainer.recipe(), data.train, data.held_out);
    add_evaluation(evaluation, line.scalars);
    for (const std::string& text : warnings(evaluation, trainer.recipe())) {
      log.add({"warning", line.step, line.epoch, {}, {{"text", text}}});
      if (listener.warn) listener.warn(text);
    }
  }

  void end_epoch() {
    trainer.end_epoch();
    if (!trainer.weights_are_finite()) stop_diverged(trainer, folder, "finite weights");
    trainer.model().save(folder.model_file());
    save();
  }
};

}  // namespace

TrainingData open_training_data(const Recipe& recipe) {
  DataOptions options;
  options.split = recipe.data.split;
  options.size = recipe.data.train_size;
  options.strict = recipe.data.strict;
  options.threads = static_cast<int>(recipe.train.threads);
  TrainingData data;
  data.train = open_dataset(recipe.data.source, options);
  options.split = recipe.data.eval_split;
  options.size = 0;
  data.held_out = open_dataset(recipe.data.source, options);
  return data;
}

Ending train(Trainer& trainer, const TrainingData& data, const RunFolder& folder, const SessionListener& listener) {
  Session session{trainer, data, folder, listener, MetricsLog(folder.path(), trainer.position().step)};
  while (!trainer.finished()) {
    session.begin_epoch();
    double rate = 0;
    while (const auto result = trainer.step()) {
      session.require_finite(*result);
      session.log_step(*result);
      session.save_if_due();
      rate = result->rate;
      if (session.told_to_stop(*result)) {
        session.save();
        return Ending::stopped;
      }
    }
    session.report_epoch(rate);
    session.end_epoch();
  }
  return Ending::finished;
}

}  // namespace orthant
