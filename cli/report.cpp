#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <optional>
#include <utility>

#include "cli/commands.h"
#include "cli/embed_process.h"
#include "cli/frame/progress.h"
#include "cli/look_inputs.h"
#include "cli/where/encoder.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/image_file.h"
#include "orthant/report/report_file.h"
#include "orthant/run/run_paths.h"

namespace orthant::cli {
namespace {

struct ReportFlags {
  Common common;
  LookInputs inputs;
  std::string output;
  std::string max_size = "30MB";
  bool overwrite = false;
  bool no_where = false;
};

// The bytes that "30MB" means; nothing if it is no size.
std::optional<int64_t> bytes_of(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  std::string unit(rest, end);
  for (char& c : unit) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  constexpr std::pair<const char*, double> kUnits[] = {{"", 1}, {"B", 1}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}};
  for (const auto& [name, factor] : kUnits) {
    const double bytes = number * factor;
    if (error == std::errc() && unit == name && bytes >= 1 && bytes < 1e15) return static_cast<int64_t>(bytes);
  }
  return std::nullopt;
}

std::string size_problem(const std::string& text) {
  return bytes_of(text) ? std::string() : fmt::format("expected a size such as 30MB, got '{}'", text);
}

std::string megabytes(int64_t bytes) { return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6); }

std::string pictures_of(const report::ReportSummary& summary) {
  if (summary.pictures.empty()) return "no pictures";
  if (summary.sounds > 0) return fmt::format("{} sounds to hear", summary.sounds);
  std::string text = summary.pictures == "png" ? "pictures exact" : fmt::format("pictures JPEG {}", summary.quality);
  if (summary.pictures_scaled) {
    text += fmt::format(" fitted to {} x {}", summary.picture_width, summary.picture_height);
  }
  return text;
}

std::string closing_line(const ReportFlags& flags, const report::ReportSummary& summary) {
  const size_t runs = flags.inputs.inputs.size();
  const std::string items = summary.items_shown == summary.items
                                ? fmt::format("{} item{}", summary.items, summary.items == 1 ? "" : "s")
                                : fmt::format("{} of {} items, evenly chosen to stay below {}", summary.items_shown,
                                              summary.items, flags.max_size);
  constexpr int64_t kFew = 20;
  const bool few = summary.items < kFew && flags.inputs.split != "all" && is_run(flags.inputs.inputs.front());
  return fmt::format("{}: {}, {} run{}, {}, {}{}", flags.output, megabytes(summary.bytes), runs, runs == 1 ? "" : "s",
                     items, pictures_of(summary), few ? "; --split all shows what was trained on as well" : "");
}

// Who tells where features fire, for each run that has a model of pictures; none if this build has no LibTorch.
std::vector<heat::Answer> answers(const ReportFlags& flags, const std::vector<const catalogue::Catalogue*>& runs) {
  std::vector<heat::Answer> all;
  if (flags.no_where || !can_embed()) return all;
  for (size_t r = 0; r < runs.size(); ++r) {
    const Encode encode = encode_with(flags.inputs.inputs[r], flags.common.threads, io::kMaxImagePixels);
    all.push_back(where_with(runs[r]->record(), encode));
  }
  return all;
}

void run(const ReportFlags& flags) {
  refuse_existing(flags.output, flags.overwrite);
  // A place that cannot be written to is better refused before the work than after it.
  { const io::AtomicFile place(flags.output); }
  const auto catalogues = open_inputs(flags.inputs, flags.common);
  std::vector<const catalogue::Catalogue*> runs;
  for (const auto& catalogue : catalogues) runs.push_back(catalogue.get());
  const char* home = std::getenv("HOME");
  Progress progress(flags.common.quiet);
  const report::ReportSummary summary = report::write_report(flags.output, runs,
                                                             {.max_bytes = *bytes_of(flags.max_size),
                                                              .overwrite = flags.overwrite,
                                                              .threads = flags.common.threads,
                                                              .where = answers(flags, runs),
                                                              .home = home == nullptr ? "" : home,
                                                              .progress = std::ref(progress)});
  progress.clear();
  if (!flags.common.quiet) fmt::print("{}\n", closing_line(flags, summary));
}

}  // namespace

void add_report(App& app) {
  auto flags = std::make_shared<ReportFlags>();
  App* command =
      add_command(app, "report", "Write a page that shows what was learnt, as one file for a browser", flags->common);
  add_look_inputs(*command, flags->inputs);
  command->add_option("-o,--output", flags->output, "HTML file to write")->required()->type_name("FILE");
  command->add_option("--max-size", flags->max_size, "Largest file, as 30MB; pictures and then items are cut to fit")
      ->check(size_problem)
      ->type_name("SIZE")
      ->capture_default_str();
  command->add_flag("--no-where", flags->no_where, "Leave out where in the pictures features fire");
  command->add_flag("--overwrite", flags->overwrite, "Replace the file if it exists");
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
