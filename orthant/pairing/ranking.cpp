#include "orthant/pairing/ranking.h"

#include <algorithm>
#include <limits>
#include <mutex>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/linalg/products.h"
#include "orthant/pairing/cosines.h"
#include "orthant/pairing/owners.h"

namespace orthant::pairing {
namespace {

constexpr double kEqual = 1e-9;
constexpr int64_t kItems = 128;  // of a in a tile
constexpr int64_t kRows = 1024;  // of b in a tile

size_t at(int64_t index) { return static_cast<size_t>(index); }

// What there is to beat: for each item the best cosine of its own rows, for each row that with its item.
struct Goals {
  std::vector<double> of_item;
  std::vector<double> of_row;
};

Goals goals_of(const Features& a, const Features& b, std::span<const int64_t> owner, Ranking& ranking) {
  Goals goals{std::vector<double>(at(a.rows()), -std::numeric_limits<double>::infinity()),
              matched_cosines(a, b, owner)};
  for (size_t j = 0; j < owner.size(); ++j) {
    double& best = goals.of_item[at(owner[j])];
    best = std::max(best, goals.of_row[j]);
  }
  for (size_t j = 0; j < owner.size(); ++j) {
    const bool best = goals.of_row[j] >= goals.of_item[at(owner[j])] - kEqual;
    ranking.a_to_b[at(owner[j])].own += best ? 1 : 0;
    ranking.b_to_a[j].own = 1;
  }
  return goals;
}

// Counts a score that stands against a goal, `times` over (-1: takes it back).
void count(Place& place, double score, double goal, int64_t times) {
  const bool ahead = score > goal + kEqual;
  place.ahead += ahead ? times : 0;
  place.equal += !ahead && score >= goal - kEqual ? times : 0;
}

// The scores of items from `item` on with rows from `row` on; what belongs together is not counted.
struct Tile {
  Matrix64 scores;
  int64_t item = 0;
  int64_t row = 0;
};

void count_items(const Tile& tile, const Goals& goals, std::vector<Place>& places) {
  for (int64_t i = 0; i < tile.scores.rows(); ++i) {
    const double goal = goals.of_item[at(tile.item + i)];
    int64_t ahead = 0;
    int64_t reached = 0;
    for (const double score : tile.scores.row(i)) {
      ahead += score > goal + kEqual ? 1 : 0;
      reached += score >= goal - kEqual ? 1 : 0;
    }
    Place& place = places[at(tile.item + i)];
    place.ahead += ahead;
    place.equal += reached - ahead;
  }
}

void count_rows(const Tile& tile, const Goals& goals, std::vector<Place>& places) {
  const double* const goal = goals.of_row.data() + tile.row;
  Place* const place = places.data() + tile.row;
  for (int64_t i = 0; i < tile.scores.rows(); ++i) {
    const auto scores = tile.scores.row(i);
    for (size_t j = 0; j < scores.size(); ++j) count(place[j], scores[j], goal[j], 1);
  }
}

void take_back_own(const Tile& tile, std::span<const int64_t> owner, const Goals& goals, Ranking& ranking) {
  for (int64_t j = 0; j < tile.scores.cols(); ++j) {
    const int64_t item = owner[at(tile.row + j)];
    const int64_t i = item - tile.item;
    if (i < 0 || i >= tile.scores.rows()) continue;
    count(ranking.a_to_b[at(item)], tile.scores(i, j), goals.of_item[at(item)], -1);
    count(ranking.b_to_a[at(tile.row + j)], tile.scores(i, j), goals.of_row[at(tile.row + j)], -1);
  }
}

}  // namespace

Ranking rank_pairs(const Features& a, const Features& b, std::span<const int64_t> owner, int threads) {
  check_owners(a.rows(), b.rows(), owner);
  check(a.cols() == b.cols(), "[pairs] expected as many features on both sides, got ", a.cols(), " and ", b.cols());
  check_finite(a, "pairs, first");
  check_finite(b, "pairs, second");
  Ranking ranking{std::vector<Place>(at(a.rows())), std::vector<Place>(at(b.rows()))};
  const Goals goals = goals_of(a, b, owner, ranking);
  std::mutex one_at_a_time;
  parallel_for(a.rows(), kItems, threads, [&](int64_t begin, int64_t end) {
    const Matrix64 items = unit_rows(a, begin, end);
    Ranking found{std::vector<Place>(at(a.rows())), std::vector<Place>(at(b.rows()))};
    for (int64_t row = 0; row < b.rows(); row += kRows) {
      const Matrix64 rows = unit_rows(b, row, std::min(row + kRows, b.rows()));
      const Tile tile{linalg::matmul_by_transposed(items, rows, 1), begin, row};
      count_items(tile, goals, found.a_to_b);
      count_rows(tile, goals, found.b_to_a);
      take_back_own(tile, owner, goals, found);
    }
    const std::lock_guard lock(one_at_a_time);
    const auto add = [](std::vector<Place>& sums, const std::vector<Place>& more) {
      for (size_t n = 0; n < sums.size(); ++n) {
        sums[n].ahead += more[n].ahead;
        sums[n].equal += more[n].equal;
      }
    };
    add(ranking.a_to_b, found.a_to_b);
    add(ranking.b_to_a, found.b_to_a);
  });
  return ranking;
}

}  // namespace orthant::pairing
