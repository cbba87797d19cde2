#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/data.h"
#include "cli/data_flags.h"
#include "cli/frame/command.h"
#include "cli/frame/terminal_text.h"
#include "orthant/core/error.h"
#include "orthant/data/statistics.h"
#include "orthant/data/view_source.h"
#include "orthant/sources/open.h"
#include "orthant/texts/text_statistics.h"

namespace orthant::cli {
namespace {

using Json = nlohmann::ordered_json;

struct InfoFlags {
  Common common;
  DataFlags data;
  int64_t sample = 2'000;
  bool json = false;
};

std::string class_name(const DatasetInfo& info, size_t label) {
  return label < info.class_names.size() ? info.class_names[label] : std::to_string(label);
}

// Items of every split: what the data set knows already, or what opening the others shows.
std::vector<NamedCount> count_splits(const InfoFlags& flags, const DatasetInfo& info) {
  if (!info.splits.empty()) return info.splits;
  std::vector<NamedCount> splits;
  int64_t all = 0;
  for (const std::string split : {"train", "test"}) {
    try {
      splits.push_back({split, open_dataset(flags.data.spec, {.split = split})->size()});
      all += splits.back().count;
    } catch (const IoError&) {
      continue;  // published without it
    }
  }
  splits.push_back({"all", all});
  return splits;
}

Json counts(const std::vector<NamedCount>& list) {
  Json entries = Json::array();
  for (const NamedCount& entry : list) entries.push_back({{"name", entry.name}, {"items", entry.count}});
  return entries;
}

// The first texts of the first items stand for the rest.
Json describe_texts(const Dataset& dataset, int threads) {
  const TextStatistics statistics = text_statistics(dataset, threads);
  Json report = {{"texts", statistics.texts},           {"words", statistics.words},
                 {"vocabulary", statistics.vocabulary}, {"median_words", statistics.median_words},
                 {"most_words", statistics.most_words}, {"examples", Json::array()}};
  for (int64_t i = 0; i < std::min<int64_t>(dataset.size(), 3); ++i) {
    report["examples"].push_back({{"id", dataset.id(i)}, {"texts", dataset.texts(i)}});
  }
  return report;
}

Json describe_sounds(const Dataset& dataset, int64_t sample, int threads) {
  const SoundLengths lengths = sound_lengths(dataset, sample > 0 ? sample : dataset.size(), threads);
  return {{"seconds", {{"shortest", lengths.shortest}, {"median", lengths.median}, {"longest", lengths.longest}}},
          {"looked_at", lengths.looked_at}};
}

Json describe(const Dataset& dataset, const DatasetStatistics& statistics, const std::vector<NamedCount>& splits,
              int64_t sample, int threads) {
  const DatasetInfo& info = dataset.info();
  Json report = {{"name", info.name}, {"split", info.split}, {"items", dataset.size()}};
  report["splits"] = counts(splits);
  report["split_made_here"] = info.split_made_here;
  if (info.asked_for > 0) report["asked_for"] = info.asked_for;
  if (info.dims > 0) {
    report["dims"] = info.dims;
    report["nodes"] = info.nodes;
  } else if (info.text) {
    report.update(describe_texts(dataset, threads));
  } else if (info.sound) {
    report.update(describe_sounds(dataset, sample, threads));
  } else {
    report["height"] = {statistics.min_height, statistics.max_height};
    report["width"] = {statistics.min_width, statistics.max_width};
    report["mean"] = statistics.mean;
    report["std"] = statistics.deviation;
    report["looked_at"] = statistics.looked_at;
  }
  report["facts"] = counts(info.facts);
  report["classes"] = Json::array();
  for (size_t label = 0; label < statistics.per_class.size(); ++label) {
    report["classes"].push_back({{"name", class_name(info, label)}, {"items", statistics.per_class[label]}});
  }
  report["unlabelled"] = statistics.unlabelled;
  report["factors"] = Json::array();
  for (const FactorInfo& factor : info.factors) {
    report["factors"].push_back({{"name", factor.name}, {"values", factor.values}, {"names", factor.names}});
  }
  report["unreadable"] = info.unreadable;
  for (const std::string& failure : statistics.unreadable) report["unreadable"].push_back(failure);
  report["other_kinds"] = counts(info.other_kinds);
  return report;
}

std::string range(const Json& pair) {
  return pair[0] == pair[1] ? pair[0].dump() : fmt::format("{} to {}", pair[0].dump(), pair[1].dump());
}

std::string numbers(const Json& list) {
  std::string text;
  for (const auto& number : list) text += fmt::format("{}{:.4f}", text.empty() ? "" : ", ", number.get<double>());
  return text;
}

void print_splits(const Json& report) {
  std::string list;
  for (const auto& split : report["splits"]) {
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", split["name"].get<std::string>(),
                        split["items"].get<int64_t>());
  }
  fmt::print("splits: {}{}\n", list,
             report["split_made_here"].get<bool>() ? " (made here: a tenth of each class for test)" : "");
  if (report.contains("asked_for")) {
    fmt::print("{} items were asked for, there are fewer\n", report["asked_for"].get<int64_t>());
  }
}

void print_left_out(const Json& report) {
  if (!report["unreadable"].empty()) fmt::print("{} unreadable:\n", report["unreadable"].size());
  for (const auto& line : report["unreadable"]) fmt::print("  {}\n", terminal_text(line.get<std::string>()));
  for (const auto& kind : report["other_kinds"]) {
    fmt::print("{} {} passed over: not a kind that is read\n", kind["items"].get<int64_t>(),
               kind["name"].get<std::string>());
  }
}

void print_texts(const Json& report) {
  const auto number = [&report](const char* key) { return report[key].get<int64_t>(); };
  fmt::print(", {} texts of {} words in the median and {} at most\n", number("texts"), number("median_words"),
             number("most_words"));
  fmt::print("{} words, {} different ones\n", number("words"), number("vocabulary"));
  for (const auto& example : report["examples"]) {
    for (const auto& text : example["texts"]) {
      const auto whole = text.get<std::string>();
      size_t shown = std::min<size_t>(whole.size(), 160);
      while (shown < whole.size() && (static_cast<unsigned char>(whole[shown]) & 0xc0) == 0x80) --shown;
      fmt::print("  {}: {}{}\n", terminal_text(example["id"].get<std::string>()), terminal_text(whole.substr(0, shown)),
                 shown < whole.size() ? " ..." : "");
    }
  }
}

void print(const Json& report) {
  fmt::print("{} ({}): {} items", terminal_text(report["name"].get<std::string>()), report["split"].get<std::string>(),
             report["items"].get<int64_t>());
  if (report.contains("dims")) {
    const auto dims = report["dims"].get<int64_t>();
    fmt::print("{}\n", report["nodes"].get<int64_t>() > 0 ? ", nodes without features"
                                                          : fmt::format(", vectors of {} dimensions", dims));
  } else if (report.contains("texts")) {
    print_texts(report);
  } else if (report.contains("seconds")) {
    const auto of = [&report](const char* key) { return report["seconds"][key].get<double>(); };
    fmt::print(", sounds of {:.2f} to {:.2f} seconds, {:.2f} in the median (of {})\n", of("shortest"), of("longest"),
               of("median"), report["looked_at"].get<int64_t>());
  } else {
    const bool grey = report["mean"].size() == 1;
    fmt::print(", {} pictures, height {}, width {}\n", grey ? "grey" : "RGB", range(report["height"]),
               range(report["width"]));
    fmt::print("mean {}   std {}   (of {} pictures, scale 0..1)\n", numbers(report["mean"]), numbers(report["std"]),
               report["looked_at"].get<int64_t>());
  }
  print_splits(report);
  for (const auto& fact : report["facts"]) {
    fmt::print("{} {}\n", fact["items"].get<int64_t>(), fact["name"].get<std::string>());
  }
  if (report["classes"].empty()) fmt::print("no classes\n");
  for (const auto& entry : report["classes"]) {
    fmt::print("  {:<24}{:>9}\n", terminal_text(entry["name"].get<std::string>()), entry["items"].get<int64_t>());
  }
  if (const auto unlabelled = report["unlabelled"].get<int64_t>(); unlabelled > 0 && !report["classes"].empty()) {
    fmt::print("  {:<24}{:>9}\n", "(no label)", unlabelled);
  }
  for (const auto& factor : report["factors"]) {
    fmt::print("factor {:<17}{:>9} values\n", terminal_text(factor["name"].get<std::string>()),
               factor["values"].size());
  }
  print_left_out(report);
}

void run(const InfoFlags& flags) {
  const DatasetPtr dataset = open_data(flags.data, flags.common);
  const auto statistics = dataset_statistics(*dataset, {.max_items = flags.sample, .threads = flags.common.threads});
  const Json report =
      describe(*dataset, statistics, count_splits(flags, dataset->info()), flags.sample, flags.common.threads);
  if (flags.json) {
    fmt::print("{}\n", report.dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    print(report);
  }
}

}  // namespace

void add_data_info(App& data) {
  auto flags = std::make_shared<InfoFlags>();
  App* command = add_command(data, "info",
                             "Counts per class, sizes, mean and deviation, words of texts, factors, unreadable files",
                             flags->common);
  add_data_flags(command, flags->data);
  command->add_option("--sample", flags->sample, "Pictures or sounds to look at for sizes, mean and deviation; 0: all")
      ->check(between(0, INT64_MAX))
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--json", flags->json, "Print one JSON document");
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
