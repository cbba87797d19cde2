#include "learn/train/loop.h"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include "orthant/core/error.h"
#include "orthant/run/checkpoint.h"
#include "orthant/run/run_paths.h"

namespace orthant {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void make_folders(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  check_io(!error, "[", path, "] expected to make the folder, got: ", io::error_text(error.value()));
}

// Thrown out of an evaluation that has been told to stop.
struct StoppedWhileEvaluating {};

// What the loop writes down, and the clocks that it goes by.
struct Books {
  Trainer& trainer;
  const LoopOptions& options;
  const TrainListener& listener;
  std::optional<MetricsLog> log = {};  // of rank 0
  Clock::time_point last_save = Clock::now();
  Clock::time_point epoch_start = Clock::now();
  int64_t epoch_first_step = 0;
  double rate = 0;
  double waited = 0;                // for other ranks, before the epoch
  std::set<std::string> told = {};  // kinds of warnings

  const Group& group() const { return trainer.group(); }

  void begin_epoch() {
    trainer.begin_epoch();
    epoch_start = Clock::now();
    epoch_first_step = trainer.position().step;
    rate = 0;
    waited = group().traffic().seconds;
  }

  void require(bool finite, const char* what) const {
    if (finite) return;
    const int64_t step = trainer.position().step;
    throw Diverged(join("[", options.folder, "] expected ", what, ", got NaN or infinity at step ", step,
                        "; the last good checkpoint is kept"),
                   step);
  }

  void require_finite(const Scalars& measures) const {
    require(std::isfinite(value_of(measures, "loss")), "a finite loss");
  }

  // Before a checkpoint, so that a run which goes on from it has told of every step before.
  void log_step(const Scalars& measures) {
    const int64_t step = trainer.position().step;
    rate = value_of(measures, "rate");
    if (log && step % options.pacing.log_steps == 0) log->add({"step", step, trainer.epochs_done(), measures});
  }

  void tell_step(const Scalars& measures) const {
    if (listener.step) listener.step(trainer, measures);
  }

  // By rank 0 alone.
  void write() {
    require(trainer.weights_are_finite(), "finite weights");
    write_checkpoint(RunPaths(options.folder).checkpoint_folder(), trainer.position().step, trainer.save());
    last_save = Clock::now();
  }

  // The others wait, however long it takes.
  void save() {
    require(trainer.weights_are_finite(), "finite weights");
    group().told_by_first("writing a checkpoint", [this]() -> std::string {
      write();
      return "written";
    });
  }

  void save_if_due() {
    const PacingOptions& pacing = options.pacing;
    if (!group().leads()) return;
    if (trainer.position().batch == trainer.batches()) return;  // the end of the epoch saves
    const bool by_steps = pacing.checkpoint_steps > 0 && trainer.position().step % pacing.checkpoint_steps == 0;
    const bool by_time = pacing.checkpoint_seconds > 0 && seconds_since(last_save) >= pacing.checkpoint_seconds;
    if (by_steps || by_time) write();
  }

  bool asked_to_stop() const { return listener.stop && listener.stop(); }
  // Whether any rank was.
  bool told_to_stop() const { return group().sum(asked_to_stop() ? 1.0 : 0.0, "whether to stop") > 0; }

  void report_epoch() {
    const double seconds = seconds_since(epoch_start);
    const auto items = static_cast<double>((trainer.position().step - epoch_first_step) * trainer.batch());
    MetricsLine line{"epoch", trainer.position().step, trainer.epochs_done(), {}};
    line.scalars = trainer.task().epoch_measures(trainer.tally(), {rate, seconds, items / seconds});
    if (!group().alone()) {
      line.scalars.push_back({"communication_share", (group().traffic().seconds - waited) / seconds});
    }
    if (is_evaluated(trainer.position().epoch + 1)) evaluate(line);
    log->add(line);
    if (listener.epoch) listener.epoch(line);
  }

  bool is_evaluated(int64_t epoch) const {
    const int64_t every = options.evaluate_every;
    return epoch == trainer.epochs() || (every > 0 && epoch % every == 0);
  }

  void evaluate(MetricsLine& line) {
    const Verdict verdict = trainer.task().evaluate([this] {
      if (asked_to_stop()) throw StoppedWhileEvaluating();
    });
    line.scalars.insert(line.scalars.end(), verdict.measures.begin(), verdict.measures.end());
    for (const Warning& warning : verdict.warnings) {
      if (!told.insert(warning.kind).second) continue;
      log->add({"warning", line.step, line.epoch, {}, {{"text", warning.text}}});
      if (listener.warn) listener.warn(warning.text);
    }
  }

  // False if it was told to stop before the epoch had been measured; nothing has been written of its end then.
  bool measure_epoch() {
    return group().told_by_first("the evaluation of rank 0", [this]() -> std::string {
      try {
        report_epoch();
        return "measured";
      } catch (const StoppedWhileEvaluating&) {
        return "stopped";
      }
    }) == "measured";
  }

  void end_epoch() {
    trainer.end_epoch();
    require(trainer.weights_are_finite(), "finite weights");
    group().told_by_first("writing the model", [this]() -> std::string {
      trainer.task().publish(options.folder);
      write();
      return "written";
    });
  }
};

}  // namespace

void go_back_to_checkpoint(Trainer& trainer, const std::string& folder,
                           const std::function<void(const std::string& text)>& warn) {
  trainer.group().told_by_first("reading the checkpoint", [&]() -> std::string {
    const std::string checkpoints = RunPaths(folder).checkpoint_folder();
    const auto found = std::filesystem::exists(checkpoints) ? read_checkpoint(checkpoints) : std::nullopt;
    if (!found) return "none";
    for (const std::string& line : found->refused) {
      if (warn) warn(line + "; going back");
    }
    trainer.restore(found->checkpoint);
    return "read";
  });
  trainer.follow_first();
}

Ending train(Trainer& trainer, const LoopOptions& options, const TrainListener& listener) {
  Books books{trainer, options, listener};
  if (trainer.group().leads()) {
    make_folders(RunPaths(options.folder).checkpoint_folder());
    books.log.emplace(options.folder, trainer.position().step);
  }
  while (!trainer.finished()) {
    books.begin_epoch();
    while (const auto measures = trainer.backward()) {
      books.require_finite(*measures);
      trainer.step();
      books.log_step(*measures);
      books.save_if_due();
      if (books.told_to_stop()) {
        books.save();
        return Ending::stopped;
      }
      books.tell_step(*measures);
    }
    if (!books.measure_epoch()) {
      books.save();  // after the last step: going on measures again, and then ends the epoch
      return Ending::stopped;
    }
    books.end_epoch();
    if (!trainer.finished() && books.told_to_stop()) return Ending::stopped;
  }
  return Ending::finished;
}

}  // namespace orthant
