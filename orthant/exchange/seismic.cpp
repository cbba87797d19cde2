#include <fmt/format.h>

#include <bit>

#include "orthant/exchange/feature_keys.h"
#include "orthant/exchange/records.h"
#include "orthant/exchange/shipment.h"
#include "orthant/io/atomic_file.h"

namespace orthant::exchange {
namespace {

std::string line_of(const Shipment& shipment, int64_t i) {
  return fmt::format("{{\"id\": {}, \"vector\": {}}}\n", i, weights_json(shipment.row(i), shipment.feature_keys));
}

static_assert(std::endian::native == std::endian::little);

template <class Number>
void put(io::AtomicFile& file, Number value) {
  file.write(std::as_bytes(std::span(&value, 1)));
}

// Seismic's inner form: u32 rows; of each row u32 entries, u32 columns, rising, f32 values.
template <class RowOf>
void write_inner(const std::string& path, int64_t rows, const RowOf& row_of) {
  io::AtomicFile file(path);
  put(file, static_cast<uint32_t>(rows));
  for (int64_t i = 0; i < rows; ++i) {
    const std::vector<Entry> row = row_of(i);
    put(file, static_cast<uint32_t>(row.size()));
    for (const Entry& entry : row) put(file, static_cast<uint32_t>(entry.column));
    for (const Entry& entry : row) put(file, entry.value);
  }
  file.commit();
}

std::vector<std::string> write(const Shipment& shipment, const AtomicFolder& folder) {
  io::AtomicFile documents(folder.file("documents.jsonl"));
  for (int64_t i = 0; i < shipment.rows(); ++i) {
    shipment.progress(i);
    documents.write(line_of(shipment, i));
  }
  documents.commit();
  io::AtomicFile queries(folder.file("queries.jsonl"));
  for (const Question& question : shipment.questions) queries.write(line_of(shipment, question.row));
  queries.commit();
  write_inner(folder.file("documents.bin"), shipment.rows(), [&](int64_t i) { return shipment.row(i); });
  write_inner(folder.file("queries.bin"), std::ssize(shipment.questions),
              [&](int64_t q) { return shipment.row(shipment.questions[static_cast<size_t>(q)].row); });
  const bool large = shipment.cols() > 65'535;
  folder.write(
      "README.md",
      fmt::format("# {} items for Seismic\n\n"
                  "- `documents.jsonl`: a line per item, `{{\"id\": row, \"vector\": {{\"feature\": weight}}}}`\n"
                  "- `queries.jsonl`: some of the items as queries\n"
                  "- `documents.bin`, `queries.bin`: the same in the inner form that `SeismicIndexRaw` reads: "
                  "little-endian u32 rows;\n"
                  "  of each row u32 entries, u32 columns from 0, rising, f32 values\n\n"
                  "```\npip install pyseismic-lsr\n"
                  "python - <<'end'\n"
                  "from seismic import {}\n"
                  "index = {}.build(\"documents.jsonl\", n_postings={}, summary_energy=1.0)\n"
                  "index.save(\"{}\")\nend\n```\n\n"
                  "Seismic wants whole numbers as ids: they are rows, whose own ids `items.csv` has. It keeps 30 "
                  "characters of a\n"
                  "feature's name; features with longer names are called f0, f1, ... (`features.csv`).\n{}",
                  shipment.rows(), large ? "SeismicIndexLV" : "SeismicIndex", large ? "SeismicIndexLV" : "SeismicIndex",
                  std::max<int64_t>(shipment.rows() / 20, 1), shipment.name, tables_text(shipment)));
  return {};
}

std::vector<std::string> keys(const Embeddings& embeddings) { return feature_keys(embeddings, {.max_characters = 30}); }

}  // namespace

const Target kSeismic = {.name = "seismic",
                         .what = "Seismic's JSON lines and its inner form",
                         .demands = {.positive = true, .max_rows = INT32_MAX, .whole_numbers = true},
                         .feature_keys = keys,
                         .write = write};

}  // namespace orthant::exchange
