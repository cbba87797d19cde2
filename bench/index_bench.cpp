// Search in an index of sparse features, timed:
//   index_bench make KIND ROWS DIMS FILLED FILE
//     features: independent (each filled by chance) or groups
//   index_bench split FILE QUERIES BANK QUERY_FILE
//     some rows of embeddings, spread, as queries, the others as bank
//   index_bench build BANK INDEX THREADS
//     seconds, megabytes of the file, peak megabytes
//   index_bench exact INDEX QUERIES COUNT K THREADS
//     median milliseconds of a query alone, and of one in a batch; windows, blocks, list entries of a query
//   index_bench near INDEX QUERIES COUNT K RECALL THREADS
//     the same two, then recall beside the exact search, blocks read (0: exact), blocks
//   index_bench plain BANK QUERIES COUNT K THREADS
//     the same two by adding up plain inverted lists over all rows
// bench/index.py compares with faiss and zvec.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "orthant/core/features.h"
#include "orthant/core/rng.h"
#include "orthant/core/threads.h"
#include "orthant/index/edit.h"
#include "orthant/index/mask.h"
#include "orthant/index/recall.h"
#include "orthant/index/search.h"
#include "orthant/io/embeddings_file.h"

namespace {

using namespace orthant;

double seconds_of(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  return numbers.at(numbers.size() / 2);
}

double peak_megabytes() {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("VmHWM:")) return std::atof(line.c_str() + 6) / 1024;
  }
  return 0;
}

Embeddings make(const std::string& kind, int64_t rows, int64_t dims, double filled) {
  const int64_t groups = std::max<int64_t>(1, rows / 500);
  const auto features = static_cast<int64_t>(std::lround(filled * static_cast<double>(dims)));
  std::vector<int64_t> starts = {0};
  std::vector<int32_t> columns;
  std::vector<float> values;
  for (int64_t i = 0; i < rows; ++i) {
    Rng rng({.seed = 1, .sample = static_cast<uint64_t>(i)});
    std::vector<std::pair<int32_t, float>> row;
    if (kind == "independent") {
      for (int64_t j = 0; j < dims; ++j) {
        if (rng.bernoulli(filled)) row.emplace_back(static_cast<int32_t>(j), static_cast<float>(rng.uniform(0.05, 1)));
      }
    } else {
      // Most features of an item are its group's, more or less strong; a third are its own.
      Rng group({.seed = 2, .sample = rng.below(static_cast<uint64_t>(groups))});
      for (int64_t n = 0; n < features; ++n) {
        const auto of_group = static_cast<int32_t>(group.below(static_cast<uint64_t>(dims)));
        const double strength = group.uniform(0.1, 1);
        const auto own = static_cast<int32_t>(rng.below(static_cast<uint64_t>(dims)));
        if (rng.bernoulli(0.67)) {
          row.emplace_back(of_group, static_cast<float>(strength * rng.uniform(0.5, 1.5)));
        } else {
          row.emplace_back(own, static_cast<float>(rng.uniform(0.05, 0.7)));
        }
      }
      std::ranges::sort(row);
      const auto twice = std::ranges::unique(row, {}, &std::pair<int32_t, float>::first);
      row.erase(twice.begin(), twice.end());
    }
    for (const auto& [column, value] : row) {
      columns.push_back(column);
      values.push_back(value);
    }
    starts.push_back(std::ssize(columns));
  }
  Embeddings embeddings;
  embeddings.features = SparseMatrix(rows, dims, std::move(starts), std::move(columns), std::move(values));
  return embeddings;
}

SparseMatrix rows_of(const Features& features, const std::vector<int64_t>& rows) {
  std::vector<int64_t> starts = {0};
  std::vector<int32_t> columns;
  std::vector<float> values;
  for (const int64_t i : rows) {
    features.visit_row(i, [&](int64_t j, float x) {
      if (x <= 0) return;
      columns.push_back(static_cast<int32_t>(j));
      values.push_back(x);
    });
    starts.push_back(std::ssize(columns));
  }
  return {std::ssize(rows), features.cols(), std::move(starts), std::move(columns), std::move(values)};
}

