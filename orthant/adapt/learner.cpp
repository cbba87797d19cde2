#include "orthant/adapt/learner.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "orthant/adapt/selection.h"
#include "orthant/core/error.h"
#include "orthant/core/threads.h"

namespace orthant::adapt {
namespace {

constexpr int64_t kRowBlock = 32;
constexpr int64_t kFeatureBlock = 64;
constexpr float kThresholdFall = 0.97F;  // of a dead feature's threshold in a step

// One feature in one row, as the feature sees it.
struct Use {
  int32_t row = 0;
  Role role = Role::near;
  float value = 0;
  float slope = 0;
  float push = 0;
};

// Collects rows until there are four.
class RowSum {
 public:
  RowSum(float* sum, int64_t stride) : sum_(sum), stride_(stride) {}

  void add(const float* row, float factor) {
    rows_[count_] = row;
    factors_[count_] = factor;
    if (++count_ < 4) return;
    add_four_rows(sum_, rows_, factors_, stride_);
    count_ = 0;
  }
  void finish() {
    for (size_t n = 0; n < count_; ++n) add_row(sum_, rows_[n], factors_[n], stride_);
    count_ = 0;
  }

 private:
  float* sum_;
  int64_t stride_;
  const float* rows_[4] = {};
  float factors_[4] = {};
  size_t count_ = 0;
};

void adam_value(float& weight, float gradient, float& first, float& second, const AdamStep& step) {
  first = step.beta1 * first + (1 - step.beta1) * gradient;
  second = step.beta2 * second + (1 - step.beta2) * gradient * gradient;
  weight -= step.rate * first / (std::sqrt(second) * step.root + step.epsilon);
}

}  // namespace

struct Learner::Terms {
  Selection selection;
  int64_t rows = 0;
  double counted = 0;  // rows that are reconstructed
  int64_t wide = 0;
  bool has_spare = false;
  double error = 0;  // sums over all elements
  double wide_error = 0;
  double spare_error = 0;
  double spare_variance = 0;
  std::vector<double> bias_slope;  // [stride] through the decoder
  std::vector<int64_t> offsets;    // [H + 1] of the uses
  std::vector<Use> uses;
  StepReport report;
};

Learner::Learner(Adapter adapter, const ObjectiveOptions& objective, bool unit_decoder, double epsilon, int threads)
    : adapter_(std::move(adapter)),
      objective_(objective),
      unit_decoder_(unit_decoder && !adapter_.tied),
      epsilon_(epsilon),
      threads_(threads),
      ages_(static_cast<size_t>(adapter_.features)),
      encoder_first_(adapter_.encoder.size()),
      encoder_second_(adapter_.encoder.size()),
      decoder_first_(adapter_.decoder.size()),
      decoder_second_(adapter_.decoder.size()),
      small_first_(adapter_.encoder_bias.size()),
      small_second_(adapter_.encoder_bias.size()),
      bias_first_(adapter_.bias.size()),
      bias_second_(adapter_.bias.size()) {
  if (adapter_.gate == Gate::jump) {
    threshold_first_.resize(adapter_.thresholds.size());
    threshold_second_.resize(adapter_.thresholds.size());
  }
}

std::vector<int32_t> Learner::dead_features() const {
  std::vector<int32_t> dead;
  for (size_t j = 0; j < ages_.size(); ++j) {
    if (ages_[j] > objective_.dead_steps) dead.push_back(static_cast<int32_t>(j));
  }
  return dead;
}

int64_t Learner::dead() const { return std::ssize(dead_features()); }

Learner::Terms Learner::analyse(const Batch& batch, int64_t active) {
  Terms terms;
  terms.rows = std::ssize(batch.x) / adapter_.stride;
  check(terms.rows > 0 && std::ssize(batch.x) == terms.rows * adapter_.stride, "[adapt] expected rows of ",
        adapter_.stride, " floats, got ", batch.x.size(), " floats");
  check(batch.counts.empty() || std::ssize(batch.counts) == terms.rows, "[adapt] expected a count for each of the ",
        terms.rows, " rows, got ", batch.counts.size());
  terms.counted = batch.counts.empty() ? static_cast<double>(terms.rows)
                                       : std::accumulate(batch.counts.begin(), batch.counts.end(), 0.0);
  terms.wide = objective_.wide > 0 ? std::min(4 * active, adapter_.features) : active;
  less_.resize(batch.x.size());
  parallel_for(terms.rows, kRowBlock, threads_, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * adapter_.stride; i < end * adapter_.stride; ++i) {
      const auto at = static_cast<size_t>(i);
      less_[at] = batch.x[at] - adapter_.bias[static_cast<size_t>(i % adapter_.stride)];
    }
  });
  const std::vector<int32_t> dead = dead_features();
  terms.has_spare = objective_.aux > 0 && !dead.empty();
  terms.selection = select_features(adapter_, less_.data(), terms.rows, dead, guess_,
                                    {.active = active,
                                     .wide = terms.wide,
                                     .spare = terms.has_spare ? objective_.aux_active : 0,
                                     .jump_width = objective_.jump_width,
                                     .threads = threads_});
  terms.report.dead = std::ssize(dead);
  double on = 0;
  for (const RowEntries& row : terms.selection.codes.rows) {
    on += row.counts[0];
    if (row.counts[0] == 0) ++terms.report.silent;
  }
  terms.report.active = on / static_cast<double>(terms.rows);
  StepReport& report = terms.report;
  if (objective_.contrast > 0) {
    report.contrast = contrast(terms.selection.codes, adapter_.features, batch.together, objective_.temperature,
                               objective_.contrast, threads_);
    report.loss += objective_.contrast * report.contrast;
  }
  if (objective_.reconstruction > 0) {
    reconstruct(terms, batch);
    weigh_errors(terms, batch);
    take_slopes(terms);
  }
  if (adapter_.gate == Gate::jump) {
    const double excess = report.active / static_cast<double>(active) - 1;
    report.sparsity = excess * excess;
    report.loss += objective_.sparsity * report.sparsity;
  }
  return terms;
}

