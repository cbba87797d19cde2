// Training speed of the text networks: ids to features, gradients, an AdamW step. The peer is text_peer.py.
//
//   text_bench NETWORK BATCH STEPS THREADS
//
// prints one JSON line with the median rate of texts and of what a step consists of. Texts have 5 to 20 words; a bag
// has 14 ids for each of them.

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "learn/nn/encoder.h"
#include "learn/train/memory.h"
#include "learn/train/optimiser.h"
#include "orthant/core/rng.h"

namespace {

using namespace orthant;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// Words of a caption: 64 quantiles of 35,000.
constexpr std::array<int64_t, 64> kLengths = {4,  5,  5,  6,  6,  6,  6,  7,  7,  7,  7,  7,  8,  8,  8,  8,
                                              8,  8,  9,  9,  9,  9,  9,  9,  9,  9,  10, 10, 10, 10, 10, 10,
                                              10, 11, 11, 11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 13, 13, 13,
                                              13, 13, 14, 14, 14, 14, 15, 15, 15, 16, 16, 17, 17, 18, 19, 22};

at::Tensor random_ids(int64_t batch, int64_t ids_per_word, int64_t buckets, uint64_t seed) {
  Rng rng(seed);
  at::Tensor ids = at::full({batch, kLengths.back() * ids_per_word}, -1, at::kInt);
  for (int64_t i = 0; i < batch; ++i) {
    const int64_t words = kLengths[rng.below(kLengths.size())];
    int32_t* row = ids.data_ptr<int32_t>() + i * ids.size(1);
    for (int64_t k = 0; k < words * ids_per_word; ++k) {
      row[k] = static_cast<int32_t>(rng.below(static_cast<uint64_t>(buckets)));
    }
  }
  return ids;
}

int run(const std::string& name, int64_t batch, int64_t steps, int threads) {
  keep_freed_memory();
  at::set_num_threads(threads);
  const TextOptions text{.max_words = 64};
  const auto encoder = make_encoder({.name = name}, 0, text);
  Optimiser optimiser([&](const TensorVisitor& visit) { encoder->visit_parameters(visit); }, {.name = "adamw"},
                      threads);
  std::vector<double> passes;
  std::vector<double> updates;
  std::vector<double> wholes;
  for (int64_t step = 0; step < steps; ++step) {
    const at::Tensor ids = random_ids(batch, name == "text-bag" ? 14 : 1, text.buckets, static_cast<uint64_t>(step));
    const auto start = Clock::now();
    encoder->forward(ids).square().mean().backward();
    passes.push_back(seconds_since(start));
    optimiser.step(1e-3);
    optimiser.clear_gradients();
    wholes.push_back(seconds_since(start));
    updates.push_back(wholes.back() - passes.back());
  }
  std::printf(
      "{\"program\": \"orthant\", \"network\": \"%s\", \"batch\": %lld, \"threads\": %d, \"texts_per_second\": %.1f, "
      "\"pass_seconds\": %.5f, \"update_seconds\": %.5f}\n",
      name.c_str(), static_cast<long long>(batch), threads, static_cast<double>(batch) / median(wholes), median(passes),
      median(updates));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: text_bench NETWORK BATCH STEPS THREADS\n");
    return 2;
  }
  try {
    return run(argv[1], std::atoll(argv[2]), std::atoll(argv[3]), std::atoi(argv[4]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "text_bench: %s\n", error.what());
    return 1;
  }
}
