#include <fmt/format.h>

#include <optional>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/look_inputs.h"
#include "cli/progress.h"
#include "orthant/core/error.h"
#include "orthant/report/report_file.h"

namespace orthant::cli {
namespace {

struct ReportFlags {
  Common common;
  LookInputs inputs;
  std::string output;
  int64_t max_size = 30'000'000;
  bool overwrite = false;
};

// One bar after the other.
class ReportProgress {
 public:
  explicit ReportProgress(bool quiet) : quiet_(quiet) {}

  void operator()(const std::string& what, int64_t done, int64_t total) {
    if (!bar_ || what != what_ || done < done_) bar_.emplace(what, "steps", total, quiet_);
    what_ = what;
    done_ = done;
    bar_->update(done);
  }

 private:
  bool quiet_;
  std::string what_;
  int64_t done_ = 0;
  std::optional<Progress> bar_;
};

std::string megabytes(int64_t bytes) { return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6); }

std::string pictures_of(const report::ReportSummary& summary) {
  if (summary.pictures.empty()) return "no pictures";
  std::string text = summary.pictures == "png" ? "pictures exact" : fmt::format("pictures JPEG {}", summary.quality);
  if (summary.pictures_scaled) {
    text += fmt::format(" fitted to {} x {}", summary.picture_width, summary.picture_height);
  }
  return text;
}

std::string closing_line(const ReportFlags& flags, const report::ReportSummary& summary) {
  const size_t runs = flags.inputs.inputs.size();
  const std::string items = summary.items_shown == summary.items
                                ? fmt::format("{} items", summary.items)
                                : fmt::format("{} of {} items, evenly chosen to stay below {}", summary.items_shown,
                                              summary.items, megabytes(flags.max_size));
  return fmt::format("{}: {}, {} run{}, {}, {}", flags.output, megabytes(summary.bytes), runs, runs == 1 ? "" : "s",
                     items, pictures_of(summary));
}

void run(const ReportFlags& flags) {
  refuse_existing(flags.output, flags.overwrite);
  const auto catalogues = open_catalogues(flags.inputs, flags.common);
  std::vector<const report::Catalogue*> runs;
  for (const auto& catalogue : catalogues) runs.push_back(catalogue.get());
  report::ReportSummary summary;
  {
    ReportProgress progress(flags.common.quiet);
    summary = report::write_report(
        flags.output, runs,
        {.max_bytes = flags.max_size,
         .overwrite = flags.overwrite,
         .threads = flags.common.threads,
         .progress = [&](const std::string& what, int64_t done, int64_t total) { progress(what, done, total); }});
  }
  if (!flags.common.quiet) fmt::print("{}\n", closing_line(flags, summary));
}

}  // namespace

void add_report(CLI::App& app) {
  auto flags = std::make_shared<ReportFlags>();
  CLI::App* command =
      add_command(app, "report", "Write a page that shows what was learnt, as one file for a browser", flags->common);
  add_look_inputs(*command, flags->inputs);
  command->add_option("-o,--output", flags->output, "HTML file to write")->required()->type_name("FILE");
  command->add_option("--max-size", flags->max_size, "Largest file, as 30MB; pictures and then items are cut to fit")
      ->transform(CLI::AsSizeValue(true).description(""))
      ->type_name("SIZE")
      ->default_str("30MB");
  command->add_flag("--overwrite", flags->overwrite, "Replace the file if it exists");
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
