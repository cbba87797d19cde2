#include "learn/group/shared_statistics.h"

#include <ATen/ATen.h>

namespace orthant {

int64_t share_statistics(const Group& group, at::Tensor& mean, at::Tensor& variance, int64_t rows) {
  if (group.alone()) return rows;
  const at::NoGradGuard no_gradients;
  const int64_t columns = mean.numel();
  const at::Tensor count = at::full({1}, static_cast<double>(rows), at::kDouble);
  const at::Tensor own = at::cat({count, mean.detach().to(at::kDouble), variance.detach().to(at::kDouble)});
  const at::Tensor all = group.gather(own, "statistics of batch norm");
  double seen = 0;
  at::Tensor joined = at::zeros({columns}, at::kDouble);
  at::Tensor squares = at::zeros({columns}, at::kDouble);
  for (int64_t r = 0; r < group.size(); ++r) {
    const auto part = all[r];
    const auto part_rows = part[0].item<double>();
    const at::Tensor delta = part.narrow(0, 1, columns) - joined;
    squares.add_(part.narrow(0, 1 + columns, columns), part_rows);
    squares.add_(delta.square(), seen * part_rows / (seen + part_rows));
    seen += part_rows;
    joined.add_(delta, part_rows / seen);
  }
  mean = joined.to(at::kFloat);
  variance = squares.div_(seen).to(at::kFloat);
  return static_cast<int64_t>(seen);
}

}  // namespace orthant
