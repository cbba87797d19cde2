#include "orthant/views/blur.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "orthant/core/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orthant/views/blur.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "orthant/views/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthant::views::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Sums the pairs of values around one in the middle; at(k) loads the values at distance k from it.
template <class D, class At>
HWY_INLINE hn::Vec<D> weigh(D d, const float* weights, int64_t radius, const At& at) {
  auto sum = hn::MulAdd(at(0), hn::Set(d, weights[0]), hn::Set(d, 0.5f));
  for (int64_t k = 1; k <= radius; ++k) sum = hn::MulAdd(hn::Add(at(-k), at(k)), hn::Set(d, weights[k]), sum);
  return hn::Floor(sum);
}

// kRadius is the kernel's radius where the compiler is to know it, and 0 elsewhere. The vertical pass comes first, so
// that the horizontal one finds its rows with room for the repeated edges.
template <int64_t kRadius>
HWY_INLINE void blur_of_radius(float* plane, int64_t height, int64_t width, const BlurKernel& kernel,
                               float* HWY_RESTRICT scratch) {
  const int64_t radius = kRadius == 0 ? kernel.radius : kRadius;
  // A copy that no store can change, and that stays in registers.
  constexpr auto kWeights = static_cast<size_t>(kRadius == 0 ? BlurKernel::kMaxRadius : kRadius) + 1;
  float weights[kWeights] = {};
  std::copy_n(kernel.weights.data(), radius + 1, weights);
  const int64_t pitch = width + 2 * radius;
  for (int64_t y = 0; y < height; ++y) {
    float* HWY_RESTRICT to = scratch + y * pitch + radius;
    const float* middle = plane + y * width;
    if (y >= radius && y + radius < height) {
      for_vectors(width, [&](auto d, int64_t x) HWY_ATTR {
        const auto at = [&](int64_t k) HWY_ATTR { return hn::LoadU(d, middle + k * width + x); };
        hn::StoreU(weigh(d, weights, radius, at), d, to + x);
      });
    } else {
      for_vectors(width, [&](auto d, int64_t x) HWY_ATTR {
        const auto at = [&](int64_t k) HWY_ATTR {
          return hn::LoadU(d, plane + std::clamp<int64_t>(y + k, 0, height - 1) * width + x);
        };
        hn::StoreU(weigh(d, weights, radius, at), d, to + x);
      });
    }
    std::fill_n(to - radius, radius, to[0]);
    std::fill_n(to + width, radius, to[width - 1]);
  }
  for (int64_t y = 0; y < height; ++y) {
    const float* HWY_RESTRICT middle = scratch + y * pitch + radius;
    float* HWY_RESTRICT to = plane + y * width;
    for_vectors(width, [&](auto d, int64_t x) HWY_ATTR {
      const auto at = [&](int64_t k) HWY_ATTR { return hn::LoadU(d, middle + x + k); };
      hn::StoreU(weigh(d, weights, radius, at), d, to + x);
    });
  }
}

void blur_plane(float* plane, int64_t height, int64_t width, const BlurKernel& kernel, float* scratch) {
  // The radii of sigma below 1.42 and below 2.45.
  if (kernel.radius == 3) return blur_of_radius<3>(plane, height, width, kernel, scratch);
  if (kernel.radius == 6) return blur_of_radius<6>(plane, height, width, kernel, scratch);
  blur_of_radius<0>(plane, height, width, kernel, scratch);
}

}  // namespace orthant::views::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthant::views {

HWY_EXPORT(blur_plane);

BlurKernel blur_kernel(double sigma) {
  check(sigma >= 0 && sigma <= 10, "[views] expected a blur of sigma 0 to 10, got ", sigma);
  // A box of length 2 l + 1 with two more values of weight `edge` has the variance of a third of the Gaussian's.
  constexpr int kPasses = 3;
  const double length = std::sqrt(12.0 * sigma * sigma / kPasses + 1.0);
  const double l = std::floor((length - 1.0) / 2.0);
  const double edge =
      (2 * l + 1) * (l * (l + 1) - 3 * sigma * sigma / kPasses) / (6 * (sigma * sigma / kPasses - (l + 1) * (l + 1)));
  const auto reach = static_cast<int64_t>(l) + 1;
  const auto box = [&](int64_t k) {
    return (std::abs(k) == reach ? edge : std::abs(k) < reach ? 1.0 : 0.0) / (2 * (l + edge) + 1);
  };

  std::array<double, 2 * BlurKernel::kMaxRadius + 1> whole{1.0};
  int64_t length_so_far = 1;
  for (int pass = 0; pass < kPasses; ++pass) {
    length_so_far += 2 * reach;
    for (int64_t i = length_so_far - 1; i >= 0; --i) {
      double sum = 0;
      for (int64_t j = std::max<int64_t>(i - 2 * reach, 0); j <= i; ++j) {
        sum += whole[static_cast<size_t>(j)] * box(i - j - reach);
      }
      whole[static_cast<size_t>(i)] = sum;
    }
  }

  BlurKernel kernel{.radius = kPasses * reach};
  double rest = 1;
  for (int64_t k = kernel.radius; k > 0; --k) {
    const double weight = std::round(whole[static_cast<size_t>(kernel.radius + k)] * 32768.0) / 32768.0;
    kernel.weights[static_cast<size_t>(k)] = static_cast<float>(weight);
    rest -= 2 * weight;
  }
  kernel.weights[0] = static_cast<float>(rest);
  return kernel;
}

void blur(float* plane, int64_t height, int64_t width, const BlurKernel& kernel, AlignedBuffer& scratch) {
  float* room = scratch.grow(height * (width + 2 * kernel.radius));
  HWY_DYNAMIC_DISPATCH(blur_plane)(plane, height, width, kernel, room);
}

}  // namespace orthant::views
#endif