// The errors x^ - x with the K, with the 4K, and what dead features leave of the first: x^ - x + V z_dead. The bias is
// in x^ once, and so in neither side of the last.
void Learner::reconstruct(Terms& terms, const Batch& batch) {
  const bool widens = objective_.wide > 0;
  near_.resize(less_.size());
  if (widens) wide_.resize(less_.size());
  if (terms.has_spare) spare_.resize(less_.size());
  const int64_t stride = adapter_.stride;
  const Floats& weights = adapter_.decoding();
  struct Part {
    double near = 0, wide = 0, spare = 0;
    std::vector<double> sum;
  };
  std::vector<Part> parts(static_cast<size_t>((terms.rows + kRowBlock - 1) / kRowBlock));
  parallel_for(std::ssize(parts), 1, threads_, [&](int64_t first, int64_t last) {
    for (int64_t b = first; b < last; ++b) {
      Part& part = parts[static_cast<size_t>(b)];
      if (terms.has_spare) part.sum.resize(static_cast<size_t>(stride));
      for (int64_t i = b * kRowBlock; i < std::min(terms.rows, (b + 1) * kRowBlock); ++i) {
        const int64_t at = i * stride;
        float* const near = near_.data() + at;
        for (int64_t j = 0; j < stride; ++j) near[j] = -less_[static_cast<size_t>(at + j)];
        const RowEntries& row = terms.selection.codes.rows[static_cast<size_t>(i)];
        const Entry* entry = terms.selection.codes.entries.data() + row.begin;
        const auto add = [&](float* out, int32_t count) {
          RowSum sum(out, stride);
          for (int32_t n = 0; n < count; ++n, ++entry) sum.add(weights.data() + entry->feature * stride, entry->value);
          sum.finish();
        };
        add(near, row.counts[0]);
        const double counts = batch.counts.empty() ? 1 : static_cast<double>(batch.counts[static_cast<size_t>(i)]);
        part.near += counts * static_cast<double>(dot(near, near, stride));
        if (widens) {
          float* const wide = wide_.data() + at;
          std::copy(near, near + stride, wide);
          add(wide, row.counts[1]);
          part.wide += counts * static_cast<double>(dot(wide, wide, stride));
        } else {
          entry += row.counts[1];
        }
        if (!terms.has_spare) continue;
        float* const spare = spare_.data() + at;
        std::copy(near, near + stride, spare);
        add(spare, row.counts[2]);
        part.spare += counts * static_cast<double>(dot(spare, spare, stride));
        for (int64_t j = 0; j < stride; ++j) {
          part.sum[static_cast<size_t>(j)] += counts * static_cast<double>(near[j]);
        }
      }
    }
  });
  std::vector<double> sum(static_cast<size_t>(stride));
  for (const Part& part : parts) {
    terms.error += part.near;
    terms.wide_error += part.wide;
    terms.spare_error += part.spare;
    for (size_t j = 0; j < part.sum.size(); ++j) sum[j] += part.sum[j];
  }
  double squared_mean = 0;
  for (const double s : sum) squared_mean += s * s / terms.counted;
  terms.spare_variance = terms.error - squared_mean;
}

