#include <fmt/format.h>

#include "orthant/core/error.h"
#include "orthant/exchange/bulk.h"
#include "orthant/exchange/feature_keys.h"
#include "orthant/exchange/shipment.h"
#include "orthant/exchange/text.h"

namespace orthant::exchange {
namespace {

// The approximate index folds features together beyond this number.
constexpr int64_t kMostApproximate = 32'768;

// With the largest weight as the ceiling of quantisation.
constexpr const char* kApproximate = R"({{
        "type": "sparse_vector",
        "method": {{
          "name": "seismic",
          "parameters": {{"quantization_ceiling_ingest": {0}, "quantization_ceiling_search": {0}}}
        }}
      }})";

std::string query_body(const std::string& tokens, const std::string& more) {
  return search_body(fmt::format("{{\"neural_sparse\": {{\"features\": {{\"query_tokens\": {}{}}}}}}}", tokens, more));
}

std::vector<std::string> write(const Shipment& shipment, const AtomicFolder& folder) {
  folder.write("index.json", index_body(R"({"type": "rank_features"})"));
  const int64_t files = write_bulk(shipment, folder);
  const std::string tokens = first_weights(shipment);
  folder.write("query.json", query_body(tokens, ""));
  const bool approximate = shipment.cols() <= kMostApproximate && shipment.survey.largest > 0;
  std::string words =
      fmt::format("There is no index for approximate search: it folds features beyond {} together.", kMostApproximate);
  if (approximate) {
    std::string largest;
    append_number(largest, shipment.survey.largest);
    folder.write("index-ann.json",
                 index_body(fmt::format(kApproximate, largest), "\n  \"settings\": {\"index\": {\"sparse\": true}},"));
    folder.write(
        "query-ann.json",
        query_body(tokens, fmt::format(", \"method_parameters\": {{\"k\": 10, \"top_n\": {}, \"heap_factor\": 1.0}}",
                                       std::max<int64_t>(shipment.survey.longest, 1))));
    words = fmt::format(
        "For approximate search in segments of a million items and more (OpenSearch 3.3 or newer):\n"
        "`./load.sh http://localhost:9200 index-ann.json`, and `query-ann.json`. It keeps a weight as one of 256 steps "
        "up to a\n"
        "ceiling, which is set to the largest weight there is, {}: with the default of 16, weights up to 1 would share "
        "17\n"
        "steps. `top_n` is set to all features of a query; by default only ten count.",
        largest);
  }
  write_bulk_script(shipment, folder, "OpenSearch");
  write_bulk_readme(shipment, folder,
                    {.program = "OpenSearch",
                     .files = files,
                     .index = ": `rank_features`, every match is scored by the inner product",
                     .query = "",
                     .besides = words,
                     .features = "their numbers, as approximate search demands (`features.csv` has their names)."});
  if (approximate) return {};
  return {"no index for approximate search: see README.md"};
}

std::vector<std::string> keys(const Embeddings& embeddings) { return feature_numbers(embeddings.cols()); }

}  // namespace

const Target kOpensearch = {.name = "opensearch",
                            .what = "OpenSearch's _bulk requests, with the index",
                            .demands = {.positive = true, .max_id_bytes = 512},
                            .feature_keys = keys,
                            .write = write};

}  // namespace orthant::exchange
