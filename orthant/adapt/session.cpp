#include "orthant/adapt/session.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "orthant/adapt/encoder.h"
#include "orthant/adapt/start.h"
#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/io/atomic_file.h"
#include "orthant/run/run_paths.h"

namespace orthant::adapt {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Schedule schedule_of(const AdaptRecipe& recipe, int64_t batches) {
  const int64_t total = batches * recipe.train.epochs;
  const auto warmup = static_cast<int64_t>(recipe.train.warmup * static_cast<double>(total));
  return {.start = recipe.train.rate / static_cast<double>(warmup + 1),
          .peak = recipe.train.rate,
          .end = 0.01 * recipe.train.rate,
          .warmup = warmup,
          .total = total};
}

// Which vectors a checkpoint is of.
std::vector<double> identity(const Material& material) {
  std::vector<double> means = material.statistics.mean;
  if (material.with_statistics) {
    means.insert(means.end(), material.with_statistics->mean.begin(), material.with_statistics->mean.end());
  }
  return means;
}

}  // namespace

Session::Session(const AdaptRecipe& recipe, const Material& material)
    : recipe_(recipe),
      material_(material),
      learner_(start_adapter(recipe, material), recipe.objective, recipe.adapter.unit, recipe.train.epsilon,
               static_cast<int>(recipe.train.threads)),
      feed_(recipe, material, learner_.adapter()),
      watch_(recipe, material, learner_.adapter()),
      schedule_(schedule_of(recipe, feed_.batches())) {}

Checkpoint Session::checkpoint() const {
  Checkpoint checkpoint;
  learner_.save(checkpoint);
  position_.save(checkpoint);
  std::vector<double> means = identity(material_);
  const int64_t count = std::ssize(means);
  checkpoint.tensors["vectors.mean"] = io::tensor_of(io::array_from(std::move(means), {count}));
  return checkpoint;
}

std::vector<std::string> Session::go_back_to_checkpoint(const std::string& run) {
  const std::string folder = RunPaths(run).checkpoint_folder();
  const auto found = std::filesystem::exists(folder) ? read_checkpoint(folder) : std::nullopt;
  if (!found) return {};
  const io::Array mean = found->checkpoint.tensor("vectors.mean").array("checkpoint");
  check_io(std::ranges::equal(mean.as<double>(), identity(material_)), "[", material_.vectors.path(),
           "] expected the vectors that the run began with, got others; the run has to start anew");
  learner_.restore(found->checkpoint);
  position_ = Position::restored(found->checkpoint);
  return found->refused;
}

Scalars Session::step_scalars(const StepReport& report) const {
  const ObjectiveOptions& terms = recipe_.objective;
  Scalars scalars = {{"loss", report.loss}};
  if (terms.reconstruction > 0) scalars.push_back({"error", report.error});
  if (terms.wide > 0) scalars.push_back({"wide_error", report.wide});
  if (terms.aux > 0) scalars.push_back({"aux", report.aux});
  if (terms.contrast > 0) scalars.push_back({"contrast", report.contrast});
  scalars.push_back({"active_per_row", report.active});
  scalars.push_back({"dead_share", static_cast<double>(report.dead) / static_cast<double>(recipe_.adapter.features)});
  scalars.push_back({"silent_rows", static_cast<double>(report.silent)});
  scalars.push_back({"rate", schedule_.at(std::max<int64_t>(0, position_.step - 1))});
  return scalars;
}

// What the loop writes down, and the clocks that it goes by.
struct Session::Books {
  Session& session;
  const SessionListener& listener;
  RunPaths paths;
  MetricsLog log;
  Clock::time_point last_save = Clock::now();
  Clock::time_point last_look = Clock::now();
  Clock::time_point epoch_start = Clock::now();
  int64_t first_step = 0;  // of the epoch, in this process
  StepReport last = {};
  bool due = false;  // a checkpoint

  double epochs_done() const {
    return static_cast<double>(session.position_.epoch) +
           static_cast<double>(session.position_.batch) / static_cast<double>(session.feed_.batches());
  }

  void save() {
    write_checkpoint(paths.checkpoint_folder(), session.position_.step, session.checkpoint());
    last_save = Clock::now();
    due = false;
  }

  void after_step(const StepReport& report) {
    last = report;
    const PacingOptions& pacing = session.recipe_.train.pacing;
    const int64_t step = session.position_.step;
    if (step % pacing.log_steps == 0) log.add({"step", step, epochs_done(), session.step_scalars(report)});
    const bool by_steps = pacing.checkpoint_steps > 0 && step % pacing.checkpoint_steps == 0;
    const bool by_time = pacing.checkpoint_seconds > 0 && seconds_since(last_save) >= pacing.checkpoint_seconds;
    due = due || by_steps || by_time;
    if (due && session.position_.batch < session.feed_.batches()) save();  // after the last batch end_epoch() does
    if (listener.step) listener.step(step, session.steps(), report);
  }