// From errors to derivatives by the reconstructions, in place: what near features see (both errors), wide ones (the
// wide error) and spare ones; and what the losses are.
void Learner::weigh_errors(Terms& terms, const Batch& batch) {
  const double elements = terms.counted * static_cast<double>(adapter_.dims);
  const bool widens = objective_.wide > 0;
  const bool tries = terms.has_spare && terms.spare_variance > 0;
  StepReport& report = terms.report;
  report.error = terms.error / elements;
  report.wide = widens ? terms.wide_error / elements : 0;
  report.aux = tries ? terms.spare_error / terms.spare_variance : 0;
  report.loss += objective_.reconstruction * report.error + objective_.wide * report.wide + objective_.aux * report.aux;
  const auto by_near = static_cast<float>(2 * objective_.reconstruction / elements);
  const auto by_wide = static_cast<float>(2 * objective_.wide / elements);
  const auto by_spare = static_cast<float>(tries ? 2 * objective_.aux / terms.spare_variance : 0);
  const int64_t stride = adapter_.stride;
  std::vector<std::vector<double>> parts(static_cast<size_t>((terms.rows + kRowBlock - 1) / kRowBlock));
  parallel_for(std::ssize(parts), 1, threads_, [&](int64_t first, int64_t last) {
    for (int64_t b = first; b < last; ++b) {
      std::vector<double>& part = parts[static_cast<size_t>(b)];
      part.resize(static_cast<size_t>(stride));
      for (int64_t i = b * kRowBlock; i < std::min(terms.rows, (b + 1) * kRowBlock); ++i) {
        const float counts = batch.counts.empty() ? 1.0F : batch.counts[static_cast<size_t>(i)];
        for (int64_t j = 0; j < stride; ++j) {
          const auto at = static_cast<size_t>(i * stride + j);
          const float wide = widens ? counts * by_wide * wide_[at] : 0;
          near_[at] = counts * by_near * near_[at] + wide;
          if (widens) wide_[at] = wide;
          const float spare = terms.has_spare ? counts * by_spare * spare_[at] : 0;
          if (terms.has_spare) spare_[at] = spare;
          part[static_cast<size_t>(j)] += static_cast<double>(near_[at]) + static_cast<double>(spare);
        }
      }
    }
  });
  terms.bias_slope.assign(static_cast<size_t>(stride), 0);
  for (const auto& part : parts) {
    for (size_t j = 0; j < part.size(); ++j) terms.bias_slope[j] += part[j];
  }
}

void Learner::take_slopes(Terms& terms) {
  const int64_t stride = adapter_.stride;
  const Floats& weights = adapter_.decoding();
  parallel_for(terms.rows, kRowBlock, threads_, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      terms.selection.codes.visit(i, [&](Role role, Entry& entry) {
        const Floats& seen = role == Role::wide ? wide_ : role == Role::spare ? spare_ : near_;
        entry.push = dot(weights.data() + entry.feature * stride, seen.data() + i * stride, stride);
        if (role != Role::edge) entry.slope += entry.push;
      });
    }
  });
}

