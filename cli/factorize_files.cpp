#include "cli/factorize_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/factorize/cooccurrence.h"
#include "orthant/factorize/factorize.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/edge_list.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/mapped_file.h"
#include "orthant/io/safetensors.h"

namespace orthant::cli {
namespace {

bool holds_matrix(const std::string& path) {
  const auto file = io::MappedFile::open(path);
  const auto bytes = file->bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.starts_with("\x93NUMPY") || text.starts_with("PK\x03\x04") || text.starts_with("PK\x05\x06") ||
         io::looks_like_safetensors(bytes);
}

}  // namespace

FactorizeInput read_factorize_input(const std::string& path) {
  if (!holds_matrix(path)) {
    io::EdgeList edges = io::read_edge_list(path);
    const auto nodes = static_cast<int64_t>(edges.nodes.size());
    FactorizeInput input{
        .target = factorize::cooccurrence(nodes, edges.from, edges.to, edges.weights), .rows = {}, .graph = true};
    input.rows.ids = std::move(edges.nodes);
    return input;
  }
  Embeddings embeddings = io::read_embeddings(path);
  factorize::Target target =
      std::visit([](const auto& features) { return factorize::Target(features); }, embeddings.features);
  embeddings.features = {};
  return {.target = std::move(target), .rows = std::move(embeddings), .graph = false};
}

std::variant<Matrix, SparseMatrix> to_features(const Matrix64& factor) {
  Matrix features(factor.rows(), factor.cols());
  std::ranges::transform(factor.values(), features.mutable_values().begin(),
                         [](double value) { return static_cast<float>(value); });
  check(std::ranges::all_of(features.values(), [](float value) { return std::isfinite(value); }),
        "[factorize] expected factors that fit float32, got larger ones; divide the weights by a constant");
  SparseMatrix sparse = SparseMatrix::from_dense(features);
  if (2 * sparse.nnz() < features.size()) return sparse;
  return features;
}

void write_communities(const std::string& path, const std::vector<std::string>& ids, const Matrix64& w) {
  const auto all = factorize::memberships(w);
  std::string text = "node\tcommunity\tstrength\n";
  for (size_t i = 0; i < all.size(); ++i) {
    const std::string name = ids.empty() ? std::to_string(i) : ids[i];
    text += fmt::format("{}\t{}\t{:.4f}\n", name, all[i].community, all[i].strength);
  }
  io::write_file(path, text);
}

}  // namespace orthant::cli
