#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/find/hits.h"
#include "orthant/core/version.h"
#include "orthant/io/atomic_file.h"

namespace orthant::cli {
namespace {

using Json = nlohmann::ordered_json;

// A cell of a table: what would end it is written as \t, \n, \r.
std::string cell(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c == '\t')
      plain += "\\t";
    else if (c == '\n')
      plain += "\\n";
    else if (c == '\r')
      plain += "\\r";
    else
      plain += c;
  }
  return plain;
}

Json hit_json(const Hits& hits, const index::Query& query, const index::Hit& hit, bool explain) {
  Json json = {{"id", hits.index.id(hit.item)}, {"class", nullptr}, {"score", hit.score}};
  const std::string kind = class_name(hits.index, hit.item);
  if (!kind.empty()) json["class"] = kind;
  if (!explain) return json;
  json["features"] = Json::array();
  const auto& names = hits.index.directory().feature_names;
  for (const auto& part : contributions(hits.index, query, hit.item)) {
    Json feature = {{"feature", part.feature}};
    if (!names.empty() && !names[static_cast<size_t>(part.feature)].empty())
      feature["name"] = names[static_cast<size_t>(part.feature)];
    feature["weight"] = part.weight;
    feature["value"] = part.value;
    feature["contribution"] = part.share;
    json["features"].push_back(std::move(feature));
  }
  return json;
}

}  // namespace

std::string hits_json(const Hits& hits, const SearchFlags& flags) {
  index::Work work;
  for (const index::Found& found : hits.found) work += found.work;
  Json json = {{"format", "orthant.hits.1"},
               {"index", flags.index},
               {"items", hits.index.size()},
               {"allowed", hits.allowed},
               {"metric", hits.index.metric() == index::Metric::cosine ? "cosine" : "dot"},
               {"exact", hits.plan.blocks == 0},
               {"recall_promised", hits.plan.promised},
               {"recall_measured", hits.plan.measured},
               {"how", how_found(hits, flags)},
               {"work",
                {{"windows", work.windows},
                 {"list_entries", work.postings},
                 {"blocks_read", work.blocks},
                 {"blocks_ruled_out", work.passed_by}}},
               {"queries", Json::array()},
               {"version", version()}};
  for (size_t q = 0; q < hits.queries.size(); ++q) {
    Json all = Json::array();
    for (const index::Hit& hit : hits.found[q].hits)
      all.push_back(hit_json(hits, hits.queries[q].query, hit, flags.explain));
    json["queries"].push_back({{"query", hits.queries[q].name}, {"hits", std::move(all)}});
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void check_hits_file(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension();
  if (ending != ".tsv" && ending != ".json")
    throw Misuse("search: expected -o with a name that ends with .tsv or .json, got " + path);
}

void write_hits(const Hits& hits, const SearchFlags& flags) {
  if (std::filesystem::path(flags.output).extension() == ".json")
    return io::write_file(flags.output, hits_json(hits, flags));
  io::AtomicFile file(flags.output);
  file.write("query\trank\tid\tclass\tscore\n");
  for (size_t q = 0; q < hits.queries.size(); ++q) {
    int64_t rank = 0;
    for (const index::Hit& hit : hits.found[q].hits) {
      file.write(fmt::format("{}\t{}\t{}\t{}\t{}\n", cell(hits.queries[q].name), ++rank, cell(hits.index.id(hit.item)),
                             cell(class_name(hits.index, hit.item)), static_cast<float>(hit.score)));
    }
  }
  file.commit();
}

}  // namespace orthant::cli
