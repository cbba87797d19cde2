#include "orthant/exchange/bulk.h"

#include <fmt/format.h>

#include "orthant/exchange/parts.h"
#include "orthant/exchange/records.h"
#include "orthant/exchange/text.h"

namespace orthant::exchange {
namespace {

constexpr const char* kLoad = R"sh(#!/bin/sh
# Loads this folder into {1}: ./load.sh [http://localhost:9200] [index.json]
set -eu
url=${{1:-http://localhost:9200}}
index=${{2:-index.json}}
cd "$(dirname "$0")"
curl -fsS -X PUT "$url/{0}" -H 'Content-Type: application/json' --data-binary "@$index"; echo
for part in bulk-*.ndjson; do
  answer=$(curl -fsS -X POST "$url/_bulk?filter_path=errors,items.*.error" -H 'Content-Type: application/x-ndjson' \
    --data-binary "@$part")
  case $answer in *'"errors":false'*) echo "$part" ;; *) echo "$answer" >&2; exit 1 ;; esac
done
curl -fsS -X POST "$url/{0}/_refresh"; echo
curl -fsS -X POST "$url/{0}/_search" -H 'Content-Type: application/json' --data-binary @query.json; echo
)sh";

constexpr const char* kReadme =
    "# {1} items for {0}\n\n"
    "`./load.sh [http://localhost:9200]` makes the index `{2}`, sends the items and asks the first question of\n"
    "`expected.json`. By hand:\n\n"
    "- `index.json`: body of `PUT /{2}`{4}\n"
    "- `bulk-00000.ndjson`, ... ({3} in all): bodies of `POST /_bulk`\n"
    "- `query.json`: body of `POST /{2}/_search`{5}\n\n{6}"
    "{0} keeps 9 significant bits of a weight, so scores are off by up to 0.4 %. Features are called by\n{7}\n{8}";

}  // namespace

std::string index_body(const std::string& features, const std::string& before) {
  return fmt::format(R"({{{}
  "mappings": {{
    "dynamic": false,
    "properties": {{
      "row": {{"type": "long"}},
      "id": {{"type": "keyword"}},
      "label": {{"type": "keyword"}},
      "features": {}
    }}
  }}
}}
)",
                     before, features);
}

std::string search_body(const std::string& query) {
  return fmt::format("{{\"size\": 10, \"_source\": {{\"excludes\": [\"features\"]}}, \"query\": {}}}\n", query);
}

std::string first_weights(const Shipment& shipment) {
  const std::vector<Entry> query =
      shipment.questions.empty() ? std::vector<Entry>() : shipment.row(shipment.questions.front().row);
  return weights_json(query, shipment.feature_keys);
}

void write_bulk_readme(const Shipment& shipment, const AtomicFolder& folder, const BulkWords& words) {
  folder.write("README.md", fmt::format(kReadme, words.program, shipment.rows(), shipment.name, words.files,
                                        words.index, words.query, words.besides.empty() ? "" : words.besides + "\n\n",
                                        words.features, tables_text(shipment)));
}

int64_t write_bulk(const Shipment& shipment, const AtomicFolder& folder) {
  Parts parts(folder, "bulk", ".ndjson", {"", "", ""});
  for (int64_t i = 0; i < shipment.rows(); ++i) {
    shipment.progress(i);
    std::string key;
    append_json(key, shipment.items.text(i));
    parts.add(fmt::format("{{\"index\": {{\"_index\": \"{}\", \"_id\": {}}}}}\n{{\"row\": {}{}, \"features\": {}}}\n",
                          shipment.name, key, i, about_json(shipment, i),
                          weights_json(shipment.row(i), shipment.feature_keys)));
  }
  return parts.finish();
}

void write_bulk_script(const Shipment& shipment, const AtomicFolder& folder, const char* program) {
  folder.write_script("load.sh", fmt::format(kLoad, shipment.name, program));
}

}  // namespace orthant::exchange
