#include <fmt/format.h>

#include <cmath>

#include "cli/commands.h"
#include "cli/look_inputs.h"
#include "cli/naming/feature_names.h"
#include "orthant/catalogue/exemplars.h"
#include "orthant/catalogue/measure_input.h"
#include "orthant/catalogue/open.h"
#include "orthant/core/error.h"
#include "orthant/core/features.h"
#include "orthant/disentangle/monosemanticity.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/image_file.h"
#include "orthant/measure/consistency.h"
#include "orthant/pairs/open_pairs.h"
#include "orthant/report/contact_sheet.h"
#include "orthant/run/run_paths.h"
#include "orthant/select/ranking.h"
#include "orthant/sources/open.h"
#include "orthant/words/feature_words.h"
#include "orthant/words/word_table.h"

namespace orthant::cli {
namespace {

struct SheetFlags {
  Common common;
  std::string embeddings;
  std::string data;
  std::string texts;
  std::string reference;
  std::string split;  // empty: see usual_split()
  int64_t features = 10;
  int64_t images = 8;
  int64_t spread = 8;
  std::string by = "activation";
  std::string title;
  std::string output;
  bool overwrite = false;
};

// What is told of a row besides its pictures.
struct Told {
  std::vector<double> shares = {};           // of one class; empty: of all that activate it
  std::vector<double> monosemanticity = {};  // empty without a reference
  double any_two = 0;                        // what it is of items drawn at random
  std::vector<std::string> names = {};
};

// By feature, the share of one class that its row is labelled with: of the strongest items if these rank it; otherwise
// empty, and all that activate it count.
std::vector<double> shares_to_tell(const SheetFlags& flags, const Embeddings& embeddings) {
  if (flags.by != "consistency_top") return {};
  return measure::top_consistency(embeddings, embeddings.labels, {.threads = flags.common.threads}).rule.consistency;
}

std::vector<int64_t> best_features(const SheetFlags& flags, const Embeddings& embeddings) {
  auto order = select::rank_features(embeddings, embeddings.labels,
                                     {.by = flags.by, .seed = flags.common.seed, .threads = flags.common.threads})
                   .order;
  order.resize(std::min(order.size(), static_cast<size_t>(flags.features)));
  return order;
}

// What to draw of the items, and what is written of them.
struct Content {
  DatasetPtr pictures;
  DatasetPtr texts;  // null: nothing
};

Content open_content(const SheetFlags& flags) {
  const bool own = flags.data.empty() && is_run(flags.embeddings);
  const RunPaths run(flags.embeddings);
  const std::string data = own ? trained_on(run) : flags.data;
  check(!data.empty(), "[--data] expected the data set that was embedded, or whose vectors were adapted, got none");
  const std::string texts = !flags.texts.empty() ? catalogue::texts_spec(flags.texts) : own ? trained_with(run) : "";
  DataOptions options;
  options.split = flags.split;
  if (texts.empty()) return {open_dataset(data, options), nullptr};
  auto [a, b] = open_pairs(data, texts, options);
  if (a->info().text) std::swap(a, b);
  return {a, b->info().text ? b : nullptr};
}

std::vector<words::FeatureWords> words_of_features(const Embeddings& embeddings, const DatasetPtr& data, int threads) {
  std::vector<std::vector<std::string>> texts;
  for (int64_t i = 0; i < data->size(); ++i) texts.push_back(data->texts(i));
  return words::feature_words(embeddings, words::word_table(texts, {.threads = threads}), {.threads = threads});
}

std::string spelled(const words::FeatureWords& words) {
  constexpr size_t kMost = 6;
  std::string text;
  for (size_t k = 0; k < std::min(kMost, words.raising.size()); ++k) text += (k > 0 ? " " : "") + words.raising[k].word;
  return text;
}

// The strongest, an empty cell, and the even choice.
SheetRow row_of(int64_t feature, const Exemplars& found, const Told& told, const Dataset& data,
                const SheetFlags& flags) {
  const Image empty(1, 1, 1, 255);
  const auto at = static_cast<size_t>(feature);
  SheetRow row;
  const double share = told.shares.empty() ? found.consistency : told.shares[at];
  row.label = fmt::format("feature {}", feature);
  if (found.commonest >= 0) row.label += fmt::format("  {:.0f} %", 100 * share);
  if (!told.monosemanticity.empty() && std::isfinite(told.monosemanticity[at])) {
    row.label += fmt::format("  alike {:.2f}", told.monosemanticity[at]);
  }
  row.words = told.names[at];
  for (const int64_t item : found.top) row.images.push_back(data.image(item));
  if (flags.spread == 0) return row;
  row.images.resize(static_cast<size_t>(flags.images) + 1, empty);
  for (const int64_t item : found.spread) row.images.push_back(data.image(item));
  return row;
}

void run(SheetFlags flags) {
  refuse_existing(flags.output, flags.overwrite);
  if (flags.split.empty()) flags.split = usual_split(flags.embeddings);
  const std::string file = embeddings_path(flags.embeddings, flags.split);
  const Embeddings embeddings = io::read_embeddings(file);
  const auto [data, texts] = open_content(flags);
  check(data->size() == embeddings.rows(), "[", file, "] expected a row for each of the ", data->size(), " items of ",
        data->info().name, " ", flags.split, ", got ", embeddings.rows());
  for (size_t i = 0; i < embeddings.ids.size(); ++i) {
    const std::string id = data->id(static_cast<int64_t>(i));
    check(embeddings.ids[i] == id, "[", file, "] expected the items of ", data->info().name, " ", flags.split, ", got ",
          embeddings.ids[i], " instead of ", id, " in row ", i);
  }
  const auto features = best_features(flags, embeddings);
  const auto found = exemplars(embeddings, embeddings.labels, features, flags.images, flags.spread);
  Told told{.shares = shares_to_tell(flags, embeddings), .names = feature_names(flags.embeddings, embeddings).shown};
  if (!flags.reference.empty()) {
    const Embeddings reference =
        catalogue::read_reference(embeddings_path(flags.reference, flags.split), embeddings.rows(), file);
    disentangle::Monosemanticity alike =
        disentangle::monosemanticity(embeddings, reference, {.threads = flags.common.threads});
    told.monosemanticity = std::move(alike.scores);
    told.any_two = alike.chance;
  }
  std::vector<SheetRow> rows;
  for (size_t r = 0; r < features.size(); ++r) rows.push_back(row_of(features[r], found[r], told, *data, flags));
  if (texts) {
    const auto words = words_of_features(embeddings, texts, flags.common.threads);
    for (size_t r = 0; r < features.size(); ++r) {
      const std::string list = spelled(words[static_cast<size_t>(features[r])]);
      rows[r].words += (rows[r].words.empty() || list.empty() ? "" : ": ") + list;
    }
  }
  std::vector<std::string> titles = {"what activates it most"};
  if (!flags.reference.empty()) titles[0] += fmt::format(" (any two are alike {:.2f})", told.any_two);
  if (flags.spread > 0) {
    titles.resize(static_cast<size_t>(flags.images) + 1);
    titles.push_back("from all that activate it, strong to weak");
  }
  io::write_png(flags.output, contact_sheet(rows, {.title = flags.title, .column_titles = titles, .cell = 64}));
}

}  // namespace

void add_sheet(App& app) {
  auto flags = std::make_shared<SheetFlags>();
  App* command =
      add_command(app, "sheet", "Draw the pictures that activate features, a row per feature", flags->common);
  command->add_option("embeddings", flags->embeddings, "Embeddings, or the run they are in")
      ->required()
      ->type_name("FILE|RUN");
  command->add_option("--data", flags->data,
                      "Data set that was embedded, KIND[:PATH]; default: what a run was trained on");
  add_texts(*command, flags->texts);
  command
      ->add_option("--reference", flags->reference,
                   "Vectors of the same items by something else: tells how alike the pictures of each feature are "
                   "(monosemanticity)")
      ->type_name("FILE|RUN");
  command->add_option("--split", flags->split, "train, test or all (test; all of a graph, and of vectors adapted)")
      ->check(one_of({"train", "test", "all"}));
  command->add_option("--features", flags->features, "Rows: the first features by --by")
      ->check(between(1, 1000))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--images", flags->images, "Pictures that activate a feature most")
      ->check(between(1, 1000))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--spread", flags->spread, "Pictures evenly chosen from all that activate it; 0: none")
      ->check(between(0, 1000))
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option(
          "--by", flags->by,
          "Ranking of the features, as in 'orthant select'; consistency_top tells the class share of the strongest")
      ->check(one_of(select::ranking_names()))
      ->capture_default_str();
  command->add_option("--title", flags->title, "Title of the sheet");
  command->add_option("-o,--output", flags->output, "PNG file to write")->required()->type_name("FILE");
  command->add_flag("--overwrite", flags->overwrite, "Replace the file if it exists");
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
