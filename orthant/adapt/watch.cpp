#include "orthant/adapt/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "orthant/adapt/encoder.h"
#include "orthant/core/features.h"
#include "orthant/core/rng.h"
#include "orthant/measure/knn.h"
#include "orthant/measure/retrieval.h"

namespace orthant::adapt {
namespace {

constexpr uint16_t kBankStream = 0xff26;
constexpr int64_t kVoters = 20;
constexpr int64_t kNearest = 10;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<int64_t> bank_rows(const AdaptRecipe& recipe, const Material& material) {
  const int64_t rows = material.vectors.rows();
  const int64_t wanted = std::min(recipe.watch.bank, rows - std::ssize(material.held_out));
  std::vector<int64_t> chosen;
  if (wanted * 2 > rows) {  // most of them: strike out instead of drawing
    for (int64_t i = 0; i < rows; ++i) {
      if (!std::ranges::binary_search(material.held_out, i)) chosen.push_back(i);
    }
    Rng rng({.seed = static_cast<uint64_t>(recipe.train.seed), .view = kBankStream});
    rng.shuffle(std::span<int64_t>(chosen));
    chosen.resize(static_cast<size_t>(wanted));
    std::ranges::sort(chosen);
    return chosen;
  }
  std::set<int64_t> drawn;
  Rng rng({.seed = static_cast<uint64_t>(recipe.train.seed), .view = kBankStream});
  while (std::ssize(drawn) < wanted) {
    const auto row = static_cast<int64_t>(rng.below(static_cast<uint64_t>(rows)));
    if (!std::ranges::binary_search(material.held_out, row)) drawn.insert(row);
  }
  return {drawn.begin(), drawn.end()};
}

SparseMatrix rows_of(const SparseMatrix& codes, int64_t begin, int64_t end) {
  const auto starts = codes.indptr();
  const auto first = static_cast<size_t>(starts[static_cast<size_t>(begin)]);
  const auto last = static_cast<size_t>(starts[static_cast<size_t>(end)]);
  std::vector<int64_t> indptr;
  for (int64_t i = begin; i <= end; ++i)
    indptr.push_back(starts[static_cast<size_t>(i)] - starts[static_cast<size_t>(begin)]);
  const auto indices = codes.indices().subspan(first, last - first);
  const auto values = codes.values().subspan(first, last - first);
  return {
      end - begin, codes.cols(), std::move(indptr), {indices.begin(), indices.end()}, {values.begin(), values.end()}};
}

double dead_share(const SparseMatrix& codes) {
  std::vector<bool> on(static_cast<size_t>(codes.cols()));
  for (const int32_t j : codes.indices()) on[static_cast<size_t>(j)] = true;
  return static_cast<double>(std::ranges::count(on, false)) / static_cast<double>(on.size());
}

// 1 - (squared error) / (squared distance from the mean of these rows).
double explained_share(std::span<const float> x, const Floats& made, int64_t stride) {
  const int64_t rows = std::ssize(x) / stride;
  std::vector<double> mean(static_cast<size_t>(stride));
  double squares = 0;
  double error = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    mean[i % static_cast<size_t>(stride)] += static_cast<double>(x[i]) / static_cast<double>(rows);
    squares += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    const double difference = static_cast<double>(x[i]) - static_cast<double>(made[i]);
    error += difference * difference;
  }
  const double all = squares;
  for (const double m : mean) squares -= m * m * static_cast<double>(rows);
  return squares > 1e-9 * all ? 1 - error / squares : kNone;
}

double found_within(const search::Neighbours& found, int64_t k) {
  int64_t right = 0;
  for (int64_t i = 0; i < found.queries(); ++i) {
    for (int64_t n = 0; n < std::min(k, found.k()); ++n) {
      if (found.indices(i, n) == i) ++right;
    }
  }
  return static_cast<double>(right) / static_cast<double>(std::max<int64_t>(1, found.queries()));
}

Found found_both_ways(const Features& a, const Features& b, int threads) {
  const search::Neighbours there = search::neighbours(b, a, {.k = kNearest, .threads = threads});
  const search::Neighbours back = search::neighbours(a, b, {.k = kNearest, .threads = threads});
  return {a.rows(), found_within(there, 1), found_within(there, kNearest), found_within(back, 1),
          found_within(back, kNearest)};
}

}  // namespace

