#pragma once

namespace orthant {

// While it lives, BLAS and LAPACK calls of this thread run on one thread: a product's sums are then taken in the same
// order whatever the number of threads, and calls from the pieces of a parallel_for do not fight over cores. OpenBLAS
// asks OpenMP for a number that belongs to the calling task, so nothing global changes.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

}  // namespace orthant
