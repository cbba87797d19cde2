#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_map>

#include "cli/commands.h"
#include "cli/frame/progress.h"
#include "cli/look_inputs.h"
#include "orthant/core/error.h"
#include "orthant/core/version.h"
#include "orthant/decompose/centre.h"
#include "orthant/decompose/decompose.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/text_lines.h"

namespace orthant::cli {
namespace {

struct DecomposeFlags {
  Common common;
  std::string input;
  std::string dictionary;
  std::string vocabulary;
  double lambda = 0;
  int64_t active = decompose::DecomposeOptions{}.active;
  bool active_given = false;
  bool no_centre = false;
  std::string centre_from;
  std::string ids;
  bool not_itself = false;
  std::string output;
  bool json = false;
  bool overwrite = false;
};

void check_output(const DecomposeFlags& flags) {
  refuse_existing(flags.output, flags.overwrite);
  const std::string extension = std::filesystem::path(flags.output).extension();
  check(io::is_embeddings_ending(extension), "[", flags.output, "] expected a name that ends with ",
        io::kEmbeddingsEndings, ", got ", extension.empty() ? "none" : extension);
}

void read_ids(const std::string& path, Embeddings& embeddings) {
  embeddings.ids = io::read_lines(path);
  check(std::ssize(embeddings.ids) == embeddings.rows(), "[", path, "] expected ", embeddings.rows(),
        " lines, one for each row, got ", embeddings.ids.size());
}

// Of each row the word of its own name, -1 where there is none.
std::vector<int32_t> own_words(const Embeddings& rows, const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, int32_t> places;
  for (size_t i = 0; i < names.size(); ++i) places.emplace(names[i], static_cast<int32_t>(i));
  std::vector<int32_t> own;
  for (const std::string& id : rows.ids) {
    const auto place = places.find(id);
    own.push_back(place == places.end() ? -1 : place->second);
  }
  return own;
}

nlohmann::ordered_json describe(const DecomposeFlags& flags, const Embeddings& rows,
                                const decompose::Dictionary& dictionary, const decompose::Decomposition& found) {
  return {
      {"source", flags.input},
      {"dictionary", flags.dictionary},
      {"vocabulary", flags.vocabulary},
      {"rows", rows.rows()},
      {"words", dictionary.words()},
      {"words_used", found.words_used},
      {"wanted", flags.lambda > 0 ? "lambda" : "active"},
      {"lambda", found.lambda},
      {"active_per_row", found.active},
      {"empty_rows", found.empty_rows},
      {"centred", !flags.no_centre},
      {"cosine", found.cosine},
      {"cosine_of_centre", found.cosine_centre},
      {"cosine_centred", found.cosine_centred},
      {"version", version()},
  };
}

void run(const DecomposeFlags& flags) {
  check_output(flags);
  const std::string path = embeddings_path(flags.input);
  Embeddings rows = io::read_embeddings(path);
  if (!flags.ids.empty()) read_ids(flags.ids, rows);
  const int threads = flags.common.threads;
  decompose::DecomposeOptions options{.lambda = flags.lambda, .active = flags.active, .threads = threads};
  Progress progress(flags.common.quiet);
  options.progress = [&](int64_t done, int64_t total) { progress.update({"decompose", done, total, "rows"}); };
  const Embeddings words = io::read_embeddings(flags.dictionary);
  check(words.cols() == rows.cols(), "[", flags.dictionary, "] expected vectors of ", rows.cols(), " numbers, as ",
        path, " has, got ", words.cols());
  if (!flags.no_centre) {
    const bool own = flags.centre_from.empty();
    const Embeddings other = own ? Embeddings{} : io::read_embeddings(embeddings_path(flags.centre_from));
    const std::string& name = own ? path : flags.centre_from;
    options.centre = decompose::mean_direction(own ? rows : other, name, threads);
    check(std::ssize(options.centre) == rows.cols(), "[", name, "] expected vectors of ", rows.cols(), " numbers, as ",
          path, " has, got ", options.centre.size());
  }
  const decompose::Dictionary dictionary =
      decompose::make_dictionary(words, io::read_lines(flags.vocabulary), flags.dictionary, flags.vocabulary,
                                 {.centre = !flags.no_centre, .threads = threads});
  check(!flags.active_given || flags.active <= dictionary.words(), "[--active] expected at most the ",
        dictionary.words(), " words of ", flags.dictionary, ", got ", flags.active);
  if (flags.not_itself) {
    check(!rows.ids.empty(), "[--not-itself] expected rows with ids, got none in ", path, "; --ids gives them");
    options.without = own_words(rows, dictionary.names);
  }
  const auto begin = std::chrono::steady_clock::now();
  decompose::Decomposition found = decompose::decompose(rows, dictionary, path, options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const nlohmann::ordered_json report = describe(flags, rows, dictionary, found);
  rows.features = std::move(found.code);
  rows.feature_names = dictionary.names;
  rows.how.clear();
  for (const auto& [key, value] : report.items()) {
    rows.how[key] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  io::write_embeddings(flags.output, rows);
  const double speed = static_cast<double>(rows.rows()) / std::max(seconds, 1e-9);
  if (flags.json) {
    auto told = report;
    told["seconds"] = seconds;
    told["rows_per_second"] = speed;
    fmt::print("{}\n", told.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else if (!flags.common.quiet) {
    progress.clear();
    fmt::print("{} rows over {} words: {:.1f} words a row (lambda {:.3f}{}), {} words used, {} rows without any\n",
               rows.rows(), dictionary.words(), found.active, found.lambda, flags.lambda > 0 ? "" : " on average",
               found.words_used, found.empty_rows);
    if (flags.no_centre) {
      fmt::print("cosine of the sum of words with the row {:.3f}; {:.0f} rows/s\n", found.cosine, speed);
    } else {
      fmt::print(
          "cosine of the sum of words with the row {:.3f} (the mean row alone: {:.3f}), centred {:.3f}; "
          "{:.0f} rows/s\n",
          found.cosine, found.cosine_centre, found.cosine_centred, speed);
    }
  }
}

}  // namespace

void add_decompose(App& app) {
  auto flags = std::make_shared<DecomposeFlags>();
  App* command = add_command(app, "decompose", "Vectors as non-negative sums of a few named ones, without training",
                             flags->common);
  command->add_option("input", flags->input, "Vectors: .npy, .npz, .safetensors, or a run's embeddings")
      ->type_name("EMBEDDINGS|RUN")
      ->required();
  command->add_option("--dictionary", flags->dictionary, "Vectors of words in the same space, a row each")
      ->type_name("WORDS.npy")
      ->required();
  command->add_option("--vocabulary", flags->vocabulary, "Their names, a line each")
      ->type_name("WORDS.txt")
      ->required();
  Option* active =
      command
          ->add_option("--active", flags->active, "Words of each row: the lasso whose penalty leaves no more of them")
          ->check(between(1, INT32_MAX))
          ->type_name("K")
          ->capture_default_str();
  command->add_option("--lambda", flags->lambda, "One penalty for all rows instead: |sum - row|^2 + lambda * weights")
      ->check(above_zero())
      ->type_name("X")
      ->excludes(active);
  Option* no_centre = command->add_flag("--no-centre", flags->no_centre,
                                        "Do not take the mean off rows and words (signs and scales stay as they are)");
  command->add_option("--centre-from", flags->centre_from, "Take off the mean of these vectors instead of the input's")
      ->type_name("EMBEDDINGS|RUN")
      ->excludes(no_centre);
  command->add_option("--ids", flags->ids, "What the rows are called, a line each; kept with the output")
      ->type_name("FILE");
  command->add_flag("--not-itself", flags->not_itself, "No row may use the word that is its own id");
  command->add_option("-o,--output", flags->output, "The code, with the words as names of its columns")
      ->type_name("FILE")
      ->required();
  command->add_flag("--json", flags->json, "Print one JSON document");
  command->add_flag("--overwrite", flags->overwrite, "Replace the file if it exists");
  command->callback([flags, active] {
    flags->active_given = active->count() > 0;
    run(*flags);
  });
}

}  // namespace orthant::cli
