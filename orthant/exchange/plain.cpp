#include <fmt/format.h>

#include "orthant/exchange/feature_keys.h"
#include "orthant/exchange/records.h"
#include "orthant/exchange/shipment.h"
#include "orthant/exchange/text.h"
#include "orthant/io/atomic_file.h"

namespace orthant::exchange {
namespace {

std::vector<std::string> write_lines(const Shipment& shipment, const AtomicFolder& folder) {
  io::AtomicFile file(folder.file("items.jsonl"));
  for (int64_t i = 0; i < shipment.rows(); ++i) {
    shipment.progress(i);
    std::string label;
    if (const std::string name = shipment.label(i); !name.empty()) {
      label = "\"label\": ";
      append_json(label, name);
      label += ", ";
    }
    file.write(fmt::format("{{\"id\": {}, {}{}}}\n", shipment.items.json(i), label, lists_json(shipment.row(i))));
  }
  file.commit();
  folder.write(
      "README.md",
      fmt::format(
          "# {} items as JSON lines\n\n"
          "`items.jsonl`: a line per item, `{{\"id\": ..., \"label\": ..., \"indices\": [...], \"values\": [...]}}`; "
          "columns count\n"
          "from 0 and rise, values are not 0. `orthant import items.jsonl -o items.safetensors` reads it back.\n{}",
          shipment.rows(), tables_text(shipment)));
  return {};
}

std::vector<std::string> write_entries(const Shipment& shipment, const AtomicFolder& folder) {
  io::AtomicFile file(folder.file("entries.csv"));
  file.write("row,column,value\n");
  for (int64_t i = 0; i < shipment.rows(); ++i) {
    shipment.progress(i);
    std::string lines;
    for (const Entry& entry : shipment.row(i)) {
      append_number(lines, i);
      lines += ',';
      append_number(lines, entry.column);
      lines += ',';
      append_number(lines, entry.value);
      lines += '\n';
    }
    file.write(lines);
  }
  file.commit();
  folder.write(
      "README.md",
      fmt::format(
          "# {} items as tables\n\n"
          "- `entries.csv`: row, column and value of all {} entries that are not 0, counted from 0; join it with\n"
          "  `items.csv` by row and with `features.csv` by column\n{}",
          shipment.rows(), shipment.survey.entries, tables_text(shipment)));
  return {};
}

std::vector<std::string> keys(const Embeddings& embeddings) { return feature_numbers(embeddings.cols()); }
std::vector<std::string> names(const Embeddings& embeddings) { return feature_keys(embeddings, {}); }

}  // namespace

const Target kJsonl = {.name = "jsonl",
                       .what = "a line of JSON per item: indices and values",
                       .demands = {},
                       .feature_keys = keys,
                       .write = write_lines};
const Target kCsv = {.name = "csv",
                     .what = "tables of items, features and entries",
                     .demands = {},
                     .feature_keys = names,
                     .write = write_entries};

}  // namespace orthant::exchange
