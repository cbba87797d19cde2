#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orthant/adapt/adapter.h"
#include "orthant/adapt/codes.h"
#include "orthant/adapt/contrast.h"
#include "orthant/adapt/kernels.h"
#include "orthant/adapt/options.h"
#include "orthant/run/checkpoint.h"

namespace orthant::adapt {

// Rows to learn from at once. Borrowed.
struct Batch {
  std::span<const float> x;            // [B, stride], as Adapter::prepare() makes them
  std::span<const float> counts = {};  // [B] 1: the row is to be reconstructed, 0: not; empty: all are
  Together together = {};
};

// What is different from step to step.
struct Pace {
  double rate = 1e-3;
  int64_t active = 0;  // K of now
};

// What a step was like, before the weights moved. Each term without its weight.
struct StepReport {
  double loss = 0;   // the sum of the terms, weighted
  double error = 0;  // mean squared error over elements: 1 is that of the mean
  double wide = 0;
  double aux = 0;
  double contrast = 0;
  double sparsity = 0;
  double active = 0;   // features on per row
  int64_t dead = 0;    // features that are dead, before the step
  int64_t silent = 0;  // rows without any feature on
};

// Learns an adapter: one GEMM for the pre-activations of a tile, and from there on only the features that are on.
// Gradients are made feature by feature and spent at once (Adam), so that they are never stored. All results are the
// same for any number of threads. One thread at a time may call.
class Learner {
 public:
  // `adapter` is where it starts; objective.aux_active is resolved.
  Learner(Adapter adapter, const ObjectiveOptions& objective, bool unit_decoder, double epsilon, int threads);

  // One step of Adam. std::invalid_argument if the batch does not fit the adapter.
  StepReport step(const Batch& batch, const Pace& pace);

  // The same without the step: nothing of the learner changes.
  StepReport look(const Batch& batch, int64_t active);

  const Adapter& adapter() const { return adapter_; }
  int64_t steps() const { return steps_; }
  int64_t dead() const;
  std::vector<int32_t> dead_features() const;

  // For tests: makes features dead, or alive, and gives the first moments of Adam.
  void set_ages(std::vector<int32_t> ages) { ages_ = std::move(ages); }
  const Floats& encoder_moment() const { return encoder_first_; }
  const Floats& decoder_moment() const { return decoder_first_; }
  const Floats& encoder_bias_moment() const { return small_first_; }
  const Floats& bias_moment() const { return bias_first_; }
  const Floats& threshold_moment() const { return threshold_first_; }

  // Everything that decides the future.
  void save(Checkpoint& checkpoint) const;
  void restore(const Checkpoint& checkpoint);  // IoError if it does not fit

 private:
  struct Terms;
  // The codes of a batch and the derivatives of the objective by them.
  Terms analyse(const Batch& batch, int64_t active);
  void reconstruct(Terms& terms, const Batch& batch);
  void weigh_errors(Terms& terms, const Batch& batch);
  void take_slopes(Terms& terms);
  void update(Terms& terms, const Pace& pace);
  void update_feature(int64_t feature, const Terms& terms, const AdamStep& step, Floats& encoder_gradient,
                      Floats& decoder_gradient, float* bias_part);
  void update_bias(const Terms& terms, const AdamStep& step);
  template <class Visitor, class Self>
  static void visit_state(Self& self, Visitor&& visit);

  Adapter adapter_;
  ObjectiveOptions objective_;
  bool unit_decoder_;
  double epsilon_;
  int threads_;
  int64_t steps_ = 0;
  float guess_ = 0;            // see select_features()
  double kept_ = 0;            // batch: the running threshold
  std::vector<int32_t> ages_;  // [H] steps since a feature was on
  Floats encoder_first_, encoder_second_;
  Floats decoder_first_, decoder_second_;  // empty where tied
  Floats small_first_, small_second_;      // of the encoder's biases [padded H]
  Floats bias_first_, bias_second_;
  Floats threshold_first_, threshold_second_;  // of jump
  // Rows of the batch [B, stride]: x - b, and the errors, which become the derivatives by the reconstructions.
  Floats less_, near_, wide_, spare_;
};

}  // namespace orthant::adapt
