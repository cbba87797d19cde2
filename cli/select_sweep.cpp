#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/frame/progress.h"
#include "cli/look_inputs.h"
#include "cli/select.h"
#include "orthant/core/error.h"
#include "orthant/core/importance.h"
#include "orthant/core/version.h"
#include "orthant/fit/logistic.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/measure/listing.h"
#include "orthant/measure/official_retrieval.h"
#include "orthant/select/sweep.h"

namespace orthant::cli {
namespace {

using Json = nlohmann::ordered_json;

void check_flags(const SelectFlags& flags) {
  check(flags.train.empty() || flags.train.size() == flags.embeddings.size(),
        "[--train] expected a file for each of the ", flags.embeddings.size(), " files of embeddings, got ",
        flags.train.size());
  check(flags.apply.empty() && flags.rank_from.empty() && !flags.renormalise,
        "[--sweep] expected none of --apply, --rank-from and --renormalise; --train says what to rank on");
  if (!flags.output.empty()) refuse_existing(flags.output, flags.overwrite);
}

// The paper's table, the learned order where there is one, and what was asked for besides.
std::vector<select::RankingOptions> rankings(const SelectFlags& flags, bool learned) {
  std::vector<select::RankingOptions> list = {
      {.by = "random", .seed = flags.common.seed}, {.rank = "raw"}, {.rank = "relu"}};
  if (learned) list.push_back({.by = "importance"});
  const bool there =
      flags.by == "random" || flags.by == "importance" || (flags.by == "activation" && flags.rank != "abs");
  if (flags.ranking_given && !there) list.push_back({.by = flags.by, .rank = flags.rank});
  return list;
}

Json identifiers(const SelectFlags& flags) {
  Json list = {select::kRankingIdentifier, measure::listed("knn-accuracy").identifier(),
               measure::listed("retrieval").identifier()};
  if (!flags.train.empty()) list.push_back(fit::kLogisticIdentifier);
  if (flags.definition == "official") list.push_back(measure::listed("retrieval-official").identifier());
  return list;
}

Json spread_json(const select::Spread& spread) { return {{"mean", spread.mean}, {"std", spread.deviation}}; }

Json point_json(const select::SweepPoint& point, bool probed) {
  return {{"by", point.by},
          {"rank", point.rank.empty() ? Json() : Json(point.rank)},
          {"kept", point.kept},
          {"draws", point.draws},
          {"probe", probed ? spread_json(point.probe) : Json()},
          {"probe_top5", probed ? spread_json(point.probe_top5) : Json()},
          {"probe_unconverged", probed ? Json(point.unconverged) : Json()},
          {"knn_accuracy", spread_json(point.knn)},
          {"precision_at_10", spread_json(point.precision)},
          {"map_at_10", spread_json(point.average_precision)}};
}

// What the official code would print: its own ranking, on the rows that are judged, at its own numbers of features.
Json official_json(const Embeddings& test, int threads) {
  Json curve = Json::array();
  for (const auto& point : measure::official_retrieval(test, test.labels, {.threads = threads})) {
    curve.push_back({{"kept", point.columns}, {"precision_at_10", point.precision}});
  }
  return curve;
}

Json sweep_file(const SelectFlags& flags, size_t index) {
  const std::string& path = flags.embeddings[index];
  const Embeddings test = read_selected(flags, path);
  std::optional<Embeddings> train;
  if (!flags.train.empty()) train = io::read_embeddings(embeddings_path(flags.train[index], "train"));
  const std::vector<float> importance = importance_of(train ? *train : test);
  if (flags.by == "importance") check_importance(importance, train ? flags.train[index] : path);
  Progress progress(flags.common.quiet);
  const select::Sweep sweep = select::sweep(train ? &*train : nullptr, test,
                                            {.keep = flags.keep,
                                             .rankings = rankings(flags, !importance.empty()),
                                             .seeds = flags.seeds,
                                             .probe_relu = flags.probe_relu,
                                             .l2 = flags.l2,
                                             .iterations = flags.iterations,
                                             .neighbours = flags.neighbours,
                                             .threads = flags.common.threads,
                                             .progress = [&](int64_t done, int64_t total) {
                                               progress.update({"select", done, total, "selections"});
                                             }});
  Json file = {
      {"embeddings", path},         {"train", train ? Json(flags.train[index]) : Json()}, {"rows", test.rows()},
      {"features", sweep.features}, {"l2", sweep.probed ? Json(sweep.l2) : Json()},       {"points", Json::array()}};
  for (const auto& point : sweep.points) file["points"].push_back(point_json(point, sweep.probed));
  if (flags.definition == "official") file["official_retrieval"] = official_json(test, flags.common.threads);
  return file;
}

std::string cell(const Json& spread, bool spreads) {
  if (spread.is_null()) return "-";
  const std::string mean = fmt::format("{:.2f}", 100 * spread["mean"].get<double>());
  return spreads ? fmt::format("{} ± {:.2f}", mean, 100 * spread["std"].get<double>()) : mean;
}

std::string ranking_name(const Json& point) {
  std::string name = point["by"].get<std::string>();
  if (!point["rank"].is_null()) name += " " + point["rank"].get<std::string>();
  return name;
}

// Names the selections whose probe did not converge, if there are any.
void warn_of_unconverged(const Json& file) {
  std::string list;
  for (const Json& point : file["points"]) {
    if (point["probe_unconverged"].is_null() || point["probe_unconverged"] == 0) continue;
    list +=
        fmt::format("{}{} {} ({} of {})", list.empty() ? "" : ", ", ranking_name(point), point["kept"].get<int64_t>(),
                    point["probe_unconverged"].get<int64_t>(), point["draws"].get<int64_t>());
  }
  if (list.empty()) return;
  fmt::print(stderr,
             "orthant: warning: {}: probes that had not converged: {}; --iterations allows more, a larger --l2 helps\n",
             file["embeddings"].get<std::string>(), list);
}

// fmt counts the two bytes of ± as one column, as a terminal does.
void print_file(const Json& file) {
  fmt::print("{}: {} rows, {} features\n", file["embeddings"].get<std::string>(), file["rows"].get<int64_t>(),
             file["features"].get<int64_t>());
  fmt::print("{:<18}{:>6}{:>15}{:>15}{:>15}{:>15}\n", "features by", "kept", "probe %", "k-NN %", "P@10 %", "mAP@10 %");
  for (const Json& point : file["points"]) {
    fmt::print("{:<18}{:>6}", ranking_name(point), point["kept"].get<int64_t>());
    for (const char* key : {"probe", "knn_accuracy", "precision_at_10", "map_at_10"}) {
      fmt::print("{:>15}", cell(point[key], point["draws"].get<int64_t>() > 1));
    }
    fmt::print("\n");
  }
  if (!file.contains("official_retrieval")) return;
  for (const Json& point : file["official_retrieval"]) {
    fmt::print("{:<18}{:>6}{:>45.2f}\n", "official", point["kept"].get<int64_t>(),
               100 * point["precision_at_10"].get<double>());
  }
}

}  // namespace

void run_select_sweep(const SelectFlags& flags) {
  check_flags(flags);
  Json document = {{"format", "orthant.selection.1"},
                   {"version", version()},
                   {"measures", identifiers(flags)},
                   {"parameters",
                    {{"seed", flags.common.seed},
                     {"seeds", flags.seeds},
                     {"probe_relu", flags.probe_relu},
                     {"iterations", flags.iterations},
                     {"neighbours", flags.neighbours},
                     {"definition", flags.definition}}},
                   {"files", Json::array()}};
  for (size_t i = 0; i < flags.embeddings.size(); ++i) {
    document["files"].push_back(sweep_file(flags, i));
    if (!flags.json) print_file(document["files"].back());
    warn_of_unconverged(document["files"].back());
  }
  const std::string text = document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  if (!flags.output.empty()) io::write_file(flags.output, text);
  if (flags.json) fmt::print("{}", text);
}

}  // namespace orthant::cli