Watch::Watch(const AdaptRecipe& recipe, const Material& material, const Adapter& adapter)
    : threads_(static_cast<int>(recipe.train.threads)), queries_(std::ssize(material.held_out)) {
  if (queries_ == 0) return;
  const std::vector<int64_t> bank = bank_rows(recipe, material);
  bank_ = std::ssize(bank);
  std::vector<int64_t> rows = material.held_out;
  rows.insert(rows.end(), bank.begin(), bank.end());
  Matrix raw(std::ssize(rows), adapter.dims);
  x_.resize(static_cast<size_t>(std::ssize(rows) * adapter.stride));
  for (size_t n = 0; n < rows.size(); ++n) {
    const auto row = raw.mutable_row(static_cast<int64_t>(n));
    material.vectors.read(rows[n], 1, row.data());
    adapter.prepare(row, x_.data() + static_cast<int64_t>(n) * adapter.stride);
  }
  std::set<int64_t> classes(material.labels.begin(), material.labels.end());
  classes.erase(-1);
  if (classes.size() > 1) {
    for (size_t n = 0; n < rows.size(); ++n) {
      const int64_t label = material.labels[static_cast<size_t>(rows[n])];
      (static_cast<int64_t>(n) < queries_ ? query_labels_ : bank_labels_).push_back(label);
    }
  }
  if (material.with) {
    second_x_.resize(static_cast<size_t>(queries_ * adapter.stride));
    std::vector<float> vector(static_cast<size_t>(adapter.width(true)));
    for (int64_t i = 0; i < queries_; ++i) {
      material.with->read(material.held_out[static_cast<size_t>(i)], 1, vector.data());
      adapter.prepare(vector, second_x_.data() + i * adapter.stride, true);
    }
  }
  const auto part = [&](int64_t begin, int64_t count) {
    return Matrix(count, adapter.dims,
                  {raw.data() + begin * adapter.dims, raw.data() + (begin + count) * adapter.dims});
  };
  nearest_ = search::neighbours(part(queries_, bank_), part(0, queries_), {.k = kVoters, .threads = threads_});
  dense_ = judge(nearest_);
  dense_.code = "dense";
  dense_.on = static_cast<double>(adapter.dims);
  dense_.explained = 1;
  if (paired()) {
    const auto prepared = [&](const Floats& from) {
      Matrix out(queries_, adapter.dims);
      for (int64_t i = 0; i < queries_; ++i) {
        std::copy_n(from.data() + i * adapter.stride, adapter.dims, out.mutable_row(i).data());
      }
      return out;
    };
    dense_.found = found_both_ways(prepared(x_), prepared(second_x_), threads_);
  }
}

Kept Watch::judge(const search::Neighbours& found) const {
  Kept kept;
  kept.explained = kept.one_nn = kept.knn = kept.precision = kNone;
  if (labelled()) {
    kept.one_nn = measure::knn_accuracy(found, bank_labels_, query_labels_, 1).accuracy;
    kept.knn = measure::knn_accuracy(found, bank_labels_, query_labels_, kVoters).accuracy;
    kept.precision = measure::retrieval(found, bank_labels_, query_labels_, kNearest).precision;
  }
  const int64_t k = std::min({kNearest, found.k(), nearest_.k()});
  int64_t common = 0;
  for (int64_t i = 0; i < queries_; ++i) {
    const auto dense = nearest_.indices.row(i).first(static_cast<size_t>(k));
    const auto code = found.indices.row(i).first(static_cast<size_t>(k));
    for (const int32_t row : code) common += std::ranges::count(dense, row);
  }
  kept.recall = static_cast<double>(common) / static_cast<double>(std::max<int64_t>(1, k * queries_));
  return kept;
}

