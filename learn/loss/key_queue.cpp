#include "learn/loss/key_queue.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "orthant/core/error.h"

namespace orthant {

KeyQueue::KeyQueue(int64_t capacity, int64_t dims)
    : keys_(at::zeros({capacity, dims})), pushed_(at::zeros({1}, at::kLong)) {}

at::Tensor KeyQueue::keys() const { return keys_.narrow(0, 0, std::min(capacity(), pushed_.item<int64_t>())); }

void KeyQueue::push(const at::Tensor& rows) {
  check(rows.dim() == 2 && rows.size(1) == keys_.size(1), "[key queue] expected rows [N, ", keys_.size(1),
        "], got shape ", shape_of(rows));
  if (capacity() == 0) return;
  const at::NoGradGuard no_gradients;
  int64_t& pushed = *pushed_.data_ptr<int64_t>();
  const int64_t skipped = std::max<int64_t>(rows.size(0) - capacity(), 0);
  pushed += skipped;
  for (int64_t row = skipped; row < rows.size(0);) {
    const int64_t place = pushed % capacity();
    const int64_t count = std::min(rows.size(0) - row, capacity() - place);
    keys_.narrow(0, place, count).copy_(rows.narrow(0, row, count));
    row += count;
    pushed += count;
  }
}

void KeyQueue::visit_state(const TensorVisitor& visit) {
  visit("keys", keys_);
  visit("pushed", pushed_);
}

}  // namespace orthant
