#include <fmt/format.h>

#include "orthant/exchange/feature_keys.h"
#include "orthant/exchange/parts.h"
#include "orthant/exchange/records.h"
#include "orthant/exchange/shipment.h"

namespace orthant::exchange {
namespace {

constexpr const char* kCollection = R"({
  "vectors": {},
  "sparse_vectors": {"features": {"index": {"on_disk": false, "datatype": "float32"}}}
}
)";

constexpr const char* kLoad = R"sh(#!/bin/sh
# Loads this folder into Qdrant: ./load.sh [http://localhost:6333]
set -eu
url=${{1:-http://localhost:6333}}
cd "$(dirname "$0")"
send() {{ curl -fsS -X "$1" "$url/collections/{0}$2" -H 'Content-Type: application/json' --data-binary "@$3"; echo; }}
send PUT "" collection.json
for part in points-*.json; do send PUT "/points?wait=true" "$part"; done
send POST /points/query query.json
)sh";

std::vector<std::string> write(const Shipment& shipment, const AtomicFolder& folder) {
  folder.write("collection.json", kCollection);
  Parts parts(folder, "points", ".json", {"{\"points\": [\n", ",\n", "\n]}\n"});
  for (int64_t i = 0; i < shipment.rows(); ++i) {
    shipment.progress(i);
    const std::string about = about_json(shipment, i);
    parts.add(fmt::format("{{\"id\": {}, \"vector\": {{\"features\": {{{}}}}}, \"payload\": {{\"row\": {}{}}}}}",
                          shipment.items.json_number_or_uuid(i), lists_json(shipment.row(i)), i, about));
  }
  const int64_t files = parts.finish();
  const std::vector<Entry> query =
      shipment.questions.empty() ? std::vector<Entry>() : shipment.row(shipment.questions.front().row);
  folder.write("query.json",
               fmt::format("{{\"query\": {{{}}}, \"using\": \"features\", \"limit\": 10, \"with_payload\": true, "
                           "\"params\": {{\"exact\": true}}}}\n",
                           lists_json(query)));
  folder.write_script("load.sh", fmt::format(kLoad, shipment.name));
  folder.write("README.md",
               fmt::format("# {} items for Qdrant\n\n"
                           "`./load.sh [http://localhost:6333]` makes the collection `{}`, sends the points and asks "
                           "the first question of\n"
                           "`expected.json`. By hand:\n\n"
                           "- `collection.json`: body of `PUT /collections/{}`. The sparse vector `features` keeps "
                           "32-bit values; its score\n"
                           "  is the inner product.\n"
                           "- `points-00000.json`, ... ({} in all): bodies of `PUT /collections/{}/points`, which "
                           "replace points of the same id\n"
                           "- `query.json`: body of `POST /collections/{}/points/query`\n\n"
                           "Points are called by {}.\n{}",
                           shipment.rows(), shipment.name, shipment.name, files, shipment.name, shipment.name,
                           shipment.items.are_numbers()
                               ? "number"
                               : "a UUID made of their id (version 5, name space URL, name \"orthant:\" + id); the id "
                                 "is in the payload",
                           tables_text(shipment)));
  return {};
}

std::vector<std::string> keys(const Embeddings& embeddings) { return feature_numbers(embeddings.cols()); }

}  // namespace

const Target kQdrant = {.name = "qdrant",
                        .what = "Qdrant's points, with the collection",
                        .demands = {},
                        .feature_keys = keys,
                        .write = write};

}  // namespace orthant::exchange