Kept Watch::chance() const {
  Kept kept;
  kept.code = "chance";
  kept.on = kept.explained = kept.one_nn = kept.knn = kept.precision = kept.dead = kNone;
  kept.recall = std::min(1.0, static_cast<double>(kNearest) / static_cast<double>(std::max<int64_t>(1, bank_)));
  if (paired()) {
    const double first = 1 / static_cast<double>(queries_);
    const double ten = std::min(1.0, static_cast<double>(kNearest) * first);
    kept.found = {queries_, first, ten, first, ten};
  }
  if (!labelled()) return kept;
  std::map<int64_t, double> asked;
  std::map<int64_t, double> there;
  double queries = 0;
  for (const int64_t label : query_labels_) {
    asked[label] += 1;
    queries += label >= 0 ? 1 : 0;
  }
  for (const int64_t label : bank_labels_) there[label] += 1;
  there.erase(-1);
  const auto commonest = std::ranges::max_element(there, {}, [](const auto& one) { return one.second; });
  if (queries == 0 || commonest == there.end()) return kept;
  kept.knn = asked[commonest->first] / queries;
  kept.one_nn = 0;
  for (const auto& [label, count] : there) kept.one_nn += asked[label] / queries * count / static_cast<double>(bank_);
  kept.precision = kept.one_nn;
  return kept;
}

Kept Watch::look(const Adapter& adapter, int64_t active) const {
  const SparseMatrix codes = encode(adapter, x_, active, threads_);
  const SparseMatrix queries = rows_of(codes, 0, queries_);
  const SparseMatrix bank = rows_of(codes, queries_, queries_ + bank_);
  Kept kept = judge(search::neighbours(bank, queries, {.k = kVoters, .threads = threads_}));
  kept.on = static_cast<double>(codes.nnz()) / static_cast<double>(std::max<int64_t>(1, codes.rows()));
  kept.code = active > 0 ? fmt::format("{} on", active) : fmt::format("{:.0f} on", kept.on);
  kept.dead = dead_share(codes);
  if (adapter.decodes) {
    const std::span<const float> own(x_.data(), static_cast<size_t>(queries_ * adapter.stride));
    kept.explained = explained_share(own, decode(adapter, queries, threads_), adapter.stride);
  }
  kept.found = find(adapter, active);
  return kept;
}

Found Watch::find(const Adapter& adapter, int64_t active) const {
  if (!paired()) return {};
  const std::span<const float> own(x_.data(), static_cast<size_t>(queries_ * adapter.stride));
  return found_both_ways(encode(adapter, own, active, threads_), encode(adapter, second_x_, active, threads_),
                         threads_);
}

std::vector<Kept> Watch::table(const Adapter& adapter) const {
  std::set<int64_t> numbers = {adapter.active};
  for (int64_t k = 4; k <= std::min(4 * adapter.active, adapter.features); k *= 2) numbers.insert(k);
  std::vector<Kept> rows = {dense_};
  for (const int64_t k : numbers) {
    rows.push_back(look(adapter, k));
  }
  if (adapter.gate != Gate::topk) {
    rows.push_back(look(adapter));
    rows.back().code = "own gate";
  }
  return rows;
}

std::string table_json(const Watch& watch, const std::vector<Kept>& table) {
  using Json = nlohmann::ordered_json;
  const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  const auto row_of = [&](const Kept& kept) {
    Json row = {{"code", kept.code},
                {"active_per_row", number(kept.on)},
                {"explained_variance", number(kept.explained)},
                {"one_nn", number(kept.one_nn)},
                {"knn_20", number(kept.knn)},
                {"precision_at_10", number(kept.precision)},
                {"recall_of_dense_10", number(kept.recall)},
                {"dead_share", number(kept.dead)}};
    const Found& found = kept.found;
    if (found.rows > 0) {
      row["pairs"] = {{"a_to_b_recall_at_1", found.there_at_1},
                      {"a_to_b_recall_at_10", found.there_at_10},
                      {"b_to_a_recall_at_1", found.back_at_1},
                      {"b_to_a_recall_at_10", found.back_at_10}};
    }
    return row;
  };
  Json rows = Json::array();
  for (const Kept& kept : table) rows.push_back(row_of(kept));
  const Json document = {{"kind", "adapter"},
                         {"held_out", watch.queries()},
                         {"bank", watch.bank()},
                         {"retained", std::move(rows)},
                         {"chance", watch.empty() ? Json(nullptr) : row_of(watch.chance())}};
  return document.dump(2) + "\n";
}

}  // namespace orthant::adapt
