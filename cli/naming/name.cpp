#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_map>

#include "cli/commands.h"
#include "cli/frame/terminal_text.h"
#include "cli/look_inputs.h"
#include "cli/naming/feature_names.h"
#include "orthant/adapt/recipe.h"
#include "orthant/catalogue/names.h"
#include "orthant/core/error.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/labels_file.h"
#include "orthant/io/settings_file.h"
#include "orthant/io/text_lines.h"
#include "orthant/naming/concepts.h"
#include "orthant/naming/propose.h"
#include "orthant/run/run_paths.h"
#include "orthant/words/word_table.h"

namespace orthant::cli {
namespace {

struct NameFlags {
  Common common;
  std::string input;
  std::string split;
  std::string from = "labels";
  std::string labels;
  std::string ids;
  std::string vectors;
  int64_t most = naming::ProposeOptions{}.most;
  int64_t rows = 20;
  bool dry_run = false;
  bool json = false;
};

void check_rows(size_t got, int64_t rows, const std::string& path) {
  check(static_cast<int64_t>(got) == rows, "[", path, "] expected ", rows, " lines, one for each item, got ", got);
}

// A line for each item; or a table whose first column is the item's id and whose last its text, several for one item.
std::vector<std::vector<std::string>> texts_of(const std::string& path, const Embeddings& embeddings) {
  std::vector<std::string> lines = io::read_lines(path);
  std::vector<std::vector<std::string>> texts(static_cast<size_t>(embeddings.rows()));
  if (std::ssize(lines) == embeddings.rows()) {
    for (size_t i = 0; i < lines.size(); ++i) texts[i].push_back(std::move(lines[i]));
    return texts;
  }
  const bool table =
      std::ranges::any_of(lines, [](const std::string& line) { return line.find('\t') != std::string::npos; });
  if (!table || embeddings.ids.empty()) check_rows(lines.size(), embeddings.rows(), path);
  std::unordered_map<std::string, size_t> places;
  for (size_t i = 0; i < embeddings.ids.size(); ++i) places.emplace(embeddings.ids[i], i);
  int64_t found = 0;
  for (const std::string& line : lines) {
    const auto place = places.find(line.substr(0, line.find('\t')));
    if (place == places.end()) continue;
    texts[place->second].push_back(line.substr(line.rfind('\t') + 1));
    ++found;
  }
  check(found > 0, "[", path, "] expected a table whose first column has ids such as ", embeddings.ids.front(),
        ", got none of them");
  return texts;
}

naming::Concepts concepts_of_words(const std::vector<std::vector<std::string>>& texts, const std::string& from,
                                   int threads) {
  const words::WordTable table = words::word_table(texts, {.threads = threads});
  check(!table.words.empty(), "[", from, "] expected words that three items or more have, got none");
  return naming::word_concepts(table);
}

// Of an adapted run whose rows are all looked at, those it was learned from.
std::string vectors_of(const NameFlags& flags) {
  const bool own = flags.vectors.empty() && is_run(flags.input) && adapt::is_adapted_run(flags.input) &&
                   (flags.split.empty() || flags.split == "all");
  if (!own) return flags.vectors;
  const std::string recipe = RunPaths(flags.input).recipe_file();
  return adapt::make_adapt_recipe({{recipe, io::read_settings(recipe)}}).data.embeddings;
}

naming::Concepts concepts_of_dictionary(const NameFlags& flags, int64_t rows, size_t comma) {
  const std::string vectors = vectors_of(flags);
  check(!vectors.empty(), "[--from] expected --vectors with the items in the space of ", flags.from, ", got none");
  const std::string words = flags.from.substr(0, comma);
  const std::string names = flags.from.substr(comma + 1);
  const Embeddings items = io::read_embeddings(vectors);
  check(items.rows() == rows, "[", vectors, "] expected vectors of the ", rows, " items, got ", items.rows());
  const Embeddings dictionary = io::read_embeddings(words);
  return naming::vector_concepts(items, vectors, dictionary, io::read_lines(names), words, names, flags.common.threads);
}

naming::Concepts concepts_of(const NameFlags& flags, const Embeddings& embeddings) {
  if (flags.from == "labels") {
    if (flags.labels.empty()) {
      check(!embeddings.labels.empty(),
            "[--from labels] expected embeddings with labels, got none; --labels gives them");
      return naming::label_concepts(embeddings.labels, embeddings.class_names);
    }
    const io::NamedLabels given = io::read_labels(flags.labels);
    check_rows(given.labels.size(), embeddings.rows(), flags.labels);
    return naming::label_concepts(given.labels, given.names);
  }
  if (flags.from == "factors") return naming::factor_concepts(embeddings.factors, embeddings.rows());
  if (flags.from == "ids") {
    check(!embeddings.ids.empty(), "[--from ids] expected items with ids, got none; --ids gives them");
    std::vector<std::vector<std::string>> texts;
    for (const std::string& id : embeddings.ids) texts.push_back({id});
    return concepts_of_words(texts, "--from ids", flags.common.threads);
  }
  const size_t comma = flags.from.find(',');
  if (comma != std::string::npos && !std::filesystem::exists(flags.from)) {
    return concepts_of_dictionary(flags, embeddings.rows(), comma);
  }
  return concepts_of_words(texts_of(flags.from, embeddings), flags.from, flags.common.threads);
}

// By how far they are above chance.
std::vector<size_t> order_of(const std::vector<naming::Proposal>& proposals) {
  std::vector<size_t> order(proposals.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(), [&](size_t k) {
    const naming::Proposal& one = proposals[k];
    return one.name.empty() ? -INFINITY : one.score - one.chance;
  });
  return order;
}

void print_table(const NameFlags& flags, const std::vector<naming::Proposal>& proposals) {
  fmt::print("{:>8}  {:<28} {:>7} {:>7}  {:>5}  {}\n", "feature", "proposed", "score", "chance", "items", "or");
  int64_t shown = 0;
  for (const size_t k : order_of(proposals)) {
    const naming::Proposal& one = proposals[k];
    if (one.name.empty() || ++shown > flags.rows) break;
    fmt::print("{:>8}  {:<28} {:>7.2f} {:>7.2f}  {:>5}  {} {:.2f}\n", k, terminal_text(one.name), one.score, one.chance,
               one.items, terminal_text(one.second), one.second_score);
  }
}

void run(const NameFlags& flags) {
  const std::string path = embeddings_path(flags.input, flags.split);
  Embeddings embeddings = io::read_embeddings(path);
  check_finite(embeddings, path);
  if (!flags.ids.empty()) {
    embeddings.ids = io::read_lines(flags.ids);
    check_rows(embeddings.ids.size(), embeddings.rows(), flags.ids);
  }
  const naming::Concepts concepts = concepts_of(flags, embeddings);
  const std::vector<naming::Proposal> proposals = naming::propose_names(
      embeddings, concepts, {.most = flags.most, .seed = flags.common.seed, .threads = flags.common.threads});
  std::map<int64_t, catalogue::ProposedName> proposed;
  int64_t above = 0;
  for (size_t k = 0; k < proposals.size(); ++k) {
    const naming::Proposal& one = proposals[k];
    if (one.name.empty()) continue;
    above += one.score > one.chance;
    proposed[static_cast<int64_t>(k)] = {one.name, one.score, one.chance, std::filesystem::path(flags.from).filename()};
  }
  const std::string file = names_file(flags.input);
  if (!flags.dry_run) catalogue::Names(file, embeddings.cols()).propose(proposed);
  if (flags.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (size_t k = 0; k < proposals.size(); ++k) {
      const naming::Proposal& one = proposals[k];
      if (one.name.empty()) continue;
      list.push_back({{"feature", k},
                      {"name", one.name},
                      {"score", one.score},
                      {"chance", one.chance},
                      {"items", one.items},
                      {"second", one.second},
                      {"second_score", one.second_score}});
    }
    const nlohmann::ordered_json told = {{"source", path},
                                         {"from", flags.from},
                                         {"concepts", concepts.names.size()},
                                         {"features", embeddings.cols()},
                                         {"above_chance", above},
                                         {"proposed", list}};
    fmt::print("{}\n", told.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else if (!flags.common.quiet) {
    print_table(flags, proposals);
    fmt::print("{} of {} features get a name out of {}; {} score above chance{}\n", proposed.size(), embeddings.cols(),
               concepts.names.size(), above,
               flags.dry_run ? "" : fmt::format("; proposed in {}: accept them on the page of orthant explore", file));
  }
}

}  // namespace

void add_name(App& app) {
  auto flags = std::make_shared<NameFlags>();
  App* command =
      add_command(app, "name", "Propose a name for every feature, to be accepted on the page", flags->common);
  command->add_option("input", flags->input, "A run, or embeddings")->type_name("RUN|EMBEDDINGS")->required();
  command
      ->add_option(
          "--from", flags->from,
          "What items may be said to be: labels, factors, ids (words of file names), a file of texts (a line for "
          "each item, or a table by id), or named vectors, WORDS.npy,WORDS.txt")
      ->type_name("WHAT")
      ->capture_default_str();
  command->add_option("--labels", flags->labels, "Classes for --from labels (default: those of the embeddings)")
      ->type_name("FILE");
  command->add_option("--ids", flags->ids, "What the items are called, a line each")->type_name("FILE");
  command
      ->add_option("--vectors", flags->vectors,
                   "The items in the space of WORDS.npy (default: the vectors of an adapted run)")
      ->type_name("FILE");
  command->add_option("--split", flags->split, "Of a run (default: test)")->type_name("NAME");
  command->add_option("--most", flags->most, "Strongest items of a feature that count")
      ->check(between(1, 100000))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--rows", flags->rows, "Features to print, those furthest above chance first")
      ->check(between(0, INT32_MAX))
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--dry-run", flags->dry_run, "Print, and keep nothing");
  command->add_flag("--json", flags->json, "Print one JSON document with all");
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
