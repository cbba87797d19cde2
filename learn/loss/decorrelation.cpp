#include "learn/loss/decorrelation.h"

#include <ATen/ATen.h>

#include <vector>

namespace orthant::loss {
namespace {

at::Tensor off_diagonal_squares(const at::Tensor& square) {
  return (square - at::diag(at::diagonal(square))).square().sum();
}

// The mean of f(a, b) over unordered pairs of views.
template <class Pair>
at::Tensor mean_over_pairs(const std::vector<at::Tensor>& views, const Pair& f) {
  at::Tensor sum;
  double pairs = 0;
  for (size_t a = 0; a < views.size(); ++a) {
    for (size_t b = a + 1; b < views.size(); ++b) {
      const at::Tensor term = f(views[a], views[b]);
      sum = sum.defined() ? sum + term : term;
      ++pairs;
    }
  }
  return sum / pairs;
}

}  // namespace

at::Tensor barlow(const at::Tensor& z, int64_t views, const LossOptions& options) {
  std::vector<at::Tensor> standard = at::chunk(z, views);
  for (at::Tensor& view : standard) {
    const at::Tensor centred = view - view.mean(0);
    view = centred * at::rsqrt(centred.square().mean(0) + 1e-5);
  }
  return mean_over_pairs(standard, [&](const at::Tensor& a, const at::Tensor& b) {
    const at::Tensor correlation = a.t().mm(b) / static_cast<double>(a.size(0));
    return (1 - at::diagonal(correlation)).square().sum() +
           options.barlow_redundancy * off_diagonal_squares(correlation);
  });
}

at::Tensor vicreg(const at::Tensor& z, int64_t views, const LossOptions& options) {
  const std::vector<at::Tensor> view_list = at::chunk(z, views);
  at::Tensor variance = at::zeros({}, z.options());
  at::Tensor covariance = at::zeros({}, z.options());
  for (const at::Tensor& view : view_list) {
    const at::Tensor centred = view - view.mean(0);
    const at::Tensor products = centred.t().mm(centred) / static_cast<double>(view.size(0) - 1);
    variance = variance + at::relu(1 - at::sqrt(at::diagonal(products) + 1e-4)).mean();
    covariance = covariance + off_diagonal_squares(products) / static_cast<double>(z.size(1));
  }
  const at::Tensor invariance =
      mean_over_pairs(view_list, [](const at::Tensor& a, const at::Tensor& b) { return (a - b).square().mean(); });
  const auto count = static_cast<double>(views);
  return options.vicreg_invariance * invariance + options.vicreg_variance / count * variance +
         2 * options.vicreg_covariance / count * covariance;
}

}  // namespace orthant::loss
