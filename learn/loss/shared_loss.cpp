#include "learn/loss/shared_loss.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <span>
#include <vector>

#include "learn/loss/shared_infonce.h"

namespace orthant::loss {
namespace {

template <class T>
std::span<T> values_of(const at::Tensor& tensor) {
  return {tensor.data_ptr<T>(), static_cast<size_t>(tensor.numel())};
}

static_assert(sizeof(RowSums) == 3 * sizeof(double));

std::span<RowSums> row_sums_of(const at::Tensor& tensor) {
  return {reinterpret_cast<RowSums*>(tensor.data_ptr<double>()), static_cast<size_t>(tensor.size(0))};
}

at::Tensor off_diagonal_squares(const at::Tensor& square) {
  return (square - at::diag(at::diagonal(square))).square().sum();
}

// Rows of each view less the mean of its columns over all ranks. The mean counts as a constant, which what is made of
// the rows must not depend on.
std::vector<at::Tensor> centred_views(const at::Tensor& z, int64_t views, const SharedBatch& spread) {
  std::vector<at::Tensor> list = at::chunk(z, views);
  std::vector<at::Tensor> sums;
  for (const at::Tensor& view : list) sums.push_back(view.detach().sum(0, false, at::kDouble));
  at::Tensor means = at::stack(sums);
  spread.group.sum(means, "means of columns");
  means = means.div(static_cast<double>(spread.items)).to(z.scalar_type());
  for (size_t v = 0; v < list.size(); ++v) list[v] = list[v] - means[static_cast<int64_t>(v)];
  return list;
}

}  // namespace

SharedLoss shared_info_nce(const at::Tensor& unit, int64_t views, double temperature, bool wants_gradient,
                           const SharedBatch& spread) {
  const Group& group = spread.group;
  const int threads = at::get_num_threads();
  const at::Tensor all = group.gather_views(unit, views, spread.items, "features of all ranks");
  const SharedRows rows{.all = {.rows = all.size(0), .dims = all.size(1), .views = views},
                        .own = share_of(spread.items, group.rank(), group.size()),
                        .unit = values_of<float>(all),
                        .own_unit = values_of<float>(unit)};
  const at::Tensor own_sums = at::empty({rows.own_rows(), 3}, at::kDouble);
  shared_row_sums(rows, temperature, row_sums_of(own_sums), threads);
  const at::Tensor sums = group.gather_views(own_sums, views, spread.items, "sums of all rows");
  SharedLoss result;
  for (const RowSums& row : row_sums_of(sums)) result.value += row.loss;
  result.value /= static_cast<double>(rows.all.rows);
  if (!wants_gradient) return result;
  result.gradient = at::empty_like(unit);
  shared_gradient(rows, temperature, row_sums_of(sums), values_of<float>(result.gradient), threads);
  return result;
}

SharedLoss shared_spectral(const at::Tensor& z, int64_t views, bool wants_gradient, const SharedBatch& spread) {
  const at::NoGradGuard no_gradients;
  at::Tensor gram = z.t().mm(z);
  spread.group.sum(gram, "products of features");
  const std::vector<at::Tensor> parts = at::chunk(z, views);
  const auto rows = static_cast<double>(views * spread.items);
  const double positive_pairs = rows * static_cast<double>(views - 1);
  const double negative_pairs = rows * (rows - static_cast<double>(views));
  SharedLoss result;
  if (wants_gradient) result.gradient = z.mm(gram).mul_(4 / negative_pairs);
  const std::vector<at::Tensor> slopes = wants_gradient ? at::chunk(result.gradient, views) : parts;
  at::Tensor sums = at::zeros({2}, at::kDouble);  // over pairs of one image: of products, and of their squares
  for (size_t a = 0; a < parts.size(); ++a) {
    for (size_t b = 0; b < parts.size(); ++b) {
      const at::Tensor products = (parts[a].to(at::kDouble) * parts[b].to(at::kDouble)).sum(1);
      if (a != b) sums[0] += products.sum();
      sums[1] += products.square().sum();
      if (!wants_gradient) continue;
      const at::Tensor pull = products * (4 / negative_pairs) + (a == b ? 0 : 4 / positive_pairs);
      slopes[a].sub_(pull.to(at::kFloat).unsqueeze(1) * parts[b]);
    }
  }
  spread.group.sum(sums, "pairs of one item");
  const double squares = gram.to(at::kDouble).square().sum().item<double>();
  result.value = -2 * sums[0].item<double>() / positive_pairs + (squares - sums[1].item<double>()) / negative_pairs;
  return result;
}

at::Tensor shared_barlow(const at::Tensor& z, int64_t views, const LossOptions& options, const SharedBatch& spread) {
  const std::vector<at::Tensor> centred = centred_views(z, views, spread);
  const auto count = static_cast<double>(spread.items);
  std::vector<at::Tensor> means;
  std::vector<at::Tensor> scales;
  for (const at::Tensor& view : centred) {
    const at::Tensor moments =
        shared_sum(spread.group, at::stack({view.sum(0), view.square().sum(0)}), "moments of columns") / count;
    means.push_back(moments[0]);
    scales.push_back(at::rsqrt(moments[1] - moments[0].square() + 1e-5));
  }
  at::Tensor sum = at::zeros({}, z.options());
  double pairs = 0;
  for (size_t a = 0; a < centred.size(); ++a) {
    for (size_t b = a + 1; b < centred.size(); ++b) {
      const at::Tensor products = shared_sum(spread.group, centred[a].t().mm(centred[b]), "products of columns");
      const at::Tensor correlation =
          (products / count - at::outer(means[a], means[b])) * at::outer(scales[a], scales[b]);
      sum = sum + (1 - at::diagonal(correlation)).square().sum() +
            options.barlow_redundancy * off_diagonal_squares(correlation);
      ++pairs;
    }
  }
  return sum / pairs;
}

at::Tensor shared_vicreg(const at::Tensor& z, int64_t views, const LossOptions& options, const SharedBatch& spread) {
  const std::vector<at::Tensor> centred = centred_views(z, views, spread);
  const std::vector<at::Tensor> plain = at::chunk(z, views);
  const auto count = static_cast<double>(spread.items);
  const auto columns = static_cast<double>(z.size(1));
  at::Tensor variance = at::zeros({}, z.options());
  at::Tensor covariance = at::zeros({}, z.options());
  for (const at::Tensor& view : centred) {
    const at::Tensor sums = shared_sum(spread.group, view.sum(0), "moments of columns");
    const at::Tensor products = shared_sum(spread.group, view.t().mm(view), "products of columns");
    const at::Tensor covariances = (products - at::outer(sums, sums) / count) / (count - 1);
    variance = variance + at::relu(1 - at::sqrt(at::diagonal(covariances) + 1e-4)).mean();
    covariance = covariance + off_diagonal_squares(covariances) / columns;
  }
  at::Tensor distances = at::zeros({}, z.options());
  double pairs = 0;
  for (size_t a = 0; a < plain.size(); ++a) {
    for (size_t b = a + 1; b < plain.size(); ++b) {
      distances = distances + (plain[a] - plain[b]).square().sum();
      ++pairs;
    }
  }
  const at::Tensor invariance = shared_sum(spread.group, distances, "distances of views") / (pairs * count * columns);
  const auto view_count = static_cast<double>(views);
  return options.vicreg_invariance * invariance + options.vicreg_variance / view_count * variance +
         2 * options.vicreg_covariance / view_count * covariance;
}

}  // namespace orthant::loss
