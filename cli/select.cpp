#include "cli/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/frame/terminal_text.h"
#include "cli/look_inputs.h"
#include "cli/naming/feature_names.h"
#include "orthant/core/error.h"
#include "orthant/core/importance.h"
#include "orthant/core/version.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/labels_file.h"
#include "orthant/select/ranking.h"
#include "orthant/select/selection.h"
#include "orthant/select/shortened_run.h"

namespace orthant::cli {
namespace {

// Before the work rather than after it.
void check_flags(const SelectFlags& flags) {
  check(flags.embeddings.size() == 1, "[select] expected one file of embeddings without --sweep, got ",
        flags.embeddings.size());
  check(flags.keep.size() == 1, "[select] expected --keep with one number of features, got ", flags.keep.size());
  check(!flags.output.empty(), "[select] expected -o FILE, or -o RUN with --apply, got none");
  check(flags.train.empty(), "[select] expected --train with --sweep only; --rank-from ranks on another file");
  if (!flags.apply.empty()) return refuse_run(flags.output, flags.overwrite, "--overwrite replaces it");
  refuse_existing(flags.output, flags.overwrite);
  const std::string extension = std::filesystem::path(flags.output).extension();
  check(io::is_embeddings_ending(extension), "[", flags.output, "] expected a name that ends with ",
        io::kEmbeddingsEndings, ", got ", extension.empty() ? "none" : extension);
}

// Of these columns; none if none has a name.
std::vector<std::string> kept_names(const std::vector<std::string>& names, std::span<const int64_t> columns) {
  std::vector<std::string> kept;
  for (const int64_t j : columns) kept.push_back(names[static_cast<size_t>(j)]);
  return std::ranges::all_of(kept, &std::string::empty) ? std::vector<std::string>() : kept;
}

// Which features come first, where some of them have names.
void tell_first(const std::vector<int64_t>& features, const std::vector<std::string>& names) {
  constexpr size_t kMost = 8;
  if (names.empty()) return;
  std::string line;
  for (size_t k = 0; k < std::min(kMost, features.size()); ++k) {
    line += fmt::format("{}{}{}{}", k > 0 ? ", " : "", features[k], names[k].empty() ? "" : " ", names[k]);
  }
  fmt::print(stderr, "{}: {}{}\n", features.size() > kMost ? "the first" : "features", terminal_text(line),
             features.size() > kMost ? ", ..." : "");
}

void run_selection(const SelectFlags& flags) {
  check_flags(flags);
  const std::string& source = flags.embeddings.front();
  const int64_t keep = flags.keep.front();
  const Embeddings embeddings = read_selected(flags, source);
  check(keep <= embeddings.cols(), "[", source, "] expected at least ", keep, " features to keep, got ",
        embeddings.cols());
  Embeddings other;
  if (!flags.rank_from.empty()) {
    other = io::read_embeddings(embeddings_path(flags.rank_from, "train"));
    check(other.cols() == embeddings.cols(), "[", flags.rank_from, "] expected ", embeddings.cols(),
          " features to rank, as in ", source, ", got ", other.cols());
  }
  const Embeddings& ranked = flags.rank_from.empty() ? embeddings : other;
  const bool learned = flags.by == "importance";
  const std::vector<float> importance = learned ? importance_of(ranked) : std::vector<float>();
  if (learned) check_importance(importance, flags.rank_from.empty() ? source : flags.rank_from);
  const select::Ranking ranking = select::rank_features(ranked, ranked.labels,
                                                        {.by = flags.by,
                                                         .rank = flags.rank,
                                                         .seed = flags.common.seed,
                                                         .importance = importance,
                                                         .threads = flags.common.threads});
  const std::span<const int64_t> columns = std::span(ranking.order).first(static_cast<size_t>(keep));
  const std::vector<int64_t> original = select::original_features(embeddings);
  std::vector<int64_t> features;
  for (const int64_t j : columns) features.push_back(original[static_cast<size_t>(j)]);

  const FeatureNames names = feature_names(source, embeddings);
  if (!flags.apply.empty()) {
    const auto layer = embeddings.how.find("layer");
    check(layer == embeddings.how.end() || layer->second == "projector", "[", source,
          "] expected embeddings of the projector to shorten it by, got those of the ",
          layer == embeddings.how.end() ? "" : layer->second);
    const int64_t of = embeddings.how.contains("features") ? 0 : embeddings.cols();
    select::write_shortened_run(flags.apply, flags.output, {features, of}, flags.overwrite);
  } else {
    Embeddings kept = select::select_features(embeddings, columns, {.renormalise = flags.renormalise});
    kept.feature_names = kept_names(names.given, columns);
    kept.how["selected_by"] = flags.by == "activation" ? flags.by + " " + flags.rank : flags.by;
    kept.how["ranked_on"] = flags.rank_from.empty() ? source : flags.rank_from;
    io::write_embeddings(flags.output, kept);
  }

  if (flags.json) {
    nlohmann::ordered_json scores = nlohmann::ordered_json::array();
    for (const int64_t j : columns) scores.push_back(ranking.scores[static_cast<size_t>(j)]);
    const nlohmann::ordered_json report = {
        {"source", source},
        {"ranked_on", flags.rank_from.empty() ? source : flags.rank_from},
        {"by", flags.by},
        {"rank", flags.by == "activation" ? nlohmann::ordered_json(flags.rank) : nlohmann::ordered_json()},
        {"seed", flags.common.seed},
        {"kept", keep},
        {"of", embeddings.cols()},
        {"features", features},
        {"names", kept_names(names.shown, columns)},
        {"scores", scores},
        {"output", flags.output},
        {"version", version()}};
    fmt::print("{}\n", report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else if (!flags.common.quiet) {
    fmt::print(stderr, "{}: {} of {} features by {}\n", flags.output, keep, embeddings.cols(),
               flags.by == "activation" ? flags.by + " (" + flags.rank + ")" : flags.by);
    tell_first(features, kept_names(names.shown, columns));
  }
}

void add_sweep_flags(App* command, SelectFlags& flags) {
  const char* group = "Sweep";
  command->add_flag("--sweep", flags.sweep, "Probe, k-NN and retrieval against the number of kept features")
      ->group(group);
  command
      ->add_option("--train", flags.train,
                   "Training embeddings, or runs, one for each: rank, probe and look for neighbours there")
      ->type_name("FILE|RUN ...")
      ->group(group);
  command->add_option("--seeds", flags.seeds, "Draws of random selection; mean and standard deviation")
      ->check(between(1, 1000))
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
  command->add_flag("--probe-relu", flags.probe_relu, "The probe sees max(x, 0)")->group(group);
  command->add_option("--l2", flags.l2, "Strength of the probe's penalty; default: chosen on held-out training rows")
      ->check(not_negative())
      ->type_name("X")
      ->group(group);
  command->add_option("--iterations", flags.iterations, "Iterations of a probe's fit, at most")
      ->check(between(1, 1'000'000))
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
  command->add_option("--neighbours", flags.neighbours, "Neighbours that vote in k-NN")
      ->check(between(1, 100'000))
      ->type_name("K")
      ->capture_default_str()
      ->group(group);
  command->add_option("--definition", flags.definition, "official adds the official code's retrieval curve")
      ->check(one_of({"paper", "official"}))
      ->capture_default_str()
      ->group(group);
}

}  // namespace

void check_importance(const std::vector<float>& importance, const std::string& path) {
  check(!importance.empty(), "[", path,
        "] expected features whose importance was learned, got others; 'orthant pretrain --importance learned' makes "
        "such, --by activation ranks any");
}

Embeddings read_selected(const SelectFlags& flags, const std::string& path) {
  Embeddings embeddings = io::read_embeddings(embeddings_path(path));
  if (flags.labels.empty()) return embeddings;
  io::NamedLabels given = io::read_labels(flags.labels);
  check(std::ssize(given.labels) == embeddings.rows(), "[", flags.labels, "] expected a label for each of the ",
        embeddings.rows(), " rows of ", path, ", got ", given.labels.size());
  embeddings.labels = std::move(given.labels);
  embeddings.class_names = std::move(given.names);
  return embeddings;
}

void add_select(App& app) {
  auto flags = std::make_shared<SelectFlags>();
  App* command =
      add_command(app, "select", "Keep the features that matter: shorter embeddings, a shorter model", flags->common);
  command->add_option("embeddings", flags->embeddings, "Embeddings, or a run (its test split); several with --sweep")
      ->required()
      ->type_name("FILE|RUN");
  command
      ->add_option("--labels", flags->labels, "Classes: integer .npy, or text with one per line (default: the file's)")
      ->type_name("FILE");
  command->add_option("--keep", flags->keep, "Features to keep; with --sweep a list (8,16,32,... if not given)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(between(1, INT32_MAX))
      ->type_name("N");
  Option* by =
      command
          ->add_option("--by", flags->by,
                       "activation, variance, consistency, consistency_top, importance (as it was learned) or random")
          ->check(one_of(select::ranking_names()))
          ->capture_default_str();
  Option* rank = command->add_option("--rank", flags->rank, "Activation of max(x, 0), |x| or x: relu, abs, raw")
                     ->check(one_of(select::rank_modes()))
                     ->capture_default_str();
  command
      ->add_option("--rank-from", flags->rank_from,
                   "Rank on these embeddings, or a run's training split, instead: choose on training data what is "
                   "tested on other data")
      ->type_name("FILE|RUN");
  command->add_flag("--renormalise", flags->renormalise, "Scale the rows that remain to unit length");
  command->add_option("--apply", flags->apply, "Shorten this run's model; -o names the new run")->type_name("RUN");
  add_sweep_flags(command, *flags);
  command->add_option("-o,--output", flags->output, "Embeddings, a run with --apply, selection.json with --sweep")
      ->type_name("FILE|RUN");
  command->add_flag("--json", flags->json, "Print one JSON document");
  command->add_flag("--overwrite", flags->overwrite, "Replace what exists");
  command->callback([flags, by, rank] {
    flags->ranking_given = by->count() + rank->count() > 0;
    flags->sweep ? run_select_sweep(*flags) : run_selection(*flags);
  });
}

}  // namespace orthant::cli