void Learner::update(Terms& terms, const Pace& pace) {
  BatchCodes& codes = terms.selection.codes;
  terms.offsets.assign(static_cast<size_t>(adapter_.features + 1), 0);
  for (const Entry& entry : codes.entries) ++terms.offsets[static_cast<size_t>(entry.feature) + 1];
  for (size_t j = 1; j < terms.offsets.size(); ++j) terms.offsets[j] += terms.offsets[j - 1];
  terms.uses.resize(codes.entries.size());
  std::vector<int64_t> next(terms.offsets.begin(), terms.offsets.end() - 1);
  for (int64_t i = 0; i < terms.rows; ++i) {
    codes.visit(i, [&](Role role, const Entry& entry) {
      terms.uses[static_cast<size_t>(next[static_cast<size_t>(entry.feature)]++)] = {
          static_cast<int32_t>(i), role, entry.value, entry.slope, entry.push};
    });
  }
  ++steps_;
  const auto t = static_cast<double>(steps_);
  AdamStep step;
  step.rate = static_cast<float>(pace.rate / (1 - std::pow(static_cast<double>(step.beta1), t)));
  step.root = static_cast<float>(1 / std::sqrt(1 - std::pow(static_cast<double>(step.beta2), t)));
  step.epsilon = static_cast<float>(epsilon_);
  const int64_t blocks = (adapter_.features + kFeatureBlock - 1) / kFeatureBlock;
  Floats parts(static_cast<size_t>(blocks * adapter_.stride));
  parallel_for(blocks, 1, threads_, [&](int64_t first, int64_t last) {
    Floats encoder_gradient(static_cast<size_t>(adapter_.stride));
    Floats decoder_gradient(static_cast<size_t>(adapter_.stride));
    for (int64_t b = first; b < last; ++b) {
      for (int64_t j = b * kFeatureBlock; j < std::min(adapter_.features, (b + 1) * kFeatureBlock); ++j) {
        update_feature(j, terms, step, encoder_gradient, decoder_gradient, parts.data() + b * adapter_.stride);
      }
    }
  });
  terms.bias_slope.resize(static_cast<size_t>(adapter_.stride));
  for (int64_t b = 0; b < blocks; ++b) {
    for (int64_t j = 0; j < adapter_.stride; ++j) {
      terms.bias_slope[static_cast<size_t>(j)] -=
          static_cast<double>(parts[static_cast<size_t>(b * adapter_.stride + j)]);
    }
  }
  update_bias(terms, step);
}

void Learner::update_feature(int64_t feature, const Terms& terms, const AdamStep& step, Floats& encoder_gradient,
                             Floats& decoder_gradient, float* bias_part) {
  const int64_t stride = adapter_.stride;
  const auto j = static_cast<size_t>(feature);
  const auto weights_at = static_cast<size_t>(feature * stride);
  const bool decodes = objective_.reconstruction > 0;
  std::ranges::fill(encoder_gradient, 0.0F);
  if (!adapter_.tied) std::ranges::fill(decoder_gradient, 0.0F);
  RowSum encoder_sum(encoder_gradient.data(), stride);
  RowSum decoder_sum(decoder_gradient.data(), stride);
  RowSum& decoder = adapter_.tied ? encoder_sum : decoder_sum;
  double slopes = 0;
  double threshold_slope = 0;
  bool on = false;
  const bool jumps = adapter_.gate == Gate::jump;
  const double theta = jumps ? static_cast<double>(adapter_.thresholds[j]) : 0;
  const double width = objective_.jump_width;
  const double target = static_cast<double>(adapter_.active);
  const double excess =
      jumps ? 2 * objective_.sparsity * (terms.report.active / target - 1) / (target * static_cast<double>(terms.rows))
            : 0;
  for (int64_t n = terms.offsets[j]; n < terms.offsets[j + 1]; ++n) {
    const Use& use = terms.uses[static_cast<size_t>(n)];
    const int64_t row = use.row * stride;
    on = on || use.role == Role::near;
    // A rectangle of that width around the threshold stands for the derivative of the step there.
    if (jumps && use.role != Role::spare && std::abs(static_cast<double>(use.value) - theta) < width / 2) {
      threshold_slope -= (theta * static_cast<double>(use.push) + excess) / width;
    }
    if (use.role == Role::edge) continue;
    encoder_sum.add(less_.data() + row, use.slope);
    slopes += static_cast<double>(use.slope);
    if (!decodes) continue;
    const Floats& seen = use.role == Role::wide ? wide_ : use.role == Role::spare ? spare_ : near_;
    decoder.add(seen.data() + row, use.value);
  }
  encoder_sum.finish();
  decoder_sum.finish();
  int32_t& age = ages_[j];
  age = on ? 0 : age + 1;
  add_row(bias_part, adapter_.encoder.data() + weights_at, static_cast<float>(slopes), stride);
  adam(adapter_.encoder.data() + weights_at, encoder_gradient.data(), encoder_first_.data() + weights_at,
       encoder_second_.data() + weights_at, stride, step);
  adam_value(adapter_.encoder_bias[j], static_cast<float>(slopes), small_first_[j], small_second_[j], step);
  if (jumps) {
    adam_value(adapter_.thresholds[j], static_cast<float>(threshold_slope), threshold_first_[j], threshold_second_[j],
               step);
    // No row is near the threshold of a dead feature, so nothing else would ever lower it.
    if (age > objective_.dead_steps) adapter_.thresholds[j] *= kThresholdFall;
    adapter_.thresholds[j] = std::max(adapter_.thresholds[j], 0.0F);
  }
  if (adapter_.tied || !decodes) return;
  float* const decoder_row = adapter_.decoder.data() + weights_at;
  if (unit_decoder_) {
    const float along = dot(decoder_gradient.data(), decoder_row, stride);
    add_row(decoder_gradient.data(), decoder_row, -along, stride);
  }
  adam(decoder_row, decoder_gradient.data(), decoder_first_.data() + weights_at, decoder_second_.data() + weights_at,
       stride, step);
  if (!unit_decoder_) return;
  const float squares = dot(decoder_row, decoder_row, stride);
  if (squares > 0) {
    const float factor = 1 / std::sqrt(squares);
    for (int64_t i = 0; i < stride; ++i) decoder_row[i] *= factor;
  }
}

