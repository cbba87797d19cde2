#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "learn/nn/tensors.h"

namespace orthant {

// The last keys that were pushed, up to a capacity: first in, first out. Starts empty. One thread at a time.
class KeyQueue {
 public:
  KeyQueue(int64_t capacity, int64_t dims);

  // [size, dims], in no order that means anything; borrows the queue's memory until the next push().
  at::Tensor keys() const;
  // Rows [N, dims] replace the oldest ones; of more than the capacity the last are kept.
  void push(const at::Tensor& rows);

  // "keys" [capacity, dims], and "pushed" (int64 [1]), the number of rows pushed so far.
  void visit_state(const TensorVisitor& visit);

 private:
  int64_t capacity() const { return keys_.size(0); }

  at::Tensor keys_;
  at::Tensor pushed_;
};

}  // namespace orthant
