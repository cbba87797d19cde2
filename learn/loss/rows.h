#pragma once

#include <cstdint>
#include <span>

// What the losses need of the rows of a batch. Matrices are row-major [rows, dims]; row v * images() + b is view v of
// image b. Nothing is allocated; sizes are the caller's to check. Results do not depend on `threads`.
namespace orthant::loss {

struct Batch {
  int64_t rows;  // views * images
  int64_t dims;
  int64_t views;  // at least 2

  int64_t images() const { return rows / views; }
};

// The inner product, in float64.
double dot(std::span<const float> a, std::span<const float> b);

// unit[i] = z[i] / |z[i]|, and inverse_norms[i] = 1 / |z[i]|. A row with |z[i]| <= eps becomes zero, with an inverse
// norm of 0, so that unit_gradient() gives it none. Returns the number of such rows. NaN and infinity give NaN.
int64_t unit_rows(const Batch& batch, std::span<const float> z, double eps, std::span<float> unit,
                  std::span<float> inverse_norms, int threads);

// Turns the gradient with respect to unit rows into that with respect to z, in place:
// g <- (g - unit (unit . g)) / |z|.
void unit_gradient(const Batch& batch, std::span<const float> unit, std::span<const float> inverse_norms,
                   std::span<float> gradient, int threads);

struct MeanCosines {
  double positive;  // over ordered pairs of views of one image
  double negative;  // over ordered pairs of rows of different images
};

// From unit rows, in O(rows dims). `sums` has room for 2 * dims values.
MeanCosines mean_cosines(const Batch& batch, std::span<const float> unit, std::span<double> sums);

// What mean_cosines() is made of; for the images of several batches together each of it is the sum of theirs.
struct CosineSums {
  double own = 0;     // squares of rows
  double within = 0;  // squares of the sums of an image's rows
};

// The sum of all rows goes to the first dims of `sums`, which has room for 2 * dims values.
CosineSums cosine_sums(const Batch& batch, std::span<const float> unit, std::span<double> sums);
MeanCosines mean_cosines(int64_t rows, int64_t views, const CosineSums& sums, std::span<const double> total);

}  // namespace orthant::loss
