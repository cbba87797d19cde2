#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/adapt/adapter.h"
#include "orthant/adapt/material.h"
#include "orthant/core/matrix.h"
#include "orthant/run/scalars.h"
#include "orthant/search/neighbours.h"

namespace orthant::adapt {

// Two towers: of rows held out, how many find theirs first, or among ten.
struct Found {
  int64_t rows = 0;
  double there_at_1 = 0, there_at_10 = 0;  // from the first to the second
  double back_at_1 = 0, back_at_10 = 0;
};

// What codes keep of what the vectors knew, at one number of features on per row.
struct Kept {
  std::string code;      // "dense", "32 on", "chance"
  double on = 0;         // features on per row, on average
  double explained = 0;  // share of the variance that the reconstruction explains; NaN: there is none
  double one_nn = 0;     // labels: right by the nearest neighbour; NaN without
  double knn = 0;        // and by the vote of 20
  double precision = 0;  // and how many of the ten nearest have the class of the row
  double recall = 0;     // share of the dense 10 nearest that are among the code's 10 nearest
  double dead = 0;       // share of features that are off in all rows looked at
  Found found = {};      // of two towers
};

// Rows that are not learned from look for their nearest among rows that are, by cosine: as vectors, once, and as codes.
class Watch {
 public:
  // Reads both kinds of rows. `adapter` says how they are prepared.
  Watch(const AdaptRecipe& recipe, const Material& material, const Adapter& adapter);

  bool empty() const { return queries_ == 0; }
  bool labelled() const { return !query_labels_.empty(); }
  int64_t queries() const { return queries_; }
  int64_t bank() const { return bank_; }

  bool paired() const { return !second_x_.empty(); }

  Kept dense() const { return dense_; }
  // What rows in any order would keep: of 1-NN and precision the class of a row drawn at random, of the vote the
  // commonest class, of the nearest ten any ten.
  Kept chance() const;
  // active 0: as the adapter embeds.
  Kept look(const Adapter& adapter, int64_t active = 0) const;
  // Of two towers.
  Found find(const Adapter& adapter, int64_t active = 0) const;

  // dense() and looks at 4, 8, 16, ... up to four times the adapter's own number, which is among them.
  std::vector<Kept> table(const Adapter& adapter) const;

 private:
  Kept judge(const search::Neighbours& found) const;

  int threads_;
  int64_t queries_ = 0;
  int64_t bank_ = 0;
  Floats x_;         // [queries + bank, stride]
  Floats second_x_;  // of the second tower [queries, stride]
  std::vector<int64_t> query_labels_, bank_labels_;
  search::Neighbours nearest_;  // dense
  Kept dense_;
};

// result.json of a run: the table, and what chance would give, in one document.
std::string table_json(const Watch& watch, const std::vector<Kept>& table);

}  // namespace orthant::adapt
