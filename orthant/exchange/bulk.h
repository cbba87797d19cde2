#pragma once

#include <cstdint>

#include "orthant/exchange/shipment.h"

namespace orthant::exchange {

// The bodies of _bulk requests that Elasticsearch and OpenSearch share, bulk-00000.ndjson and so on: for each item a
// line that says where it goes and a line with its fields. Gives the number of files.
int64_t write_bulk(const Shipment& shipment, const AtomicFolder& folder);

// load.sh for both: makes the index of index.json, sends the items, asks query.json.
void write_bulk_script(const Shipment& shipment, const AtomicFolder& folder, const char* program);

}  // namespace orthant::exchange
