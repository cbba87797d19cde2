#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "orthant/core/embeddings.h"
#include "orthant/core/features.h"
#include "orthant/core/fields.h"

namespace orthant::measure {

// Below this temperature exponentials of similarities leave the range of a float.
constexpr double kMinSepinTemperature = 0.0125;

struct SepinOptions {
  double temperature = 0.2;  // of the loss; the one of training makes the loss comparable with that of training
  int64_t batch = 0;         // pairs that are each other's negatives; 0: all of them
  bool renormalise = true;   // rows get unit length again when a feature is left out; false: only before
  bool positive_in_denominator = true;  // false: the decoupled loss, -log(positive / negatives)
  uint64_t seed = 0;                    // of the batches: the pairs are shuffled by Rng(seed)
  int threads = 0;                      // 0: what the machine offers; results do not depend on it
  std::function<void(int64_t done, int64_t total)> progress = {};  // from the calling thread; may throw to stop
};

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, SepinOptions>
void for_each_field(Options& options, Visitor&& visit) {
  visit(Field{"temperature", "Temperature of the loss", {.min = kMinSepinTemperature}}, options.temperature);
  visit(Field{"batch", "Pairs that are each other's negatives, 0 for all", {.min = 0}}, options.batch);
  visit(Field{"renormalise", "Give rows unit length again when a feature is left out"}, options.renormalise);
  visit(Field{"positive_in_denominator", "Count the positive in the denominator of the loss"},
        options.positive_in_denominator);
}

// SEPIN@k: the mean of the k largest values. With fewer than k features it is the mean of all of them, and `features`
// is smaller than k.
struct SepinMean {
  int64_t k = 0;
  int64_t features = 0;
  double mean = 0;
};
SepinMean mean_of_largest(std::span<const double> values, int64_t k);

struct Sepin {
  std::vector<double> values;  // [D]: SEPIN_i, in nats; exactly 0 for a dead feature
  SepinMean at_1;
  SepinMean at_10;
  SepinMean at_100;
  SepinMean all;          // k = D, dead features included
  double loss = 0;        // L_NCE of all features
  int64_t live = 0;       // features that are not zero everywhere
  int64_t zero_rows = 0;  // of the rows of both views that were used: zero vectors, similarity 0 with everything
  int64_t pairs = 0;      // that were used
  int64_t batch = 0;      // pairs in each batch
};

// How much each feature tells of a sample beyond all others, estimated by contrastive losses (docs/measures.md:
// sepin/1):
//
//   SEPIN_i = L_NCE(f without i) - L_NCE(f),   L_NCE = mean over rows a of -log(p_a / (p_a + sum_b e^(cos(a, b) / t)))
//
// Row j of `first` and row j of `second` [B, D] are the features of two views of item j. The rows a are those of both;
// p_a is e^(cos / t) of row a and its other view, and b runs over both views of all other items of the batch.
// The leave-one-out values are exact, not approximated: similarities are computed once and corrected for each feature,
// only where it is active, so that time falls with sparsity. Accurate to about 1e-7 (t = 0.2).
//
// With options.batch below B the loss is the mean over batches; pairs that fill no batch are left out. A row of length
// 1e-12 or less is a zero vector, and so is a row of unit length whose length is that without the feature.
//
// Memory: both matrices as dense floats, up to 12 bytes for each of their non-zero entries, and 8 D bytes per row of a
// batch; never [B, B].
// std::invalid_argument for matrices of different shapes or without rows, NaN or infinite entries, a temperature below
// kMinSepinTemperature, or a batch of one pair where the positive is not in the denominator (no term is left).
Sepin sepin(const Features& first, const Features& second, const SepinOptions& options = {});

// The temperature that embeddings state in `how` under "temperature", if they do and it is a positive number.
std::optional<double> stated_temperature(const Embeddings& embeddings);

}  // namespace orthant::measure
