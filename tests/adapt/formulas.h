#pragma once

#include <cmath>
#include <cstdint>

#include "orthant/adapt/adapter.h"

namespace orthant::adapt::test {

// f(a i + b j + c i j) rounded to float, as tests/golden/adapt/make_steps.py has it.
template <class Function>
void fill_grid(Floats& out, int64_t rows, int64_t cols, int64_t stride, double a, double b, double c, double scale,
               Function f) {
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j) {
      const auto x = static_cast<double>(i);
      const auto y = static_cast<double>(j);
      const auto value = static_cast<float>(f(a * x + b * y + c * x * y));
      out[static_cast<size_t>(i * stride + j)] = static_cast<float>(scale * static_cast<double>(value));
    }
  }
}

constexpr int64_t kRows = 24;
constexpr int64_t kDims = 10;
constexpr int64_t kFeatures = 20;
constexpr int64_t kActive = 2;

inline double sine(double x) { return std::sin(x); }
inline double cosine(double x) { return std::cos(x); }

inline Adapter formula_adapter(Gate gate, bool tied, bool unit) {
  Adapter adapter = Adapter::empty(kDims, kFeatures, gate, tied);
  adapter.active = kActive;
  fill_grid(adapter.encoder, kFeatures, kDims, adapter.stride, 0.9, 0.5, 0.23, 0.3, cosine);
  if (!tied) fill_grid(adapter.decoder, kFeatures, kDims, adapter.stride, 1.1, 0.7, 0.31, 0.3, sine);
  for (int64_t h = 0; !tied && unit && h < kFeatures; ++h) {
    double squares = 0;
    float* const row = adapter.decoder.data() + h * adapter.stride;
    for (int64_t j = 0; j < kDims; ++j) squares += static_cast<double>(row[j]) * row[j];
    for (int64_t j = 0; j < kDims; ++j) row[j] = static_cast<float>(static_cast<double>(row[j]) / std::sqrt(squares));
  }
  fill_grid(adapter.encoder_bias, 1, kFeatures, kFeatures, 0, 1, 0, 0.05, cosine);
  fill_grid(adapter.bias, 1, kDims, adapter.stride, 0, 1, 0, 0.1, sine);
  if (gate == Gate::jump) std::fill(adapter.thresholds.begin(), adapter.thresholds.end(), 0.25F);
  return adapter;
}

inline Floats formula_rows() {
  Floats x(static_cast<size_t>(kRows * padded(kDims)));
  fill_grid(x, kRows, kDims, padded(kDims), 0.7, 1.3, 0.37, 1, sine);
  return x;
}

}  // namespace orthant::adapt::test