  // Looks at what is held out, and leaves the model where others may use it.
  void end_epoch() {
    MetricsLine line{"epoch", session.position_.step, epochs_done(), session.step_scalars(last)};
    const double rows = static_cast<double>((session.position_.step - first_step) * session.recipe_.train.batch);
    const double seconds = seconds_since(epoch_start);
    if (rows > 0) line.scalars.push_back({"rows_per_second", rows / seconds});
    const bool looks = session.finished() || seconds_since(last_look) >= session.recipe_.watch.seconds;
    if (looks && !session.watch_.empty()) look(line);
    log.add(line);
    if (listener.epoch) listener.epoch(line);
    if (looks) {
      write_adapter(paths.model_file(), session.learner_.adapter());
      save();
      last_look = Clock::now();
    } else if (due) {
      save();
    }
    epoch_start = Clock::now();
    first_step = session.position_.step;
  }

  void look(MetricsLine& line) const {
    const Watch& watch = session.watch_;
    const Kept kept = watch.look(session.learner_.adapter());
    const Kept dense = watch.dense();
    if (std::isfinite(kept.explained)) line.scalars.push_back({"explained_variance", kept.explained});
    line.scalars.push_back({"held_out_dead_share", kept.dead});
    line.scalars.push_back({"recall_of_dense_10", kept.recall});
    if (watch.labelled()) {
      line.scalars.push_back({"one_nn_code", kept.one_nn});
      line.scalars.push_back({"one_nn_dense", dense.one_nn});
    }
    const Found& found = kept.found;
    if (found.rows == 0) return;
    line.scalars.push_back({"held_out_pairs", static_cast<double>(found.rows)});
    line.scalars.push_back({"a_to_b_recall_at_1", found.there_at_1});
    line.scalars.push_back({"a_to_b_recall_at_10", found.there_at_10});
    line.scalars.push_back({"b_to_a_recall_at_1", found.back_at_1});
    line.scalars.push_back({"b_to_a_recall_at_10", found.back_at_10});
  }
};

bool Session::learn(const std::string& run, const SessionListener& listener) {
  const RunPaths paths(run);
  Books books{*this, listener, paths, MetricsLog(run, position_.step)};
  books.first_step = position_.step;
  while (!finished()) {
    feed_.begin(position_.epoch, position_.batch);
    Batch batch;
    while (feed_.next(batch)) {
      const Pace pace{schedule_.at(position_.step), active_at(recipe_, position_.step, steps())};
      const StepReport report = learner_.step(batch, pace);
      if (!std::isfinite(report.loss)) {
        throw Diverged(join("[", run, "] expected a finite loss, got NaN or infinity at step ", position_.step,
                            "; the last good checkpoint is kept"));
      }
      ++position_.batch;
      ++position_.step;
      books.after_step(report);
      if (position_.batch < feed_.batches() && listener.stop && listener.stop()) {
        books.save();
        return false;
      }
    }
    ++position_.epoch;
    position_.batch = 0;
    books.end_epoch();
    if (!finished() && listener.stop && listener.stop()) {
      books.save();
      return false;
    }
  }
  if (watch_.empty()) return true;
  table_ = watch_.table(learner_.adapter());
  io::write_file(paths.result_file(), table_json(watch_, table_));
  return true;
}

AdaptMemory memory_of(const AdaptRecipe& recipe, const Material& material) {
  const int64_t stride = padded(material.vectors.dims());
  const int64_t features = recipe.adapter.features;
  const int64_t matrices = recipe.adapter.tied || recipe.objective.reconstruction == 0 ? 1 : 2;
  const int64_t threads = resolve_threads(static_cast<int>(recipe.train.threads));
  AdaptMemory memory;
  memory.weights = 3 * matrices * features * stride * 4;
  const int64_t rows_of_errors = 3 + (recipe.objective.wide > 0 ? 1 : 0) + (recipe.objective.aux > 0 ? 1 : 0);
  const int64_t on = recipe.objective.wide > 0 ? std::min(4 * recipe.adapter.active, features) : recipe.adapter.active;
  memory.batch = recipe.train.batch * (rows_of_errors * stride * 4 + (on + recipe.objective.aux_active) * 40) +
                 threads * tile_rows(features) * features * 4;
  const int64_t bytes =
      material.vectors.rows() * (material.vectors.dims() + (material.with ? material.with->dims() : 0)) * 4;
  memory.vectors =
      bytes <= recipe.train.memory_mib << 20 ? bytes : std::min<int64_t>(256, recipe.train.memory_mib) << 20;
  const int64_t looked = std::ssize(material.held_out) + std::min(recipe.watch.bank, material.vectors.rows());
  memory.watch = 3 * looked * stride * 4;
  return memory;
}

}  // namespace orthant::adapt
