#include <fmt/format.h>

#include "orthant/exchange/bulk.h"
#include "orthant/exchange/feature_keys.h"
#include "orthant/exchange/shipment.h"

namespace orthant::exchange {
namespace {

std::vector<std::string> write(const Shipment& shipment, const AtomicFolder& folder) {
  folder.write("index.json", index_body(R"({"type": "sparse_vector", "index_options": {"prune": false}})"));
  const int64_t files = write_bulk(shipment, folder);
  folder.write("query.json", search_body(fmt::format("{{\"sparse_vector\": {{\"field\": \"features\", "
                                                     "\"query_vector\": {}, \"prune\": false}}}}",
                                                     first_weights(shipment))));
  write_bulk_script(shipment, folder, "Elasticsearch");
  write_bulk_readme(
      shipment, folder,
      {.program = "Elasticsearch",
       .files = files,
       .index = ". It turns pruning off: by default new indices leave frequent features of a weight\n"
                "  below 0.4 out of a query, which for features between 0 and 1 is most of them.\n"
                "  (Before 8.19 and 9.1 there is no pruning by default, and `index_options` is to be taken out.)",
       .query = ", also without pruning. The score is the inner product; `rank_feature`\n"
                "  queries with saturation, which some clients make, are not.",
       .besides = "",
       .features = "their names, with `_` for `.`, which it does not take (`features.csv`)."});
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
