#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "orthant/core/embeddings.h"
#include "orthant/select/ranking.h"

namespace orthant::select {

struct SweepOptions {
  std::vector<int64_t> keep = {};  // numbers of features; empty: 8, 16, 32, ... below D. All D are always there.
  std::vector<RankingOptions> rankings = {{.by = "random"}, {.rank = "raw"}, {.rank = "relu"}};  // the paper's table
  int64_t seeds = 3;          // draws of a random ranking, from its seed on; the others need one
  bool probe_relu = false;    // the probe sees max(x, 0)
  double l2 = -1;             // of the probe; negative: chosen once, for all features, on held-out training rows
  int64_t iterations = 1000;  // of a probe's fit, at most
  int64_t neighbours = 20;    // of k-NN
  int threads = 0;
  std::function<void(int64_t done, int64_t total)> progress = {};  // selections; what it throws ends the work
};

struct Spread {
  double mean = 0;
  double deviation = 0;  // between draws, with n - 1; 0 for one
};

struct SweepPoint {
  std::string by;    // "all", or as in RankingOptions
  std::string rank;  // of activation; empty otherwise
  int64_t kept = 0;
  int64_t draws = 1;
  Spread probe;  // top-1 accuracy; without training embeddings there is none
  Spread probe_top5;
  int64_t unconverged = 0;  // draws whose probe stopped short of its minimum
  Spread knn;
  Spread precision;          // at 10
  Spread average_precision;  // at 10
};

struct Sweep {
  int64_t features = 0;
  bool probed = false;             // there were training embeddings
  double l2 = 0;                   // of the probe
  std::vector<SweepPoint> points;  // all features first, then by ranking, then by number kept
};

// How much a shorter embedding loses (the paper's table of feature selection): for every ranking and number of kept
// features the accuracy of a linear probe and of k-NN, and retrieval.
//
// With `train` [M, D] features are ranked on it, the probe (logistic regression on standardised features) is trained
// on it, and k-NN looks among its rows; `test` [N, D] is only judged. Without it (null) the ranking sees the rows it is
// judged on, there is no probe, and k-NN leaves one out. Retrieval is always among the rows of `test`, leaving one out.
// Neighbours are by cosine over the kept features.
//
// std::invalid_argument if there are no labels, the numbers of features differ, a number to keep is not 1 .. D, seeds,
// neighbours or iterations is below 1, or features are NaN or infinite.
Sweep sweep(const Embeddings* train, const Embeddings& test, const SweepOptions& options = {});

}  // namespace orthant::select