void split(const std::string& from, int64_t count, const std::string& bank, const std::string& queries) {
  const Embeddings all = io::read_embeddings(from);
  std::vector<int64_t> kept;
  std::vector<int64_t> asked;
  for (int64_t i = 0; i < all.rows(); ++i) {
    const bool query = (i + 1) * count / all.rows() != i * count / all.rows();
    (query ? asked : kept).push_back(i);
  }
  Embeddings part;
  part.features = rows_of(all, kept);
  io::write_embeddings(bank, part);
  part.features = rows_of(all, asked);
  io::write_embeddings(queries, part);
}

std::vector<index::Query> read_queries(const std::string& path, int64_t count) {
  const Embeddings embeddings = io::read_embeddings(path);
  std::vector<index::Query> queries(static_cast<size_t>(std::min(count, embeddings.rows())));
  for (size_t q = 0; q < queries.size(); ++q) {
    Features(embeddings).visit_row(static_cast<int64_t>(q), [&](int64_t j, float x) {
      if (x != 0) queries[q].weights.push_back({j, x});
    });
  }
  return queries;
}

struct Times {
  double alone = 0;
  double together = 0;
  std::vector<index::Found> found;
};

Times time_search(const index::Index& index, const std::vector<index::Query>& queries,
                  const index::SearchOptions& options) {
  const index::Mask mask(index);
  Times times;
  times.found = search(index, queries, mask, options);  // pages are in memory, checksums compared
  std::vector<double> alone;
  for (const index::Query& query : queries) {
    alone.push_back(seconds_of([&] { search(index, std::span(&query, 1), mask, options); }));
  }
  std::vector<double> together;
  for (int repeat = 0; repeat < 3; ++repeat) {
    together.push_back(seconds_of([&] { search(index, queries, mask, options); }) /
                       static_cast<double>(queries.size()));
  }
  times.alone = 1e3 * median(alone);
  times.together = 1e3 * median(together);
  return times;
}

// The textbook's way: a list of (row, value) for each feature, sums of all rows, the best of them.
class Plain {
 public:
  explicit Plain(const SparseMatrix& bank) : lists_(static_cast<size_t>(bank.cols())), rows_(bank.rows()) {
    for (int64_t i = 0; i < bank.rows(); ++i) {
      double squares = 0;
      const auto row = bank.row(i);
      for (const float x : row.values) squares += double{x} * x;
      const auto scale = static_cast<float>(squares > 0 ? 1 / std::sqrt(squares) : 0);
      for (size_t n = 0; n < row.indices.size(); ++n) {
        lists_[static_cast<size_t>(row.indices[n])].push_back({static_cast<int32_t>(i), row.values[n] * scale});
      }
    }
  }

  std::vector<std::pair<float, int32_t>> best(const index::Query& query, int64_t k, std::vector<float>& sums) const {
    sums.assign(static_cast<size_t>(rows_), 0);
    float* const all = sums.data();
    for (const auto& [feature, weight] : query.weights) {
      for (const Posting& posting : lists_[static_cast<size_t>(feature)]) all[posting.row] += weight * posting.value;
    }
    std::vector<std::pair<float, int32_t>> heap;
    for (int32_t i = 0; i < rows_; ++i) {
      if (std::ssize(heap) == k) {
        if (all[i] <= heap.front().first) continue;
        std::ranges::pop_heap(heap, std::greater());
        heap.back() = {all[i], i};
      } else {
        heap.emplace_back(all[i], i);
      }
      std::ranges::push_heap(heap, std::greater());
    }
    return heap;
  }

 private:
  struct Posting {
    int32_t row;
    float value;
  };
  std::vector<std::vector<Posting>> lists_;
  int64_t rows_;
};

