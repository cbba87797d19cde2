#include <fmt/format.h>

#include <array>
#include <bit>

#include "orthant/exchange/feature_keys.h"
#include "orthant/exchange/records.h"
#include "orthant/exchange/shipment.h"
#include "orthant/io/atomic_file.h"

namespace orthant::exchange {
namespace {

static_assert(std::endian::native == std::endian::little);

template <class Number>
void put(io::AtomicFile& file, Number value) {
  file.write(std::as_bytes(std::span(&value, 1)));
}

// int64 rows, columns, entries; int64 indptr[rows + 1]; int32 indices[entries]; float32 values[entries].
template <class RowOf>
void write_csr(const std::string& path, int64_t rows, int64_t cols, const RowOf& row_of) {
  io::AtomicFile file(path);
  int64_t entries = 0;
  for (int64_t i = 0; i < rows; ++i) entries += std::ssize(row_of(i));
  for (const int64_t size : {rows, cols, entries}) put(file, size);
  int64_t end = 0;
  put(file, end);
  for (int64_t i = 0; i < rows; ++i) put(file, end += std::ssize(row_of(i)));
  for (int64_t i = 0; i < rows; ++i) {
    for (const Entry& entry : row_of(i)) put(file, static_cast<int32_t>(entry.column));
  }
  for (int64_t i = 0; i < rows; ++i) {
    for (const Entry& entry : row_of(i)) put(file, entry.value);
  }
  file.commit();
}

// uint32 queries, k; int32 rows[queries * k]; float32 scores[queries * k]. Where fewer than k are found: -1 and 0.
void write_ground_truth(const std::string& path, const std::vector<Question>& questions) {
  io::AtomicFile file(path);
  put(file, static_cast<uint32_t>(questions.size()));
  put(file, static_cast<uint32_t>(kAnswers));
  for (const bool scores : {false, true}) {
    for (const Question& question : questions) {
      for (size_t k = 0; k < static_cast<size_t>(kAnswers); ++k) {
        const bool found = k < question.answers.size();
        if (scores) {
          put(file, found ? question.answers[k].score : 0.0F);
        } else {
          put(file, found ? static_cast<int32_t>(question.answers[k].row) : -1);
        }
      }
    }
  }
  file.commit();
}

std::vector<std::string> write(const Shipment& shipment, const AtomicFolder& folder) {
  write_csr(folder.file("base.csr"), shipment.rows(), shipment.cols(), [&](int64_t i) {
    shipment.progress(i);
    return shipment.row(i);
  });
  write_csr(folder.file("queries.csr"), std::ssize(shipment.questions), shipment.cols(),
            [&](int64_t q) { return shipment.row(shipment.questions[static_cast<size_t>(q)].row); });
  write_ground_truth(folder.file("queries.gt"), shipment.questions);
  folder.write(
      "README.md",
      fmt::format(
          "# {} items as BigANN's sparse matrices\n\n"
          "- `base.csr`: the items; little-endian int64 rows, columns, entries; int64 starts of rows (rows + 1);\n"
          "  int32 columns, from 0, rising within a row; float32 values. No zeros.\n"
          "- `queries.csr`: some of the items as queries\n"
          "- `queries.gt`: uint32 queries and k; int32 rows of the best by inner product; their float32 scores.\n"
          "  A row of -1 is none.\n\n"
          "Items have no ids there: row i is line i + 1 of `items.csv` below its title.\n{}",
          shipment.rows(), tables_text(shipment)));
  return {};
}

std::vector<std::string> keys(const Embeddings& embeddings) { return feature_numbers(embeddings.cols()); }

}  // namespace

const Target kBigann = {.name = "bigann",
                        .what = "BigANN benchmark's .csr with queries and ground truth",
                        .demands = {.max_rows = INT32_MAX, .whole_numbers = true},
                        .feature_keys = keys,
                        .write = write};

}  // namespace orthant::exchange
