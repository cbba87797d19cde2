#include <fmt/format.h>

#include "orthant/core/error.h"
#include "orthant/exchange/feature_keys.h"
#include "orthant/exchange/parts.h"
#include "orthant/exchange/records.h"
#include "orthant/exchange/shipment.h"
#include "orthant/exchange/text.h"

namespace orthant::exchange {
namespace {

constexpr int64_t kLongestText = 65'535;  // bytes of a VarChar

constexpr const char* kLoad = R"sh(#!/bin/sh
# Loads this folder into Milvus: ./load.sh [http://localhost:19530]
set -eu
url=${1:-http://localhost:19530}
cd "$(dirname "$0")"
send() {
  answer=$(curl -fsS -X POST "$url/v2/vectordb/$1" -H 'Content-Type: application/json' --data-binary "@$2")
  echo "$answer"
  case $answer in *'"code":0'*) ;; *) exit 1 ;; esac
}
send collections/create collection.json
for part in insert-*.json; do send entities/insert "$part"; done
send entities/search query.json
)sh";

std::string collection(const Shipment& shipment) {
  const std::string key = shipment.items.are_numbers()
                              ? R"("dataType": "Int64")"
                              : fmt::format(R"("dataType": "VarChar", "elementTypeParams": {{"max_length": {}}})",
                                            std::max<int64_t>(shipment.items.longest(), 1));
  return fmt::format(R"({{
  "collectionName": "{}",
  "schema": {{
    "autoID": false,
    "enableDynamicField": false,
    "fields": [
      {{"fieldName": "key", {}, "isPrimary": true}},
      {{"fieldName": "label", "dataType": "VarChar", "elementTypeParams": {{"max_length": {}}}}},
      {{"fieldName": "features", "dataType": "SparseFloatVector"}}
    ]
  }},
  "indexParams": [
    {{"fieldName": "features", "indexName": "features", "metricType": "IP", "indexType": "SPARSE_INVERTED_INDEX"}}
  ]
}}
)",
                     shipment.name, key, kLongestText);
}

std::vector<std::string> write(const Shipment& shipment, const AtomicFolder& folder) {
  folder.write("collection.json", collection(shipment));
  Parts parts(folder, "insert", ".json",
              {"{\"collectionName\": \"" + shipment.name + "\", \"data\": [\n", ",\n", "\n]}\n"});
  for (int64_t i = 0; i < shipment.rows(); ++i) {
    shipment.progress(i);
    const std::vector<Entry> row = shipment.row(i);
    if (row.empty()) continue;
    std::string label;
    append_json(label, shipment.label(i));
    parts.add(fmt::format("{{\"key\": {}, \"label\": {}, \"features\": {}}}", shipment.items.json(i), label,
                          weights_json(row, shipment.feature_keys)));
  }
  const int64_t files = parts.finish();
  const std::vector<Entry> query =
      shipment.questions.empty() ? std::vector<Entry>() : shipment.row(shipment.questions.front().row);
  folder.write(
      "query.json",
      fmt::format("{{\"collectionName\": \"{}\", \"data\": [{}], \"annsField\": \"features\", \"limit\": 10, "
                  "\"outputFields\": [\"key\", \"label\"], \"consistencyLevel\": \"Strong\", \"searchParams\": "
                  "{{\"metricType\": \"IP\", \"params\": {{\"drop_ratio_search\": 0}}}}}}\n",
                  shipment.name, weights_json(query, shipment.feature_keys)));
  folder.write_script("load.sh", kLoad);
  folder.write(
      "README.md",
      fmt::format(
          "# {} items for Milvus\n\n"
          "`./load.sh [http://localhost:19530]` makes the collection `{}`, sends the items and asks the first question "
          "of\n"
          "`expected.json` (wait a few seconds for the last items to be found). By hand, with Milvus 2.5 or newer:\n\n"
          "- `collection.json`: body of `POST /v2/vectordb/collections/create`. Metric IP, inverted lists; nothing is\n"
          "  dropped (`drop_ratio_search` 0), so the search is exact.\n"
          "- `insert-00000.json`, ... ({} in all): bodies of `POST /v2/vectordb/entities/insert`\n"
          "- `query.json`: body of `POST /v2/vectordb/entities/search`\n\n"
          "Items without any feature ({}) are left out: an inner product never finds them, and Milvus refuses empty "
          "vectors.\n{}",
          shipment.rows(), shipment.name, files, shipment.survey.empty_rows, tables_text(shipment)));
  if (shipment.survey.empty_rows == 0) return {};
  return {join(shipment.survey.empty_rows, " items without any feature are left out, which milvus refuses")};
}

std::vector<std::string> keys(const Embeddings& embeddings) { return feature_numbers(embeddings.cols()); }

}  // namespace

const Target kMilvus = {.name = "milvus",
                        .what = "Milvus' entities, with the collection",
                        .demands = {.max_id_bytes = kLongestText},
                        .feature_keys = keys,
                        .write = write};

}  // namespace orthant::exchange
