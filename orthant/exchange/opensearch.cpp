#include <fmt/format.h>

#include "orthant/core/error.h"
#include "orthant/exchange/bulk.h"
#include "orthant/exchange/feature_keys.h"
#include "orthant/exchange/records.h"
#include "orthant/exchange/shipment.h"
#include "orthant/exchange/text.h"

namespace orthant::exchange {
namespace {

// The approximate index folds features together beyond this number.
constexpr int64_t kMostApproximate = 32'768;

constexpr const char* kExact = R"({
  "mappings": {
    "dynamic": false,
    "properties": {
      "row": {"type": "long"},
      "id": {"type": "keyword"},
      "label": {"type": "keyword"},
      "features": {"type": "rank_features"}
    }
  }
}
)";

constexpr const char* kApproximate = R"({{
  "settings": {{"index": {{"sparse": true}}}},
  "mappings": {{
    "dynamic": false,
    "properties": {{
      "row": {{"type": "long"}},
      "id": {{"type": "keyword"}},
      "label": {{"type": "keyword"}},
      "features": {{
        "type": "sparse_vector",
        "method": {{
          "name": "seismic",
          "parameters": {{"quantization_ceiling_ingest": {0}, "quantization_ceiling_search": {0}}}
        }}
      }}
    }}
  }}
}}
)";

std::string query_body(const std::string& tokens, const std::string& more) {
  return fmt::format(
      "{{\"size\": 10, \"_source\": {{\"excludes\": [\"features\"]}}, \"query\": {{\"neural_sparse\": {{\"features\": "
      "{{\"query_tokens\": {}{}}}}}}}}}\n",
      tokens, more);
}

std::vector<std::string> write(const Shipment& shipment, const AtomicFolder& folder) {
  folder.write("index.json", kExact);
  const int64_t files = write_bulk(shipment, folder);
  const std::vector<Entry> query =
      shipment.questions.empty() ? std::vector<Entry>() : shipment.row(shipment.questions.front().row);
  const std::string tokens = weights_json(query, shipment.feature_keys);
  folder.write("query.json", query_body(tokens, ""));
  const bool approximate = shipment.cols() <= kMostApproximate && shipment.survey.largest > 0;
  std::string words =
      fmt::format("There is no index for approximate search: it folds features beyond {} together.", kMostApproximate);
  if (approximate) {
    std::string largest;
    append_number(largest, shipment.survey.largest);
    folder.write("index-ann.json", fmt::format(kApproximate, largest));
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
  folder.write(
      "README.md",
      fmt::format(
          "# {} items for OpenSearch\n\n"
          "`./load.sh [http://localhost:9200]` makes the index `{}`, sends the items and asks the first question of\n"
          "`expected.json`. By hand:\n\n"
          "- `index.json`: body of `PUT /{}`: `rank_features`, every match is scored by the inner product\n"
          "- `bulk-00000.ndjson`, ... ({} in all): bodies of `POST /_bulk`\n"
          "- `query.json`: body of `POST /{}/_search`\n\n{}\n\n"
          "OpenSearch keeps 9 significant bits of a weight, so scores are off by up to 0.4 %. Features are called by "
          "their\n"
          "numbers, as approximate search demands (`features.csv` has their names).\n{}",
          shipment.rows(), shipment.name, shipment.name, files, shipment.name, words, tables_text(shipment)));
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
