#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/frame/progress.h"
#include "orthant/core/retold.h"
#include "orthant/io/atomic_file.h"
#include "orthant/theory/theorems.h"
#include "orthant/theory/theory_json.h"
#include "orthant/theory/theory_page.h"

namespace orthant::cli {
namespace {

struct Flags {
  Common common;
  theory::TheoryOptions options;
  std::string output;
  bool json = false;
  bool overwrite = false;
};

void print(const theory::Theorem& theorem) {
  constexpr size_t kLabelWidth = 76;
  fmt::print("{:<3} {}\n    {}\n    {}\n", theorem.id, theorem.title, theorem.statement, theorem.formula);
  for (const theory::Measurement& m : theorem.measured) {
    fmt::print("      {:<{}} {:>10.4g}  {:<8} {}\n", m.label, kLabelWidth, m.value, m.expected, m.met ? "" : "not met");
  }
  fmt::print("    Verdict: {}\n\n", to_string(theorem.verdict));
}

void print(const theory::TheoryReport& report) {
  for (const theory::Theorem& theorem : report.theorems) print(theorem);
  const auto count = [&](theory::Verdict verdict) {
    return std::ranges::count(report.theorems, verdict, &theory::Theorem::verdict);
  };
  fmt::print("{} statements: {} hold, {} fails as predicted, {} fail.\n", report.theorems.size(),
             count(theory::Verdict::holds), count(theory::Verdict::fails_as_predicted), count(theory::Verdict::fails));
}

void run(Flags& flags) {
  if (!flags.output.empty()) refuse_existing(flags.output, flags.overwrite);
  flags.options.seed = flags.common.seed;
  flags.options.threads = flags.common.threads;
  flags.options.curve_seeds = std::min<int64_t>(flags.options.seeds, 3);
  const auto report = [&] {
    Progress progress(flags.common.quiet);
    flags.options.progress = [&](int64_t done, int64_t total, const std::string& what) {
      progress.update({"theory", done, total, "experiments", what});
    };
    return retold("theory", [&] { return theory::run_theory(flags.options); });
  }();
  if (flags.json) {
    fmt::print("{}\n", theory_json(report));
  } else {
    print(report);
  }
  if (!flags.output.empty()) {
    io::write_file(flags.output, theory_page(report));
    if (!flags.json) fmt::print("The page with pictures: {}\n", flags.output);
  }
}

}  // namespace

void add_theory(App& app) {
  auto flags = std::make_shared<Flags>();
  App* command = add_command(app, "theory", "Check the paper's theorems by experiment", flags->common);
  theory::TheoryOptions& options = flags->options;
  command->add_option("--classes", options.classes, "Latent classes")->check(between(2, 1000))->capture_default_str();
  command->add_option("--samples", options.samples, "Samples of the simulated world; work grows with the square")
      ->check(between(2, 100000))
      ->capture_default_str();
  command->add_option("--overlap", options.overlap, "Share of a sample that belongs to other classes, 0 to 0.95")
      ->capture_default_str();
  command
      ->add_option("--dims", options.dims,
                   "Dimensions of the learned features, at least the classes; as many if not given")
      ->check(between(2, 10000));
  command
      ->add_option("--worlds", options.seeds, "Worlds to try recovery in, up to 3 of them for curves; fewer is faster")
      ->check(between(1, 1000))
      ->capture_default_str();
  command->add_flag("--json", flags->json, "Print one JSON document instead of text");
  command->add_option("-o,--output", flags->output, "Also write a page with pictures (HTML) to this file");
  command->add_flag("--overwrite", flags->overwrite, "Replace an existing page");
  command->callback([flags, command] {
    if (command->count("--dims") == 0) flags->options.dims = flags->options.classes;
    run(*flags);
  });
}

}  // namespace orthant::cli
