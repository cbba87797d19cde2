#include "cli/adapt/adapting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>

#include "cli/adapt/kept_table.h"
#include "cli/frame/interrupt.h"
#include "cli/frame/progress.h"
#include "orthant/adapt/session.h"
#include "orthant/core/error.h"

namespace orthant::cli {
namespace {

std::string percent(double share) { return std::isfinite(share) ? fmt::format("{:.1f} %", share * 100) : "-"; }

std::string epoch_text(const MetricsLine& line, int64_t epochs) {
  std::string text = fmt::format("epoch {:.0f}/{}: loss {:.4f}", line.epoch, epochs, value_of(line.scalars, "loss"));
  const auto add = [&](const char* name, const char* words) {
    if (const auto value = find(line.scalars, name)) text += fmt::format(", {} {}", words, percent(*value));
  };
  add("explained_variance", "explained");
  add("held_out_dead_share", "dead");
  if (const auto code = find(line.scalars, "one_nn_code")) {
    text += fmt::format(", 1-NN {} (vectors {})", percent(*code), percent(value_of(line.scalars, "one_nn_dense")));
  } else {
    add("recall_of_dense_10", "kept of the 10 nearest");
  }
  if (const auto there = find(line.scalars, "a_to_b_recall_at_10")) {
    text +=
        fmt::format(", recall@10 {} there and {} back (of {:.0f})", percent(*there),
                    percent(value_of(line.scalars, "b_to_a_recall_at_10")), value_of(line.scalars, "held_out_pairs"));
  }
  if (const auto rate = find(line.scalars, "rows_per_second")) text += fmt::format(", {:.0f} rows/s", *rate);
  return text;
}

}  // namespace

adapt::Material open_told(const adapt::AdaptRecipe& recipe, const Common& common) {
  Progress progress(common.quiet);
  adapt::Material material = adapt::open_material(recipe, [&](const std::string& what, int64_t done, int64_t total) {
    progress.update({what, done, total, "rows"});
  });
  progress.clear();
  if (common.quiet) return material;
  const adapt::VectorStatistics& found = material.statistics;
  if (found.zero_rows > 0) {
    fmt::print(stderr, "orthant: {} of {} rows are all zeros; they are taken as the point 0\n", found.zero_rows,
               material.vectors.rows());
  }
  if (recipe.adapter.normalise == "unit" && found.longest > 1.001 * found.shortest) {
    fmt::print(stderr,
               "orthant: rows are scaled to unit length (theirs are {:.3g} to {:.3g}), as neighbours are compared by "
               "angle; --normalise none keeps them\n",
               found.shortest, found.longest);
  }
  if (std::ssize(material.held_out) > 0) {
    fmt::print(stderr, "orthant: {} of {} rows are held out to measure on; --held-out 0 learns from all\n",
               material.held_out.size(), material.vectors.rows());
  }
  return material;
}

void run_adapting(const adapt::AdaptRecipe& recipe, const adapt::Material& material, const RunFolder& folder,
                  bool resumed, bool quiet, bool json) {
  adapt::Session session(recipe, material);
  if (resumed) {
    for (const std::string& line : session.go_back_to_checkpoint(folder.path())) {
      fmt::print(stderr, "orthant: warning: {}; going back\n", line);
    }
    const bool told = session.finished() && std::filesystem::exists(folder.result_file());
    if (!quiet) {
      fmt::print(stderr, "{}: {} at step {} of {}\n", folder.path(), told ? "finished already," : "going on",
                 session.position().step, session.steps());
    }
    if (told) return;
  }
  Progress progress(quiet);
  acknowledge_interrupts();
  const int64_t first = session.position().step;
  adapt::SessionListener listener;
  listener.stop = [] { return interrupt_signal() != 0; };
  listener.step = [&](int64_t step, int64_t steps, const adapt::StepReport& report) {
    const double dead = static_cast<double>(report.dead) / static_cast<double>(recipe.adapter.features);
    const std::string error =
        recipe.objective.reconstruction > 0 ? fmt::format("explained {}  ", percent(1 - report.error)) : std::string();
    progress.show({"adapt", (step - first) * recipe.train.batch, (steps - first) * recipe.train.batch, "rows",
                   fmt::format("loss {:.4f}  {}dead {}", report.loss, error, percent(dead))});
  };
  listener.epoch = [&](const MetricsLine& line) {
    const bool looked = find(line.scalars, "held_out_dead_share").has_value() ||
                        static_cast<int64_t>(line.epoch) == recipe.train.epochs;
    if (!looked) return;
    progress.clear();
    if (!quiet) fmt::print(stderr, "{}\n", epoch_text(line, recipe.train.epochs));
  };
  bool finished = false;
  try {
    finished = session.learn(folder.path(), listener);
  } catch (const adapt::Diverged& error) {
    throw std::runtime_error(fmt::format("{}: a lower --rate is calmer", error.what()));
  }
  progress.clear();
  if (!finished) {
    fmt::print(stderr, "orthant: saved at step {} of {}; 'orthant resume {}' goes on\n", session.position().step,
               session.steps(), folder.path());
    throw Interrupted(interrupt_signal() != 0 ? interrupt_signal() : SIGTERM);
  }
  if (session.watch().empty()) {
    if (json) fmt::print("{}", adapt::table_json(session.watch(), {}));
    return;
  }
  if (json) {
    fmt::print("{}", adapt::table_json(session.watch(), session.table()));
  } else if (!quiet) {
    fmt::print("{}", kept_table(session.watch(), session.table()));
  }
}

std::vector<std::string> add_adapted_commands(App& app, int argc, char** argv) {
  if (argc < 2) return {};
  const std::string command = argv[1];
  if (command != "embed" && command != "resume") return {};
  const bool adapted = std::any_of(argv + 2, argv + argc, [](const char* word) {
    try {
      return std::filesystem::is_directory(word) && adapt::is_adapted_run(word);
    } catch (const IoError&) {
      return false;  // the command says better what is wrong
    }
  });
  if (!adapted) return {};
  command == "embed" ? add_adapted_embed(app) : add_adapted_resume(app);
  return {command};
}

}  // namespace orthant::cli
