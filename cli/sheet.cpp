#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli/command.h"
#include "orthant/core/error.h"
#include "orthant/data/open.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/image_file.h"
#include "orthant/report/contact_sheet.h"

namespace orthant::cli {
namespace {

struct SheetFlags {
  Common common;
  std::string embeddings;
  std::string data;
  std::string split = "test";
  int64_t features = 10;
  int64_t images = 12;
  std::string title;
  std::string output;
  bool overwrite = false;
};

// Rows scaled to unit length; a zero row stays zero.
Matrix unit_rows(const Embeddings& embeddings) {
  Matrix unit = embeddings.sparse() ? std::get<SparseMatrix>(embeddings.features).to_dense()
                                    : std::get<Matrix>(embeddings.features).to_owned();
  for (int64_t i = 0; i < unit.rows(); ++i) {
    const auto row = unit.mutable_row(i);
    double sum = 0;
    for (const float x : row) sum += static_cast<double>(x) * x;
    if (sum == 0) continue;
    for (float& x : row) x = static_cast<float>(x / std::sqrt(sum));
  }
  return unit;
}

// The features with the largest mean activation (the positive part).
std::vector<int64_t> strongest_features(const Matrix& unit, int64_t count) {
  std::vector<double> activation(static_cast<size_t>(unit.cols()));
  for (int64_t i = 0; i < unit.rows(); ++i) {
    const auto row = unit.row(i);
    for (size_t j = 0; j < row.size(); ++j) activation[j] += std::max(row[j], 0.0F);
  }
  std::vector<int64_t> order(activation.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](int64_t j) { return activation[static_cast<size_t>(j)]; });
  order.resize(std::min(order.size(), static_cast<size_t>(count)));
  return order;
}

// The items that activate a feature most.
std::vector<int64_t> top_items(const Matrix& unit, int64_t feature, int64_t count) {
  std::vector<int64_t> items(static_cast<size_t>(unit.rows()));
  std::iota(items.begin(), items.end(), int64_t{0});
  const auto kept = static_cast<size_t>(std::min(count, unit.rows()));
  std::ranges::partial_sort(items, items.begin() + static_cast<int64_t>(kept), [&](int64_t a, int64_t b) {
    return unit(a, feature) != unit(b, feature) ? unit(a, feature) > unit(b, feature) : a < b;
  });
  items.resize(kept);
  return items;
}

// Share of the commonest class among items, or nothing without labels.
std::string purity(const Embeddings& embeddings, const std::vector<int64_t>& items) {
  if (embeddings.labels.empty()) return "";
  std::map<int64_t, int64_t> counts;
  for (const int64_t item : items) ++counts[embeddings.labels[static_cast<size_t>(item)]];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  return fmt::format("  {:.0f} %", 100.0 * static_cast<double>(most->second) / static_cast<double>(items.size()));
}

void run(const SheetFlags& flags) {
  refuse_existing(flags.output, flags.overwrite);
  const Embeddings embeddings = io::read_embeddings(flags.embeddings);
  DataOptions options;
  options.split = flags.split;
  const DatasetPtr data = open_dataset(flags.data, options);
  check(data->size() == embeddings.rows(), "[", flags.embeddings, "] expected a row for each of the ", data->size(),
        " items of ", flags.data, " ", flags.split, ", got ", embeddings.rows());
  const Matrix unit = unit_rows(embeddings);
  std::vector<SheetRow> rows;
  for (const int64_t feature : strongest_features(unit, flags.features)) {
    const auto items = top_items(unit, feature, flags.images);
    SheetRow row{fmt::format("feature {}{}", feature, purity(embeddings, items)), {}};
    for (const int64_t item : items) row.images.push_back(data->image(item));
    rows.push_back(std::move(row));
  }
  io::write_png(flags.output, contact_sheet(rows, {.title = flags.title, .column_titles = {}, .cell = 64}));
}

}  // namespace

void add_sheet(CLI::App& app) {
  auto flags = std::make_shared<SheetFlags>();
  CLI::App* command =
      add_command(app, "sheet", "Draw the pictures that activate features most, a row per feature", flags->common);
  command->add_option("embeddings", flags->embeddings, "File of embeddings")->required()->type_name("FILE");
  command->add_option("--data", flags->data, "Data set that was embedded, KIND[:PATH]")->required();
  command->add_option("--split", flags->split, "train, test or all")
      ->check(one_of({"train", "test", "all"}))
      ->capture_default_str();
  command->add_option("--features", flags->features, "Rows: the features with the largest mean activation")
      ->check(between(1, 1000))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--images", flags->images, "Pictures in a row")
      ->check(between(1, 1000))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--title", flags->title, "Title of the sheet");
  command->add_option("-o,--output", flags->output, "PNG file to write")->required()->type_name("FILE");
  command->add_flag("--overwrite", flags->overwrite, "Replace the file if it exists");
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
