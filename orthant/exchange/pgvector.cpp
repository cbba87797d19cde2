#include <fmt/format.h>

#include "orthant/core/error.h"
#include "orthant/exchange/feature_keys.h"
#include "orthant/exchange/records.h"
#include "orthant/exchange/shipment.h"
#include "orthant/exchange/text.h"
#include "orthant/io/atomic_file.h"

namespace orthant::exchange {
namespace {

constexpr int64_t kMostStored = 16'000;  // entries of a sparsevec
constexpr int64_t kMostIndexed = 1'000;  // of one in an HNSW index

// {1:0.5,3:2}/256: columns count from 1.
std::string sparsevec(std::span<const Entry> entries, int64_t cols) {
  std::string text = "{";
  for (const Entry& entry : entries) {
    if (text.size() > 1) text += ',';
    append_number(text, entry.column + 1);
    text += ':';
    append_number(text, entry.value);
  }
  text += "}/";
  append_number(text, cols);
  return text;
}

void write_rows(const Shipment& shipment, const AtomicFolder& folder) {
  io::AtomicFile file(folder.file("items.copy"));
  for (int64_t i = 0; i < shipment.rows(); ++i) {
    shipment.progress(i);
    std::string line;
    append_copy(line, shipment.items.text(i));
    line += '\t';
    const std::string label = shipment.label(i);
    if (label.empty()) {
      line += "\\N";
    } else {
      append_copy(line, label);
    }
    line += '\t' + sparsevec(shipment.row(i), shipment.cols()) + '\n';
    file.write(line);
  }
  file.commit();
}

std::vector<std::string> write(const Shipment& shipment, const AtomicFolder& folder) {
  write_rows(shipment, folder);
  folder.write("schema.sql",
               fmt::format("CREATE EXTENSION IF NOT EXISTS vector;\n"
                           "CREATE TABLE {} (key {} PRIMARY KEY, label text, features sparsevec({}));\n",
                           shipment.name, shipment.items.are_numbers() ? "bigint" : "text", shipment.cols()));
  folder.write("load.sql",
               fmt::format("\\i schema.sql\n\\copy {} (key, label, features) FROM 'items.copy'\nANALYZE {};\n",
                           shipment.name, shipment.name));
  const std::vector<Entry> query =
      shipment.questions.empty() ? std::vector<Entry>() : shipment.row(shipment.questions.front().row);
  folder.write(
      "query.sql",
      fmt::format("SELECT key, label, -(features <#> '{0}') AS score FROM {1} ORDER BY features <#> '{0}' LIMIT 10;\n",
                  sparsevec(query, shipment.cols()), shipment.name));
  const bool indexed = shipment.survey.longest <= kMostIndexed;
  if (indexed) {
    folder.write("index.sql",
                 fmt::format("CREATE INDEX ON {} USING hnsw (features sparsevec_ip_ops);\n", shipment.name));
  }
  folder.write(
      "README.md",
      fmt::format(
          "# {} items for PostgreSQL with pgvector (0.7 or newer)\n\n"
          "```\npsql -f load.sql      # makes the table {} and copies the items\n"
          "psql -f query.sql     # the first question of expected.json\n```\n\n"
          "Without an index the search is exact. `<#>` is the inner product with its sign turned, which PostgreSQL "
          "sorts by\n"
          "rising. Columns count from 1 in a sparsevec, from 0 in `features.csv`.\n\n{}\n{}",
          shipment.rows(), shipment.name,
          indexed
              ? "`psql -f index.sql` makes an approximate index for inner products (HNSW), which is quicker to ask "
                "and\n"
                "slow to build, and finds most of what is nearest instead of all."
              : fmt::format("There is no index.sql: HNSW takes at most {} features that are not 0, and an item has {}.",
                            kMostIndexed, shipment.survey.longest),
          tables_text(shipment)));
  if (indexed) return {};
  return {join("no approximate index: pgvector's takes at most ", kMostIndexed,
               " features that are not 0, an item has ", shipment.survey.longest)};
}

std::vector<std::string> keys(const Embeddings& embeddings) {
  std::vector<std::string> numbers;
  for (int64_t j = 1; j <= embeddings.cols(); ++j) numbers.push_back(std::to_string(j));
  return numbers;
}

}  // namespace

const Target kPgvector = {.name = "pgvector",
                          .what = "PostgreSQL's sparsevec, with the table",
                          .demands = {.max_row = kMostStored, .max_cols = 1'000'000'000, .max_id_bytes = 2'000},
                          .feature_keys = keys,
                          .write = write};

}  // namespace orthant::exchange
