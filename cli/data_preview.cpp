#include <fmt/format.h>

#include <algorithm>

#include "cli/corruption_sheet.h"
#include "cli/data.h"
#include "cli/data_flags.h"
#include "cli/frame/command.h"
#include "cli/frame/field_flags.h"
#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/data/suggested_size.h"
#include "orthant/data/view_source.h"
#include "orthant/io/image_file.h"
#include "orthant/report/contact_sheet.h"
#include "orthant/views/view.h"

namespace orthant::cli {
namespace {

struct PreviewFlags {
  Common common;
  DataFlags data;
  SettingSources settings;
  std::string preset = "simclr";
  int64_t image_size = 0;
  int64_t rows = 16;
  int64_t columns = 8;
  std::string output;
  bool overwrite = false;
};

// Up to `count` items in random order, one of each class before a second of any.
std::vector<int64_t> choose_items(const Dataset& dataset, int64_t count, uint64_t seed) {
  std::vector<int64_t> items(static_cast<size_t>(dataset.size()));
  for (size_t i = 0; i < items.size(); ++i) items[i] = static_cast<int64_t>(i);
  Rng(StreamKey{.seed = seed, .view = 0xff10}).shuffle(std::span(items));
  std::vector<int64_t> taken(dataset.info().class_names.size() + 1, 0);
  std::vector<std::array<int64_t, 3>> ranked;  // (how many of its class came before, label, item)
  for (const int64_t item : items) {
    const int64_t label = dataset.label(item);
    int64_t& before = taken[std::min(taken.size() - 1, static_cast<size_t>(label + 1))];
    if (before < count) ranked.push_back({before++, label, item});
  }
  std::ranges::sort(ranked);
  std::vector<int64_t> chosen;
  for (const auto& entry : ranked) {
    if (static_cast<int64_t>(chosen.size()) < count) chosen.push_back(entry[2]);
  }
  return chosen;
}

ViewOptions view_options(const PreviewFlags& flags, const Dataset& dataset) {
  const DatasetInfo& info = dataset.info();
  const int64_t side = flags.image_size > 0 ? flags.image_size : suggested_image_size(dataset);
  ViewOptions options = view_preset(flags.preset, side);
  if (info.channels == 1) options.channels = 1;
  if (info.sound) {
    constexpr int64_t kHeard = 200;
    options.sound.seconds = std::clamp(sound_lengths(dataset, kHeard, flags.common.threads).most, 0.5, 4.0);
    options.set_mean({0, 0, 0});
    options.set_std({1, 1, 1});
  }
  std::vector<std::string> keys = setting_keys(options, "views");
  for (const std::string& key : setting_keys(options.sound, "sound")) keys.push_back(key);
  for (const std::string& key : setting_keys(options.sound_views, "sound_views")) keys.push_back(key);
  flags.settings.apply(keys, [&](const Settings& settings, const std::string& source) {
    apply_settings(options, "views", settings, source);
    apply_settings(options.sound, "sound", settings, source);
    apply_settings(options.sound_views, "sound_views", settings, source);
  });
  return options;
}

// Cells of about `wanted` pixels that small pictures fill by whole pixels.
int64_t cell_side(const DatasetInfo& info, int64_t wanted) {
  const int64_t side = std::max(info.height, info.width);
  return side > 0 && side <= 128 ? side * std::max<int64_t>(1, (wanted + side / 2) / side) : 128;
}

SheetRow sheet_row(const Dataset& dataset, int64_t item, const ViewMaker& maker, const PreviewFlags& flags) {
  const int64_t label = dataset.label(item);
  const auto& names = dataset.info().class_names;
  const bool named = label >= 0 && static_cast<size_t>(label) < names.size();
  SheetRow row{named ? names[static_cast<size_t>(label)] : dataset.id(item), {dataset.image(item)}};
  const Image source = view_source(dataset, item, maker.options().size, maker.options().sound);
  ViewScratch scratch;
  std::vector<float> view(static_cast<size_t>(maker.options().view_size()));
  for (int64_t v = 0; v < flags.columns; ++v) {
    const StreamKey key{
        .seed = flags.common.seed, .sample = static_cast<uint64_t>(item), .view = static_cast<uint16_t>(v)};
    maker(source, key, scratch, view);
    row.images.push_back(view_to_image(view, maker.options()));
  }
  return row;
}

void check_pictures(const Dataset& dataset, const std::string& spec) {
  check(!dataset.info().text, "[", spec, "] expected pictures to preview, got texts; 'orthant data info' shows some");
  check(dataset.info().dims == 0, "[", spec, "] expected pictures to preview, got vectors");
}

// --corrupt all: one picture through every corruption.
void run_all_corruptions(PreviewFlags flags) {
  flags.data.corrupt.clear();
  const DatasetPtr dataset = open_data(flags.data, flags.common);
  const DatasetInfo& info = dataset->info();
  check_pictures(*dataset, flags.data.spec);
  const int64_t item = choose_items(*dataset, 1, flags.common.seed).at(0);
  SheetOptions sheet{
      .title = fmt::format("{} ({}), item {}, seed {}, by severity", info.name, info.split, item, flags.common.seed),
      .column_titles = {},
      .cell = cell_side(info, 64)};
  for (const int severity : kShownSeverities) sheet.column_titles.push_back(std::to_string(severity));
  std::vector<SheetRow> rows = corruption_rows(dataset->image(item), flags.common.seed, item);
  rows.insert(rows.begin(), {"original", {dataset->image(item)}});
  io::write_png(flags.output, contact_sheet(rows, sheet));
}

void run(const PreviewFlags& flags) {
  refuse_existing(flags.output, flags.overwrite);
  if (flags.data.corrupt == "all") return run_all_corruptions(flags);
  const DatasetPtr dataset = open_data(flags.data, flags.common);
  tell_notes(dataset->info(), flags.common);
  check_pictures(*dataset, flags.data.spec);
  const ViewMaker maker(view_options(flags, *dataset));
  const int64_t side = maker.options().size;
  SheetOptions sheet{.title = fmt::format("{} ({}), views {} at {} x {}, seed {}", dataset->info().name,
                                          dataset->info().split, flags.preset, side, side, flags.common.seed),
                     .column_titles = {flags.data.corrupt.empty() ? "original" : flags.data.corrupt},
                     .cell = cell_side(dataset->info(), 96)};
  for (int64_t v = 1; v <= flags.columns; ++v) sheet.column_titles.push_back(fmt::format("view {}", v));
  std::vector<SheetRow> rows;
  for (const int64_t item : choose_items(*dataset, flags.rows, flags.common.seed)) {
    rows.push_back(sheet_row(*dataset, item, maker, flags));
  }
  const Image picture = contact_sheet(rows, sheet);
  io::write_png(flags.output, picture);
  if (!flags.common.quiet) {
    fmt::print(stderr, "{}: {} pictures and {} views of each at {} x {}, {} x {} pixels\n", flags.output, rows.size(),
               flags.columns, side, side, picture.width, picture.height);
  }
}

}  // namespace

void add_data_preview(App& data) {
  auto flags = std::make_shared<PreviewFlags>();
  App* command =
      add_command(data, "preview", "Draw pictures and their augmented views on a contact sheet", flags->common);
  add_data_flags(command, flags->data);
  command->get_option("--corrupt")
      ->description(
          "Corrupt the pictures first: NAME or NAME:SEVERITY (1 to 5), see docs/corruptions.md; all: a sheet of every "
          "corruption");
  command->add_option("-o,--output", flags->output, "PNG file to write")->required()->type_name("FILE");
  command->add_flag("--overwrite", flags->overwrite, "Replace the file if it exists");
  command->add_option("--views", flags->preset, "Recipe of the views: simclr, simclr-small, weak, none or eval")
      ->check(one_of(view_preset_names()))
      ->type_name("NAME")
      ->capture_default_str();
  command
      ->add_option("--image-size", flags->image_size,
                   "Height and width of the views, as in training; 0: chosen from the pictures, see docs/data.md")
      ->check(between(0, 4096))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--rows", flags->rows, "Pictures to show")
      ->check(between(1, 1000))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--columns", flags->columns, "Views of each picture")
      ->check(between(0, 64))
      ->type_name("N")
      ->capture_default_str();
  add_setting_flags(command, flags->settings);
  add_field_flags(command, ViewOptions{}, "views", "view-", "Settings of the views (simclr's in brackets)",
                  flags->settings);
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
