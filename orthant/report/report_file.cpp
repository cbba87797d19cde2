#include "orthant/report/report_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "orthant/catalogue/home_folder.h"
#include "orthant/catalogue/sample.h"
#include "orthant/catalogue/text.h"
#include "orthant/core/error.h"
#include "orthant/io/atomic_file.h"
#include "orthant/report/atlas.h"
#include "orthant/report/documents.h"
#include "orthant/report/page_html.h"
#include "orthant/report/run_blobs.h"
#include "orthant/report/script_json.h"
#include "orthant/report/sound_blobs.h"
#include "orthant/report/where_blob.h"
#include "orthant/report/where_item.h"

namespace orthant::report {
namespace {

using Runs = std::span<const catalogue::Catalogue* const>;

constexpr int64_t kFewestItems = 100;
constexpr int64_t kSmallSide = 32;

// How pictures are stored: from the best to the smallest.
struct PictureStep {
  const char* format;
  int quality;
  int64_t max_side;
};
constexpr PictureStep kExact = {"png", 90, 0};
constexpr PictureStep kSmallest = {"jpeg", 60, kSmallSide};
constexpr PictureStep kSteps[] = {{"jpeg", 90, 0}, {"jpeg", 75, 0}, {"jpeg", 60, 0}, kSmallest};

// All of a report but its pictures.
struct Data {
  std::string head;  // overview, names and scales: the members of the document that come before "atlas"
  std::vector<Blob> blobs;
  int64_t items = 0;
  int64_t sounds = 0;

