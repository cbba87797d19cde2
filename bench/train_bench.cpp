// End-to-end training speed: pictures to views, network, loss, gradients, step. The peer is train_peer.py.
//
//   train_bench BACKBONE BATCH STEPS THREADS [float32|bfloat16]
//
// prints one JSON line with the median rate of images (two views each), and where the time went: also the processor
// time of a step, which a busy machine leaves as it is.

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

#include "learn/nn/model.h"
#include "learn/task/pass.h"
#include "learn/tiles/bf16_ops.h"
#include "learn/train/memory.h"
#include "learn/train/optimiser.h"
#include "orthant/data/loader.h"
#include "orthant/sources/open.h"

namespace {

using namespace orthant;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Of all threads.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

int run(const std::string& backbone, int64_t batch, int64_t steps, int threads, const std::string& precision) {
  keep_freed_memory();
  at::set_num_threads(threads);
  ModelOptions options;
  options.backbone.name = backbone;
  Model model(options);
  Optimiser optimiser([&](const TensorVisitor& visit) { model.visit_parameters(visit); }, {.name = "sgd"}, threads);
  const auto data = open_dataset("sprites", {.size = batch * (steps + 1)});
  Loader loader(data, view_preset("simclr"), {.batch = batch, .threads = threads});
  loader.start_epoch(0);
  std::vector<double> seconds;
  std::vector<double> processor;
  double learning = 0;
  double loss = 0;
  auto start = Clock::now();
  while (const Batch* views = loader.next()) {
    const auto begin = Clock::now();
    const double processor_begin = processor_seconds();
    const at::Tensor rows = at::from_blob(views->values.data(),
                                          {views->views * views->items, views->channels, views->height, views->width});
    const ops::Bf16Scope scope(precision);
    const Pass pass = forward_backward(model, rows, {});
    optimiser.step(0.05);
    optimiser.clear_gradients();
    loss = pass.loss.loss.item<double>();
    learning += seconds_since(begin);
    processor.push_back(processor_seconds() - processor_begin);
    seconds.push_back(seconds_since(start));
    start = Clock::now();
  }
  for (std::vector<double>* list : {&seconds, &processor}) {
    list->erase(list->begin());
    std::ranges::sort(*list);
  }
  const double rate = static_cast<double>(batch) / seconds[seconds.size() / 2];
  const double flops = 3 * 2 * model.flops() * rate;
  std::printf(
      "{\"program\": \"orthant\", \"backbone\": \"%s\", \"batch\": %lld, \"threads\": %d, \"precision\": \"%s\", "
      "\"images_per_second\": %.2f, "
      "\"gflops\": %.1f, \"wait_share\": %.4f, \"step_seconds\": %.3f, \"step_processor_seconds\": %.3f, \"loss\": "
      "%.4f}\n",
      backbone.c_str(), static_cast<long long>(batch), threads, precision.c_str(), rate, flops * 1e-9,
      loader.wait_share(), learning / static_cast<double>(seconds.size() + 1), processor[processor.size() / 2], loss);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5 && argc != 6) {
    std::fprintf(stderr, "usage: train_bench BACKBONE BATCH STEPS THREADS [float32|bfloat16]\n");
    return 2;
  }
  try {
    return run(argv[1], std::atoll(argv[2]), std::atoll(argv[3]), std::atoi(argv[4]), argc == 6 ? argv[5] : "float32");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "train_bench: %s\n", error.what());
    return 1;
  }
}
