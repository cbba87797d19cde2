#include <fmt/format.h>

#include "orthant/exchange/bulk.h"
#include "orthant/exchange/feature_keys.h"
#include "orthant/exchange/records.h"
#include "orthant/exchange/shipment.h"

namespace orthant::exchange {
namespace {

constexpr const char* kIndex = R"({
  "mappings": {
    "dynamic": false,
    "properties": {
      "row": {"type": "long"},
      "id": {"type": "keyword"},
      "label": {"type": "keyword"},
      "features": {"type": "sparse_vector", "index_options": {"prune": false}}
    }
  }
}
)";

std::vector<std::string> write(const Shipment& shipment, const AtomicFolder& folder) {
  folder.write("index.json", kIndex);
  const int64_t files = write_bulk(shipment, folder);
  const std::vector<Entry> query =
      shipment.questions.empty() ? std::vector<Entry>() : shipment.row(shipment.questions.front().row);
  folder.write(
      "query.json",
      fmt::format("{{\"size\": 10, \"_source\": {{\"excludes\": [\"features\"]}}, \"query\": {{\"sparse_vector\": "
                  "{{\"field\": \"features\", \"query_vector\": {}, \"prune\": false}}}}}}\n",
                  weights_json(query, shipment.feature_keys)));
  write_bulk_script(shipment, folder, "Elasticsearch");
  folder.write(
      "README.md",
      fmt::format(
          "# {} items for Elasticsearch\n\n"
          "`./load.sh [http://localhost:9200]` makes the index `{}`, sends the items and asks the first question of\n"
          "`expected.json`. By hand:\n\n"
          "- `index.json`: body of `PUT /{}`. It turns pruning off: by default new indices leave frequent features of "
          "a weight\n"
          "  below 0.4 out of a query, which for features between 0 and 1 is most of them.\n"
          "  (Before 8.19 and 9.1 there is no pruning by default, and `index_options` is to be taken out.)\n"
          "- `bulk-00000.ndjson`, ... ({} in all): bodies of `POST /_bulk`\n"
          "- `query.json`: body of `POST /{}/_search`, also without pruning. The score is the inner product; "
          "`rank_feature`\n"
          "  queries with saturation, which some clients make, are not.\n\n"
          "Elasticsearch keeps 9 significant bits of a weight, so scores are off by up to 0.4 %. Features are called "
          "by\n"
          "their names, with `_` for `.`, which it does not take (`features.csv`).\n{}",
          shipment.rows(), shipment.name, shipment.name, files, shipment.name, tables_text(shipment)));
  return {};
}

std::vector<std::string> keys(const Embeddings& embeddings) { return feature_keys(embeddings, {.dots = false}); }

}  // namespace

const Target kElasticsearch = {.name = "elasticsearch",
                               .what = "Elasticsearch's _bulk requests, with the index",
                               .demands = {.positive = true, .max_id_bytes = 512},
                               .feature_keys = keys,
                               .write = write};

}  // namespace orthant::exchange
