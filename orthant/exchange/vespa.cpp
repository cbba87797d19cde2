#include <fmt/format.h>

#include "orthant/exchange/feature_keys.h"
#include "orthant/exchange/records.h"
#include "orthant/exchange/shipment.h"
#include "orthant/exchange/text.h"
#include "orthant/io/atomic_file.h"

namespace orthant::exchange {
namespace {

constexpr const char* kSchema = R"(schema {0} {{
    document {0} {{
        field row type long {{
            indexing: attribute | summary
        }}
        field id type string {{
            indexing: attribute | summary
        }}
        field label type string {{
            indexing: attribute | summary
        }}
        field features type tensor<float>(feature{{}}) {{
            indexing: attribute | summary
        }}
    }}
    rank-profile inner_product {{
        inputs {{
            query(q) tensor<float>(feature{{}})
        }}
        first-phase {{
            expression: sum(query(q) * attribute(features))
        }}
    }}
}}
)";

constexpr const char* kServices = R"(<?xml version="1.0" encoding="utf-8" ?>
<services version="1.0">
  <container id="default" version="1.0">
    <search/>
    <document-api/>
  </container>
  <content id="content" version="1.0">
    <min-redundancy>1</min-redundancy>
    <documents>
      <document type="{}" mode="index"/>
    </documents>
    <nodes>
      <node hostalias="node1" distribution-key="0"/>
    </nodes>
  </content>
</services>
)";

// The literal form of a tensor: {{feature:12}:0.5,{feature:40}:1}.
std::string literal(std::span<const Entry> entries) {
  std::string text = "{";
  for (const Entry& entry : entries) {
    if (text.size() > 1) text += ',';
    text += "{feature:";
    append_number(text, entry.column);
    text += "}:";
    append_number(text, entry.value);
  }
  return text + "}";
}

std::vector<std::string> write(const Shipment& shipment, const AtomicFolder& folder) {
  folder.write("app/schemas/" + shipment.name + ".sd", fmt::format(kSchema, shipment.name));
  folder.write("app/services.xml", fmt::format(kServices, shipment.name));
  io::AtomicFile feed(folder.file("feed.jsonl"));
  for (int64_t i = 0; i < shipment.rows(); ++i) {
    shipment.progress(i);
    std::string put;
    append_json(put, fmt::format("id:{}:{}::{}", shipment.name, shipment.name, shipment.items.text(i)));
    feed.write(fmt::format("{{\"put\": {}, \"fields\": {{\"row\": {}{}, \"features\": {{\"cells\": {}}}}}}}\n", put, i,
                           about_json(shipment, i), weights_json(shipment.row(i), shipment.feature_keys)));
  }
  feed.commit();
  const std::vector<Entry> query =
      shipment.questions.empty() ? std::vector<Entry>() : shipment.row(shipment.questions.front().row);
  folder.write(
      "query.json",
      fmt::format(
          "{{\"yql\": \"select row, id, label from {} where true\", \"ranking\": \"inner_product\", \"hits\": 10, "
          "\"input.query(q)\": \"{}\"}}\n",
          shipment.name, literal(query)));
  folder.write(
      "README.md",
      fmt::format("# {} items for Vespa\n\n"
                  "```\nvespa deploy app\nvespa feed feed.jsonl\n"
                  "curl -H 'Content-Type: application/json' -d @query.json http://localhost:8080/search/\n```\n\n"
                  "- `app`: an application with the schema `{}`: a mapped tensor of 32-bit floats, and a rank profile "
                  "whose score is\n"
                  "  the inner product. `where true` scores every item, so the search is exact.\n"
                  "- `feed.jsonl`: a put for each item\n"
                  "- `query.json`: the first question of `expected.json`\n\n"
                  "Cells are labelled by the features' numbers (`features.csv` has their names).\n{}",
                  shipment.rows(), shipment.name, tables_text(shipment)));
  return {};
}

std::vector<std::string> keys(const Embeddings& embeddings) { return feature_numbers(embeddings.cols()); }

}  // namespace

const Target kVespa = {.name = "vespa",
                       .what = "Vespa's documents, with the application",
                       .demands = {},
                       .feature_keys = keys,
                       .write = write};

}  // namespace orthant::exchange
