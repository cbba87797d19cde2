#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace orthant {

class Peers;

// A sum over the ranks on its way: wait() returns when it is there, and must be called once.
class PendingSum {
 public:
  explicit PendingSum(std::function<void()> wait = {}) : wait_(std::move(wait)) {}
  void wait() {
    if (wait_) wait_();
  }

 private:
  std::function<void()> wait_;
};

// What a process has told others so far.
struct Traffic {
  int64_t gathers = 0;       // of rows and of what sums are made of
  int64_t gather_bytes = 0;  // what this rank gave to them
  int64_t sums = 0;          // of gradients
  int64_t sum_bytes = 0;
  double seconds = 0;  // that this process waited for others
};

// The processes that train one network together. A value: copies are the same group. The default is a group of one,
// whose calls return at once and change nothing, bit for bit.
//
// Every rank has to make the same calls in the same order; what each of them gets is the same on all ranks, bit for
// bit, and the same in every run with as many ranks: sums are taken in a fixed order. `what` says what the call is for,
// in words such as "sums of batch norm"; a rank that stays away is told by it. PeerLost (orthant/launch/world.h) if a
// rank is gone or does not answer in time; the group is of no use then. One thread at a time.
class Group {
 public:
  Group() = default;
  explicit Group(std::shared_ptr<Peers> peers) : peers_(std::move(peers)) {}

  bool alone() const { return peers_ == nullptr; }
  bool leads() const { return rank() == 0; }  // the one that writes what is written once
  int64_t rank() const;
  int64_t size() const;

  // A tensor of any floating type, or int64, becomes the sum of those of all ranks, added in the order of ranks.
  void sum(at::Tensor& values, const char* what) const;
  double sum(double value, const char* what) const;
  // The tensors of all ranks, which are of one shape [...]: [size, ...].
  at::Tensor gather(const at::Tensor& values, const char* what) const;
  // Rows of this rank's share of a batch of `items` items (see share_of()), view-major [views * count, ...], to those
  // of the whole batch, [views * items, ...]: row v * items + b is view v of item b. The number of a rank's rows may
  // differ.
  at::Tensor gather_views(const at::Tensor& rows, int64_t views, int64_t items, const char* what) const;
  // The reverse without any talk: this rank's rows of a whole batch.
  at::Tensor own_views(const at::Tensor& rows, int64_t views, int64_t items) const;
  // Begins to make a contiguous float32 tensor the sum of those of all ranks; it is not to be touched meanwhile.
  PendingSum begin_sum(const at::Tensor& values, const char* what) const;
  // Every rank's tensor becomes rank 0's.
  void broadcast(const at::Tensor& values, const char* what) const;

  // What `work` gives on rank 0, which alone does it; the others wait for as long as rank 0 is alive. What it throws is
  // thrown on rank 0, and told to the others as a PeerLost.
  std::string told_by_first(const char* what, const std::function<std::string()>& work) const;
  // The texts of all ranks, by rank. Waits likewise.
  std::vector<std::string> texts(const char* what, const std::string& text) const;
  // Tells the others why this rank ends before its time, so that they can say so. Nothing else may be asked of the
  // group then, whose threads stay behind: the program has to end. Throws nothing.
  void leave(const std::string& why) const noexcept;

  Traffic traffic() const;

 private:
  std::shared_ptr<Peers> peers_;
};

// A batch whose items are spread over the ranks of a group, each with all views of its share; see share_of().
struct SharedBatch {
  Group group = {};
  int64_t items = 0;  // of the whole batch; a group of one need not say

  int64_t all_items(int64_t own) const { return group.alone() ? own : items; }
};

// For the gradient of a loss that is the same on every rank: the sum of x over all ranks, connected to this rank's x by
// autograd with the derivative 1. What is made of such sums, each straight from the rows of the ranks, is one loss of
// all rows, and every rank gets the exact gradient of its own rows without another word. Sums of sums are not: their
// gradients would have to be summed as well. x itself if the group is of one.
at::Tensor shared_sum(const Group& group, const at::Tensor& x, const char* what);

}  // namespace orthant