void Learner::update_bias(const Terms& terms, const AdamStep& step) {
  for (size_t j = 0; j < adapter_.bias.size(); ++j) {
    adam_value(adapter_.bias[j], static_cast<float>(terms.bias_slope[j]), bias_first_[j], bias_second_[j], step);
  }
}

StepReport Learner::step(const Batch& batch, const Pace& pace) {
  Terms terms = analyse(batch, pace.active);
  if (!std::isfinite(terms.report.loss)) return terms.report;
  update(terms, pace);
  if (adapter_.gate == Gate::batch) {
    const double share = std::max(1 / static_cast<double>(steps_), 1 - objective_.threshold_decay);
    kept_ += share * (static_cast<double>(terms.selection.smallest) - kept_);
    adapter_.thresholds[0] = static_cast<float>(kept_);
  }
  return terms.report;
}

StepReport Learner::look(const Batch& batch, int64_t active) { return analyse(batch, active).report; }

template <class Visitor, class Self>
void Learner::visit_state(Self& self, Visitor&& visit) {
  visit("encoder", self.adapter_.encoder);
  visit("encoder_bias", self.adapter_.encoder_bias);
  visit("decoder", self.adapter_.decoder);
  visit("bias", self.adapter_.bias);
  visit("thresholds", self.adapter_.thresholds);
  visit("encoder.first", self.encoder_first_);
  visit("encoder.second", self.encoder_second_);
  visit("decoder.first", self.decoder_first_);
  visit("decoder.second", self.decoder_second_);
  visit("encoder_bias.first", self.small_first_);
  visit("encoder_bias.second", self.small_second_);
  visit("bias.first", self.bias_first_);
  visit("bias.second", self.bias_second_);
  visit("thresholds.first", self.threshold_first_);
  visit("thresholds.second", self.threshold_second_);
  visit("ages", self.ages_);
}

void Learner::save(Checkpoint& checkpoint) const {
  visit_state(*this, [&](const char* name, const auto& values) {
    using T = std::remove_cvref_t<decltype(values[0])>;
    const std::span<const T> span(values);
    if (!span.empty()) checkpoint.tensors[name] = io::tensor_of(io::array_of(span, {std::ssize(span)}));
  });
  checkpoint.facts["learner.steps"] = std::to_string(steps_);
  // A number that reads back to the bit.
  checkpoint.tensors["kept"] = io::tensor_of(io::array_of(std::span<const double>(&kept_, 1), {1}));
}

void Learner::restore(const Checkpoint& checkpoint) {
  visit_state(*this, [&](const char* name, auto& values) {
    using T = std::remove_cvref_t<decltype(values[0])>;
    if (values.empty()) return;
    const io::Array array = checkpoint.tensor(name).array("checkpoint");
    check_io(array.size() == std::ssize(values), "[checkpoint] expected ", values.size(), " numbers of ", name,
             ", got ", array.size());
    std::ranges::copy(array.as<T>(), values.begin());
  });
  steps_ = checkpoint.number("learner.steps");
  const io::Array kept = checkpoint.tensor("kept").array("checkpoint");
  check_io(kept.size() == 1, "[checkpoint] expected one running threshold, got ", kept.size());
  kept_ = kept.as<double>()[0];
}

}  // namespace orthant::adapt
