#include <algorithm>
#include <array>

#include "learn/nn/winograd.h"
#include "learn/nn/winograd_weights.h"
#include "orthant/core/threads.h"

namespace orthant {
namespace {

constexpr int64_t kL = kWinogradLanes;
using Line = std::array<float, kL>;

// G of stride 1 or 2 (winograd_transforms-inl.h), applied to three lines of 16 filters.
void apply_g(int64_t stride, const Line& g0, const Line& g1, const Line& g2, std::array<Line, 6>& out) {
  for (size_t l = 0; l < kL && stride == 2; ++l) {
    out[0][l] = g0[l] * 0.5F;
    out[1][l] = (g0[l] + g2[l]) * -0.5F;
    out[2][l] = (g2[l] - g0[l]) * (1.0F / 6);
    out[3][l] = g0[l] * (1.0F / 6) + g2[l] * (1.0F / 3);
    out[4][l] = g2[l];
    out[5][l] = g1[l];
  }
  for (size_t l = 0; l < kL && stride == 1; ++l) {
    const float even = g0[l] + g2[l];
    const float far = g0[l] * (1.0F / 24) + g2[l] * (1.0F / 6);
    out[0][l] = g0[l] * 0.25F;
    out[1][l] = (even + g1[l]) * (-1.0F / 6);
    out[2][l] = (even - g1[l]) * (-1.0F / 6);
    out[3][l] = far + g1[l] * (1.0F / 12);
    out[4][l] = far - g1[l] * (1.0F / 12);
    out[5][l] = g2[l];
  }
}

// Its transpose.
void apply_gt(int64_t stride, const std::array<Line, 6>& u, std::array<Line, 3>& out) {
  for (size_t l = 0; l < kL && stride == 2; ++l) {
    out[0][l] = (u[0][l] - u[1][l]) * 0.5F + (u[3][l] - u[2][l]) * (1.0F / 6);
    out[1][l] = u[5][l];
    out[2][l] = u[1][l] * -0.5F + u[2][l] * (1.0F / 6) + u[3][l] * (1.0F / 3) + u[4][l];
  }
  for (size_t l = 0; l < kL && stride == 1; ++l) {
    const float near = u[1][l] + u[2][l];
    const float far = u[3][l] + u[4][l];
    out[0][l] = u[0][l] * 0.25F - near * (1.0F / 6) + far * (1.0F / 24);
    out[1][l] = (u[2][l] - u[1][l]) * (1.0F / 6) + (u[3][l] - u[4][l]) * (1.0F / 12);
    out[2][l] = (far - near) * (1.0F / 6) + u[5][l];
  }
}

// Panels [36, columns / 16, rows, 16]; the filter of (row, column) begins at row * row_step + column * column_step.
void transform(int64_t stride, const float* weights, int64_t rows, int64_t columns, int64_t row_step,
               int64_t column_step, int threads, float* panels) {
  parallel_for(columns / kL, 1, threads, [&](int64_t begin, int64_t end) {
    std::array<Line, 9> filter;
    std::array<Line, 18> half;
    for (int64_t panel = begin; panel < end; ++panel) {
      for (int64_t row = 0; row < rows; ++row) {
        const float* from = weights + row * row_step + panel * kL * column_step;
        for (size_t l = 0; l < kL; ++l) {
          for (size_t i = 0; i < 9; ++i)
            filter[i][l] = from[static_cast<int64_t>(l) * column_step + static_cast<int64_t>(i)];
        }
        std::array<Line, 6> out;
        for (size_t j = 0; j < 3; ++j) {
          apply_g(stride, filter[j], filter[3 + j], filter[6 + j], out);
          for (size_t i = 0; i < 6; ++i) half[3 * i + j] = out[i];
        }
        for (size_t i = 0; i < 6; ++i) {
          apply_g(stride, half[3 * i], half[3 * i + 1], half[3 * i + 2], out);
          for (size_t j = 0; j < 6; ++j) {
            float* to = panels + (static_cast<int64_t>(6 * i + j) * columns + panel * kL) * rows + row * kL;
            std::copy(out[j].begin(), out[j].end(), to);
          }
        }
      }
    }
  });
}

}  // namespace

void winograd_weights(std::span<const float> weights, const WinogradShape& s, int threads, std::span<float> panels) {
  transform(s.stride, weights.data(), s.in, s.out, 9, 9 * s.in, threads, panels.data());
}

void winograd_weights_transposed(std::span<const float> weights, const WinogradShape& s, int threads,
                                 std::span<float> panels) {
  transform(s.stride, weights.data(), s.out, s.in, 9 * s.in, 9, threads, panels.data());
}

void winograd_weight_gradient(std::span<const float> sums, int64_t parts, const WinogradShape& shape, int threads,
                              std::span<float> dweights) {
  const int64_t in = shape.in;
  const int64_t out = shape.out;
  const int64_t stride = shape.stride;
  const int64_t part_floats = winograd_weight_floats(in, out);
  constexpr int64_t kPiece = kL * 9;
  parallel_for(out / kL, 1, threads, [&](int64_t begin, int64_t end) {
    // Of 16 rows at a time: the memory takes and gives long pieces, not single filters far apart.
    std::array<float, kWinogradWeights * kL * kL> rows;
    std::array<float, kL * kPiece> filters;
    std::array<Line, 6> u;
    std::array<Line, 3> column;
    std::array<Line, 18> half;
    for (int64_t panel = begin; panel < end; ++panel) {
      for (int64_t row = 0; row < in; ++row) {
        if (row % kL == 0) {
          for (int64_t w = 0; w < kWinogradWeights; ++w) {
            const float* from = sums.data() + (w * out + panel * kL) * in + row * kL;
            float* to = rows.data() + w * kL * kL;
            std::copy_n(from, kL * kL, to);
            for (int64_t part = 1; part < parts; ++part) {
              for (int64_t l = 0; l < kL * kL; ++l) to[l] += from[part * part_floats + l];
            }
          }
        }
        for (size_t j = 0; j < 6; ++j) {
          for (size_t i = 0; i < 6; ++i) {
            std::copy_n(rows.data() + (static_cast<int64_t>(6 * i + j) * kL + row % kL) * kL, kL, u[i].begin());
          }
          apply_gt(stride, u, column);
          for (size_t i = 0; i < 3; ++i) half[6 * i + j] = column[i];
        }
        for (size_t i = 0; i < 3; ++i) {
          for (size_t j = 0; j < 6; ++j) u[j] = half[6 * i + j];
          apply_gt(stride, u, column);
          for (size_t j = 0; j < 3; ++j) {
            float* to = filters.data() + row % kL * 9 + static_cast<int64_t>(3 * i + j);
            for (size_t l = 0; l < kL; ++l) to[static_cast<int64_t>(l) * kPiece] = column[j][l];
          }
        }
        if (row % kL == kL - 1) {
          for (int64_t l = 0; l < kL; ++l) {
            std::copy_n(filters.data() + l * kPiece, kPiece,
                        dweights.data() + ((panel * kL + l) * in + row - kL + 1) * 9);
          }
        }
      }
    }
  });
}

}  // namespace orthant
