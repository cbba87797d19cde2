#include "learn/loss/moco.h"

#include <ATen/ATen.h>

#include <limits>

#include "learn/loss/view_pairs.h"

namespace orthant::loss {

at::Tensor moco(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& queue, int64_t views,
                double temperature, int64_t first) {
  // What a query has with the queue, one more column beside it: the queue is the same for every pair of views.
  const at::Tensor scaled = queries / temperature;
  const at::Tensor old = queue.size(0) > 0 ? at::logsumexp(scaled.mm(queue.t()), 1, true)
                                           : at::full({queries.size(0), 1}, -std::numeric_limits<double>::infinity(),
                                                      queries.options().requires_grad(false));
  return mean_over_ordered_pairs(
      at::cat({scaled, old}, 1), keys, views, [first](const at::Tensor& query, const at::Tensor& key) {
        const int64_t dims = key.size(1);
        const at::Tensor scores = query.narrow(1, 0, dims).mm(key.t());
        const at::Tensor total = at::logsumexp(at::cat({scores, query.narrow(1, dims, 1)}, 1), 1);
        const at::Tensor own = scores.narrow(1, first, scores.size(0)).diagonal();
        return (total - own).sum() / static_cast<double>(key.size(0));
      });
}

}  // namespace orthant::loss