  int64_t bytes(bool by_item) const {
    int64_t sum = 0;
    for (const Blob& blob : blobs) {
      if (blob.by_item == by_item) sum += static_cast<int64_t>(blob.name.size() + blob.text.size()) + 6;
    }
    return sum;
  }
  int64_t fixed_bytes() const {
    return static_cast<int64_t>(kPageHtmlSize + head.size()) + bytes(false) + 200;  // 200: the script element
  }
};

std::string overview_of(Runs runs, int64_t all_items) {
  std::string overview = overview_document(runs);
  const int64_t shown = runs.front()->items().size();
  if (shown == all_items) return overview;
  auto document = nlohmann::ordered_json::parse(overview);
  document["data"]["items"] = all_items;
  document["data"]["items_shown"] = shown;
  return document.dump();
}

// `named` are the runs that know the names: those of a sample need not, where names are kept in memory only.
Data data_of(Runs runs, Runs named, const ReportOptions& options) {
  Data data;
  data.items = runs.front()->items().size();
  data.blobs = item_blobs(runs.front()->items());
  if (runs.front()->items().has_sounds()) {
    for (Blob& blob : sound_blobs(runs, options.max_bytes / 4, options.threads)) {
      data.blobs.push_back(std::move(blob));
      ++data.sounds;
    }
  }
  std::string names;
  std::string scales;
  for (size_t r = 0; r < runs.size(); ++r) {
    const auto number = static_cast<int64_t>(r);
    RunBlobs own = run_blobs(*runs[r], number, {.threads = options.threads, .progress = options.progress});
    std::ranges::move(own.blobs, std::back_inserter(data.blobs));
    if (r < options.where.size() && options.where[r] && can_ask_where(*runs[r])) {
      data.blobs.push_back(where_blob(*runs[r], number, options.where[r], options.progress));
    }
    const char* comma = r == 0 ? "" : ",";
    names += fmt::format("{}\"{}\":{}", comma, r, catalogue::names_document(named[r]->names()));
    scales += fmt::format("{}{}", comma, own.scale);
    for (size_t other = 0; other < r; ++other) {
      data.blobs.push_back(compare_blob(*runs[other], *runs[r], static_cast<int64_t>(other), number, options.threads));
    }
  }
  const std::string overview = catalogue::without_home(overview_of(runs, named.front()->items().size()), options.home);
  data.head =
      "\"overview\":" + script_json(overview) + ",\"names\":{" + script_json(names) + "},\"scales\":[" + scales + "]";
  return data;
}

std::string html_of(const Data& data, const std::optional<Atlas>& atlas) {
  nlohmann::ordered_json about;
  if (atlas) {
    about = {{"tile_w", atlas->tile_width}, {"tile_h", atlas->tile_height}, {"per_row", atlas->per_row},
             {"width", atlas->width},       {"height", atlas->height},      {"per_sheet", atlas->per_sheet},
             {"format", atlas->format}};
  }
  std::string text = "{" + data.head + ",\"atlas\":" + about.dump() + ",\"blobs\":{";
  const auto add = [&](const std::string& name, const std::string& content) {
    if (text.back() != '{') text += ",\n";
    text += "\"" + name + "\":\"" + content + "\"";
  };
  for (const Blob& blob : data.blobs) add(blob.name, blob.text);
  for (size_t k = 0; atlas && k < atlas->sheets.size(); ++k) {
    add(fmt::format("atlas.{}", k), catalogue::base64(atlas->sheets[k]));
  }
  return report_page_html(text + "}}");
}

std::optional<Atlas> atlas_of(const catalogue::Items& items, const PictureStep& step, int64_t max_bytes,
                              const ReportOptions& options) {
  AtlasOptions settings{.format = step.format,
                        .quality = step.quality,
                        .max_side = step.max_side,
                        .max_bytes = max_bytes,
                        .threads = options.threads};
  if (options.progress) {
    settings.progress = [&](int64_t done, int64_t total) { options.progress("pictures", done, total); };
  }
  return make_atlas(*items.pictures, items.rows, settings);
}

struct Report {
  std::string html;
  ReportSummary summary;
};

// The best report of these items that fits, if any does.
std::optional<Report> fitting(const Data& data, const catalogue::Items& items, const ReportOptions& options) {
  Report report;
  report.summary.items_shown = items.size();
  report.summary.sounds = data.sounds;
  const int64_t without = data.fixed_bytes() + data.bytes(true);
  const auto fits = [&](const PictureStep& step, int64_t limit) {
    const int64_t left = (limit - without) / 4 * 3;
    if (left <= 0) return false;
    const std::optional<Atlas> atlas = atlas_of(items, step, left, options);
    if (!atlas) return false;
    report.html = html_of(data, atlas);
    report.summary.pictures = atlas->format;
    report.summary.quality = atlas->format == "jpeg" ? step.quality : 0;
    report.summary.picture_width = atlas->width;
    report.summary.picture_height = atlas->height;
    report.summary.pictures_scaled =
        items.pictures->info().width != atlas->width || items.pictures->info().height != atlas->height;
    return static_cast<int64_t>(report.html.size()) <= limit;
  };
  if (!items.pictures) {
    if (without > options.max_bytes) return std::nullopt;
    report.html = html_of(data, std::nullopt);
    if (static_cast<int64_t>(report.html.size()) > options.max_bytes) return std::nullopt;
    return report;
  }
  if (fits(kExact, options.max_bytes / 3)) return report;
  const DatasetInfo& info = items.pictures->info();
  const bool small = info.width > 0 && std::max(info.width, info.height) <= kSmallSide;
  for (const PictureStep& step : kSteps) {
    const bool as_before = step.max_side > 0 && small;
    if (!as_before && fits(step, options.max_bytes)) return report;
  }
  return std::nullopt;
}

// How many items fit, estimated from what `data` of more items takes.
int64_t estimate(const Data& data, const catalogue::Items& items, const ReportOptions& options) {
  double each = static_cast<double>(data.bytes(true)) / static_cast<double>(data.items);
  if (items.pictures) {
    const int64_t count = std::min<int64_t>(items.size(), 1024);
    std::vector<int64_t> rows;
    for (const int64_t i : catalogue::even_sample(items.size(), count))
      rows.push_back(items.rows[static_cast<size_t>(i)]);
    const auto atlas = make_atlas(*items.pictures, rows,
                                  {.format = kSmallest.format,
                                   .quality = kSmallest.quality,
                                   .max_side = kSmallest.max_side,
                                   .threads = options.threads});
    each += 4.0 / 3 * static_cast<double>(atlas->bytes()) / static_cast<double>(count);
  }
  return static_cast<int64_t>(0.97 * static_cast<double>(options.max_bytes - data.fixed_bytes()) / each);
}

Report sampled_report(Runs runs, Runs named, const Data& all, const std::string& path, const ReportOptions& options) {
  const int64_t items = runs.front()->items().size();
  for (int64_t count = std::min(estimate(all, runs.front()->items(), options), items - 1); count >= kFewestItems;
       count = count * 4 / 5) {
    const auto chosen = catalogue::sampled(runs, catalogue::even_sample(items, count),
                                           {.threads = options.threads, .progress = options.progress});
    std::vector<const catalogue::Catalogue*> fewer;
    for (const auto& run : chosen) fewer.push_back(run.get());
    const Data data = data_of(fewer, named, options);
    if (auto report = fitting(data, fewer.front()->items(), options)) return *std::move(report);
  }
  throw std::invalid_argument(join("[", path, "] expected a report of at most ", options.max_bytes,
                                   " bytes, got more even with ", std::min(items, kFewestItems),
                                   " items and small pictures; allow a larger file, or show fewer runs or features"));
}

}  // namespace

ReportSummary write_report(const std::string& path, Runs runs, const ReportOptions& options) {
  check(!runs.empty(), "[report] expected at least one run, got none");
  check(options.max_bytes > 0, "[report] expected a limit above 0 bytes, got ", options.max_bytes);
  check(options.overwrite || !std::filesystem::exists(path), "[", path,
        "] expected no such file yet, got one; allow it to be replaced");
  const int64_t items = runs.front()->items().size();
  // Of more, all cannot be compared with all, and no file holds them.
  std::vector<std::unique_ptr<catalogue::Catalogue>> fewer;
  std::vector<const catalogue::Catalogue*> shown(runs.begin(), runs.end());
  if (items > catalogue::kMostTogether) {
    fewer = catalogue::sampled(runs, catalogue::even_sample(items, catalogue::kMostTogether),
                               {.threads = options.threads, .progress = options.progress});
    std::ranges::transform(fewer, shown.begin(), [](const auto& run) { return run.get(); });
  }
  const Data data = data_of(shown, runs, options);
  auto report = fitting(data, shown.front()->items(), options);
  if (!report) report = sampled_report(shown, runs, data, path, options);
  io::write_file(path, report->html);
  report->summary.items = items;
  report->summary.bytes = static_cast<int64_t>(report->html.size());
  return report->summary;
}

}  // namespace orthant::report
