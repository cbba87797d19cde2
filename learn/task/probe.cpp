#include "learn/task/probe.h"

namespace orthant {
namespace {

constexpr double kHeldOut = 0.1;

}  // namespace

fit::LogisticModel fit_probe(const Embeddings& features, std::span<const int64_t> labels,
                             const SupervisedOptions& options, uint64_t seed,
                             const std::function<void(const fit::FitProgress&)>& progress) {
  fit::LogisticOptions fitting;
  fitting.l2 = options.l2;
  fitting.standardise = options.standardise;
  fitting.threads = static_cast<int>(options.threads);
  fitting.progress = progress;
  if (options.l2 > 0) return fit::fit_logistic(features, labels, fitting);
  return fit::fit_best(features, labels, fitting,
                       {.l2 = {1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}, .held_out = kHeldOut, .seed = seed});
}

}  // namespace orthant
