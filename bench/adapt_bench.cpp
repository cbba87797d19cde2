// Steps of `orthant adapt` on random vectors, for bench/adapt.py:
//
//   adapt_bench ROWS DIMS FEATURES ACTIVE BATCH STEPS THREADS DEAD
//
// Learns top-k with the 4k term and the auxiliary loss from ROWS vectors in memory, DEAD features of which are taken to
// be dead at every step, so that the auxiliary loss has work. Prints one JSON line.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "orthant/adapt/learner.h"
#include "orthant/core/rng.h"

int main(int argc, char** argv) {
  using namespace orthant;
  if (argc != 9) return 2;
  int64_t numbers[8];
  for (int i = 0; i < 8; ++i) numbers[i] = std::atoll(argv[i + 1]);
  const auto [rows, dims, features, active, batch, steps, threads, dead] = numbers;
  adapt::Adapter adapter = adapt::Adapter::empty(dims, features, adapt::Gate::topk, false);
  adapter.active = active;
  Rng rng(1);
  const auto fill = [&](adapt::Floats& values, int64_t count, double scale) {
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t j = 0; j < dims; ++j) {
        values[static_cast<size_t>(i * adapter.stride + j)] = static_cast<float>(scale * (rng.uniform() - 0.5));
      }
    }
  };
  fill(adapter.encoder, features, 0.1);
  adapter.decoder = adapter.encoder;
  adapt::Floats x(static_cast<size_t>(rows * adapter.stride));
  fill(x, rows, 3.4);
  adapt::ObjectiveOptions objective;
  objective.aux_active = 256;
  adapt::Learner learner(adapter, objective, true, 1e-8, static_cast<int>(threads));
  std::vector<int32_t> ages(static_cast<size_t>(features), 0);
  for (int64_t h = 0; h < dead; ++h) ages[static_cast<size_t>(h)] = 1 << 20;
  const auto step = [&](int64_t n) {
    learner.set_ages(ages);
    const int64_t begin = n * batch % (rows - batch + 1);
    const std::span<const float> piece(x.data() + begin * adapter.stride, static_cast<size_t>(batch * adapter.stride));
    return learner.step({piece}, {.rate = 1e-4, .active = active}).loss;
  };
  double loss = step(0);
  const auto start = std::chrono::steady_clock::now();
  for (int64_t n = 1; n <= steps; ++n) loss = step(n);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  std::printf("{\"rows_per_second\": %.1f, \"peak_mib\": %.1f, \"loss\": %.6f}\n",
              static_cast<double>(steps * batch) / seconds, static_cast<double>(usage.ru_maxrss) / 1024, loss);
  return 0;
}
