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

}  // namespace

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
