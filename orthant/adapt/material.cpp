#include "orthant/adapt/material.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <span>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/io/labels_file.h"
#include "orthant/io/npy.h"
#include "orthant/io/text_lines.h"
#include "orthant/search/neighbours.h"

namespace orthant::adapt {
namespace {

constexpr uint16_t kHeldOutStream = 0xff22;

bool is_held(const Material& material, int64_t row) { return std::ranges::binary_search(material.held_out, row); }

void check_in_memory(const AdaptRecipe& recipe, const Vectors& vectors, const char* what) {
  const int64_t bytes = vectors.rows() * vectors.dims() * 4;
  check(bytes <= recipe.train.memory_mib << 20, "[objective.positives] expected vectors of at most train.memory_mib (",
        recipe.train.memory_mib, ") for ", what, ", got ", bytes >> 20, " MiB; self or noise take any number");
}

std::vector<std::pair<int64_t, int64_t>> read_pairs(const std::string& path, const Material& material) {
  const io::Array array = io::read_npy(path);
  check_io(array.shape.size() == 2 && array.shape[1] == 2, "[", path, "] expected pairs of rows, [P, 2], got shape ",
           io::shape_text(array.shape));
  const io::Array flat{array.dtype, {array.size()}, array.bytes, array.owner};
  const std::vector<int64_t> rows = io::to_integers(flat, path);
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (size_t n = 0; n + 1 < rows.size(); n += 2) {
    for (const int64_t row : {rows[n], rows[n + 1]}) {
      check_io(row >= 0 && row < material.vectors.rows(), "[", path, "] expected rows from 0 to ",
               material.vectors.rows() - 1, ", got ", row, " in pair ", n / 2);
    }
    if (!is_held(material, rows[n]) && !is_held(material, rows[n + 1])) pairs.emplace_back(rows[n], rows[n + 1]);
  }
  check_io(!pairs.empty(), "[", path, "] expected pairs of rows that are learned from, got none");
  return pairs;
}

// Of every row that is learned from its nearest among the others, by cosine.
DenseMatrix<int32_t> nearest_rows(const Material& material, const AdaptRecipe& recipe, const Working& working) {
  const Vectors& vectors = material.vectors;
  std::vector<int64_t> rows;
  for (int64_t i = 0; i < vectors.rows(); ++i) {
    if (!is_held(material, i)) rows.push_back(i);
  }
  check(std::ssize(rows) > recipe.objective.neighbours, "[objective.neighbours] expected fewer than the ", rows.size(),
        " rows, got ", recipe.objective.neighbours);
  Matrix all(vectors.rows(), vectors.dims());
  vectors.read(0, vectors.rows(), all.mutable_data());
  Matrix kept(std::ssize(rows), vectors.dims());
  for (size_t n = 0; n < rows.size(); ++n) {
    std::ranges::copy(all.row(rows[n]), kept.mutable_row(static_cast<int64_t>(n)).begin());
  }
  search::NeighbourOptions options;
  options.k = recipe.objective.neighbours;
  options.exclude_self = true;
  options.threads = static_cast<int>(recipe.train.threads);
  if (working) options.progress = [&](int64_t done, int64_t total) { working("neighbours", done, total); };
  const search::Neighbours found = search::neighbours(kept, kept, options);
  DenseMatrix<int32_t> nearest(vectors.rows(), found.k());
  for (size_t n = 0; n < rows.size(); ++n) {
    for (int64_t k = 0; k < found.k(); ++k) {
      nearest(rows[n], k) = static_cast<int32_t>(rows[static_cast<size_t>(found.indices(static_cast<int64_t>(n), k))]);
    }
  }
  return nearest;
}

void take_positives(Material& material, const AdaptRecipe& recipe, const Working& working) {
  const std::string& positives = recipe.objective.positives;
  if (recipe.objective.contrast == 0) return;
  if (positives == "labels") {
    const std::set<int64_t> classes(material.labels.begin(), material.labels.end());
    check(classes.size() > (classes.contains(-1) ? 2U : 1U), "[objective.positives] expected labels of at least two ",
          "classes, got ", material.labels.empty() ? "none" : "one");
  }
  if (positives == "neighbours") {
    check_in_memory(recipe, material.vectors, "neighbours");
    material.neighbours = nearest_rows(material, recipe, working);
  }
  if (positives.ends_with(".npy")) {
    check_in_memory(recipe, material.vectors, "pairs");
    material.pairs = read_pairs(positives, material);
  }
}

}  // namespace

DataShape Material::shape() const {
  const int64_t rows = vectors.rows() - std::ssize(held_out);
  return {rows, vectors.dims(), pairs.empty() ? rows : std::ssize(pairs)};
}

std::vector<int64_t> held_out_rows(int64_t rows, int64_t count, uint64_t seed) {
  const int64_t wanted = count < 0 ? std::min<int64_t>(2000, rows / 10) : std::min(count, rows);
  std::set<int64_t> chosen;
  Rng rng({.seed = seed, .view = kHeldOutStream});
  while (std::ssize(chosen) < wanted) chosen.insert(static_cast<int64_t>(rng.below(static_cast<uint64_t>(rows))));
  return {chosen.begin(), chosen.end()};
}

RowNames row_names(const DataOptions& data, const Vectors& vectors) {
  RowNames names{vectors.labels(), vectors.class_names(), vectors.ids()};
  if (!data.labels.empty()) {
    io::NamedLabels given = io::read_labels(data.labels);
    names.labels = std::move(given.labels);
    names.class_names = std::move(given.names);
  }
  if (!data.ids.empty()) names.ids = io::read_lines(data.ids);
  const auto fits = [&](size_t count) { return count == 0 || static_cast<int64_t>(count) == vectors.rows(); };
  check(fits(names.labels.size()), "[", data.labels, "] expected a label for each of the ", vectors.rows(), " rows of ",
        vectors.path(), ", got ", names.labels.size());
  check(fits(names.ids.size()), "[", data.ids, "] expected an id for each of the ", vectors.rows(), " rows of ",
        vectors.path(), ", got ", names.ids.size());
  return names;
}

Material open_material(const AdaptRecipe& recipe, const Working& working) {
  check(!recipe.data.embeddings.empty(), "[data.embeddings] expected a file of vectors, got none");
  Material material{.vectors = Vectors(recipe.data.embeddings), .statistics = {}};
  const Vectors& vectors = material.vectors;
  if (!recipe.data.second.empty()) {
    const Vectors& other = material.with.emplace(recipe.data.second);
    check(other.rows() == vectors.rows(), "[", recipe.data.second, "] expected ", vectors.rows(), " rows, as ",
          vectors.path(), " has, whose row i belongs to row i, got ", other.rows());
    check(recipe.adapter.align != "none" || other.dims() == vectors.dims(), "[adapter.align] expected auto or linear ",
          "for vectors of ", vectors.dims(), " and of ", other.dims(), " numbers, got none");
  }
  RowNames names = row_names(recipe.data, vectors);
  material.labels = std::move(names.labels);
  material.class_names = std::move(names.class_names);
  material.ids = std::move(names.ids);
  const bool unit = recipe.adapter.normalise == "unit";
  const auto threads = static_cast<int>(recipe.train.threads);
  const auto look_through = [&](const Vectors& of) {
    return statistics_of(of, unit, threads, [&](int64_t done, int64_t total) {
      if (working) working("look through the rows", done, total);
    });
  };
  material.statistics = look_through(vectors);
  if (material.with) material.with_statistics = look_through(*material.with);
  material.held_out = held_out_rows(vectors.rows(), recipe.data.held_out, static_cast<uint64_t>(recipe.train.seed));
  check(std::ssize(material.held_out) + 2 <= vectors.rows(),
        "[data.held_out] expected at least two rows to learn from, ", "got ",
        vectors.rows() - std::ssize(material.held_out), " of ", vectors.rows());
  take_positives(material, recipe, working);
  return material;
}

}  // namespace orthant::adapt