// A query alone is on one thread, as its sums are; a batch is on all.
void time_plain(const std::string& bank, const std::vector<index::Query>& queries, int64_t k, int threads) {
  const Embeddings embeddings = io::read_embeddings(bank);
  const Plain plain(std::get<SparseMatrix>(embeddings.features));
  std::vector<float> sums;
  std::vector<double> alone;
  for (const index::Query& query : queries) alone.push_back(seconds_of([&] { plain.best(query, k, sums); }));
  std::vector<double> together;
  for (int repeat = 0; repeat < 3; ++repeat) {
    together.push_back(seconds_of([&] {
                         parallel_for(std::ssize(queries), 4, threads, [&](int64_t begin, int64_t end) {
                           std::vector<float> mine;
                           for (int64_t q = begin; q < end; ++q) plain.best(queries[static_cast<size_t>(q)], k, mine);
                         });
                       }) /
                       static_cast<double>(queries.size()));
  }
  std::printf("%.5f %.5f\n", 1e3 * median(alone), 1e3 * median(together));
}

int run(const std::vector<std::string>& words) {
  const auto number = [&](size_t n) { return std::atoll(words.at(n).c_str()); };
  const std::string& mode = words.at(0);
  if (mode == "make") {
    io::write_embeddings(words.at(5), make(words.at(1), number(2), number(3), std::atof(words.at(4).c_str())));
  } else if (mode == "split") {
    split(words.at(1), number(2), words.at(3), words.at(4));
  } else if (mode == "build") {
    const Embeddings bank = io::read_embeddings(words.at(1));
    const double seconds = seconds_of(
        [&] { index::build_index(words.at(2), bank, words.at(1), {.threads = static_cast<int>(number(3))}); });
    const index::Index index = index::Index::open(words.at(2));
    std::printf("%.3f %.1f %.1f\n", seconds, static_cast<double>(index.file_bytes()) / 1e6, peak_megabytes());
  } else if (mode == "exact") {
    index::Index index = index::Index::open(words.at(1));
    const Times times = time_search(index, read_queries(words.at(2), number(3)),
                                    {.k = number(4), .threads = static_cast<int>(number(5))});
    index::Work work;
    for (const index::Found& found : times.found) work += found.work;
    const auto queries = static_cast<double>(times.found.size());
    std::printf("%.5f %.5f %.1f %.1f %.0f\n", times.alone, times.together, static_cast<double>(work.windows) / queries,
                static_cast<double>(work.blocks) / queries, static_cast<double>(work.postings) / queries);
  } else if (mode == "near") {
    const index::Index index = index::Index::open(words.at(1));
    const auto queries = read_queries(words.at(2), number(3));
    const index::RecallPlan plan = plan_for(index, std::atof(words.at(5).c_str()));
    const int threads = static_cast<int>(number(6));
    const Times near = time_search(index, queries, {.k = number(4), .blocks = plan.blocks, .threads = threads});
    const auto exact = search(index, queries, index::Mask(index), {.k = number(4), .threads = threads});
    double recall = 0;
    for (size_t q = 0; q < queries.size(); ++q) {
      int64_t both = 0;
      for (const index::Hit& hit : near.found[q].hits) both += std::ranges::count(exact[q].hits, hit);
      recall += static_cast<double>(both) / static_cast<double>(exact[q].hits.size());
    }
    std::printf("%.5f %.5f %.4f %lld %lld\n", near.alone, near.together, recall / static_cast<double>(queries.size()),
                static_cast<long long>(plan.blocks), static_cast<long long>(index.blocks()));
  } else if (mode == "plain") {
    time_plain(words.at(1), read_queries(words.at(2), number(3)), number(4), static_cast<int>(number(5)));
  } else {
    std::fprintf(stderr, "index_bench: expected make, split, build, exact, near or plain, got %s\n", mode.c_str());
    return 2;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "index_bench: %s\n", error.what());
    return 1;
  }
}
