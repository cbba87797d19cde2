#include "orthant/adapt/embed.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "orthant/adapt/encoder.h"
#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/shards/row_store.h"

namespace orthant::adapt {
namespace {

constexpr int64_t kPiece = 8192;

void read_piece(const Vectors& vectors, const std::vector<int64_t>& rows, int64_t begin, int64_t count,
                std::vector<float>& out) {
  out.resize(static_cast<size_t>(count * vectors.dims()));
  if (rows.empty()) return vectors.read(begin, count, out.data());
  for (int64_t i = 0; i < count; ++i) {
    vectors.read(rows[static_cast<size_t>(begin + i)], 1, out.data() + i * vectors.dims());
  }
}

}  // namespace

Embeddings embed(const Adapter& adapter, const Vectors& vectors, const RowNames& names,
                 const std::vector<int64_t>& rows, const EmbedOptions& options) {
  const int64_t dims = adapter.width(options.second);
  check(vectors.dims() == dims, "[", vectors.path(), "] expected vectors of ", dims,
        ", as the adapter takes them, got ", vectors.dims());
  check(!options.second || !adapter.mean_b.empty(), "[", vectors.path(),
        "] expected a run of two towers for the second, got one of one");
  check(options.active <= adapter.features, "[embed] expected at most as many features on as the ", adapter.features,
        " there are, got ", options.active);
  const int64_t total = rows.empty() ? vectors.rows() : std::ssize(rows);
  shards::RowStore store(options.spool);
  std::vector<float> piece;
  Floats x;
  for (int64_t begin = 0; begin < total; begin += kPiece) {
    const int64_t count = std::min(kPiece, total - begin);
    read_piece(vectors, rows, begin, count, piece);
    x.resize(static_cast<size_t>(count * adapter.stride));
    parallel_for(count, 64, options.threads, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) {
        const std::span<const float> row(piece.data() + i * dims, static_cast<size_t>(dims));
        const bool finite = std::ranges::all_of(row, [](float value) { return std::isfinite(value); });
        check_io(finite, "[", vectors.path(), "] expected finite vectors, got NaN or infinity in row ",
                 rows.empty() ? begin + i : rows[static_cast<size_t>(begin + i)], " (counted from 0)");
        adapter.prepare(row, x.data() + i * adapter.stride, options.second);
      }
    });
    const SparseMatrix codes = encode(adapter, x, options.active, options.threads);
    for (int64_t i = 0; i < count; ++i) store.append(codes.row(i));
    if (options.progress) options.progress(begin + count);
  }
  Embeddings embeddings;
  embeddings.features = store.finish(adapter.features);
  const auto taken = [&](const auto& values, auto& out) {
    if (rows.empty()) out = values;
    for (const int64_t row : rows) {
      if (!values.empty()) out.push_back(values[static_cast<size_t>(row)]);
    }
  };
  taken(names.labels, embeddings.labels);
  taken(names.ids, embeddings.ids);
  embeddings.class_names = names.class_names;
  embeddings.how = {{"layer", "projector"}, {"activation", name_of(adapter.gate)}};
  if (adapter.notes.contains("method")) embeddings.how["method"] = adapter.notes.at("method");
  return embeddings;
}

}  // namespace orthant::adapt
