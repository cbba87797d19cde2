#pragma once

#include <cstdint>
#include <string>

#include "orthant/exchange/shipment.h"

namespace orthant::exchange {

// The bodies of _bulk requests that Elasticsearch and OpenSearch share, bulk-00000.ndjson and so on: for each item a
// line that says where it goes and a line with its fields. Gives the number of files.
int64_t write_bulk(const Shipment& shipment, const AtomicFolder& folder);

// Body that makes an index: the fields of an item, `features` as this JSON says, after `before`, members of the body.
std::string index_body(const std::string& features, const std::string& before = "");

// Body of a search by a query in JSON: ten items, without their features.
std::string search_body(const std::string& query);

// The weights of the first question as a JSON object; of no question, an empty one.
std::string first_weights(const Shipment& shipment);

// README.md of both: what to do with which file.
struct BulkWords {
  const char* program;
  int64_t files = 0;     // of items
  std::string index;     // goes on after "body of `PUT /name`"
  std::string query;     // goes on after "body of `POST /name/_search`"
  std::string besides;   // paragraphs of its own; empty: none
  std::string features;  // what features are called
};
void write_bulk_readme(const Shipment& shipment, const AtomicFolder& folder, const BulkWords& words);

// load.sh for both: makes the index of index.json, sends the items, asks query.json.
void write_bulk_script(const Shipment& shipment, const AtomicFolder& folder, const char* program);

}  // namespace orthant::exchange
