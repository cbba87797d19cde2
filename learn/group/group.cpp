#include "learn/group/group.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include <chrono>

#include "learn/group/peers.h"
#include "orthant/core/share.h"

namespace orthant {
namespace {

using Clock = std::chrono::steady_clock;

// Adds the time that it lives to what the process waited.
class Waiting {
 public:
  explicit Waiting(Peers& peers) : peers_(peers) {}
  ~Waiting() { peers_.traffic.seconds += std::chrono::duration<double>(Clock::now() - start_).count(); }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  Peers& peers_;
  Clock::time_point start_ = Clock::now();
};

at::Tensor gather_flat(Peers& peers, const at::Tensor& values, const char* what) {
  const Waiting waiting(peers);
  const at::NoGradGuard no_gradients;
  const at::Tensor in = values.detach().contiguous().view({-1});
  const at::Tensor out = at::empty({peers.size(), in.numel()}, in.options());
  peers.gather(in, out, what);
  ++peers.traffic.gathers;
  peers.traffic.gather_bytes += static_cast<int64_t>(in.nbytes());
  return out;
}

struct SharedSum : torch::autograd::Function<SharedSum> {
  static at::Tensor forward(torch::autograd::AutogradContext* /*context*/, const at::Tensor& x, const at::Tensor& sum) {
    return sum.view(x.sizes());
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* /*context*/,
                                                 torch::autograd::variable_list gradients) {
    return {gradients[0], at::Tensor()};
  }
};

}  // namespace

int64_t Group::rank() const { return peers_ ? peers_->rank() : 0; }
int64_t Group::size() const { return peers_ ? peers_->size() : 1; }
Traffic Group::traffic() const { return peers_ ? peers_->traffic : Traffic{}; }

void Group::sum(at::Tensor& values, const char* what) const {
  if (!peers_) return;
  const at::Tensor all = gather_flat(*peers_, values, what);
  const at::NoGradGuard no_gradients;
  at::Tensor total = all[0].clone();
  for (int64_t r = 1; r < size(); ++r) total.add_(all[r]);
  values = total.view(values.sizes());
}

double Group::sum(double value, const char* what) const {
  if (!peers_) return value;
  at::Tensor values = at::scalar_tensor(value, at::kDouble);
  sum(values, what);
  return values.item<double>();
}

at::Tensor Group::gather(const at::Tensor& values, const char* what) const {
  std::vector<int64_t> shape = values.sizes().vec();
  shape.insert(shape.begin(), size());
  return peers_ ? gather_flat(*peers_, values, what).view(shape) : values.detach().view(shape);
}

at::Tensor Group::gather_views(const at::Tensor& rows, int64_t views, int64_t items, const char* what) const {
  if (!peers_) return rows.detach();
  const at::NoGradGuard no_gradients;
  const int64_t most = (items + size() - 1) / size();
  const Share own = share_of(items, rank(), size());
  std::vector<int64_t> shape = rows.sizes().vec();
  shape[0] = most;
  shape.insert(shape.begin(), views);
  at::Tensor padded = rows.detach();
  if (own.count < most) {
    padded = at::zeros(shape, rows.options().requires_grad(false));
    std::vector<int64_t> mine = shape;
    mine[1] = own.count;
    padded.narrow(1, 0, own.count).copy_(rows.detach().reshape(mine));
  }
  const at::Tensor all = gather_flat(*peers_, padded, what);
  std::vector<int64_t> whole = shape;
  whole[1] = items;
  const at::Tensor out = at::empty(whole, rows.options().requires_grad(false));
  for (int64_t r = 0; r < size(); ++r) {
    const Share share = share_of(items, r, size());
    out.narrow(1, share.first, share.count).copy_(all[r].view(shape).narrow(1, 0, share.count));
  }
  std::vector<int64_t> flat = rows.sizes().vec();
  flat[0] = views * items;
  return out.view(flat);
}

at::Tensor Group::own_views(const at::Tensor& rows, int64_t views, int64_t items) const {
  if (!peers_) return rows;
  const Share own = share_of(items, rank(), size());
  std::vector<int64_t> shape = rows.sizes().vec();
  shape[0] = items;
  shape.insert(shape.begin(), views);
  std::vector<int64_t> flat = rows.sizes().vec();
  flat[0] = views * own.count;
  return rows.view(shape).narrow(1, own.first, own.count).reshape(flat);
}

PendingSum Group::begin_sum(const at::Tensor& values, const char* what) const {
  if (!peers_) return PendingSum();
  ++peers_->traffic.sums;
  peers_->traffic.sum_bytes += static_cast<int64_t>(values.nbytes());
  return PendingSum([peers = peers_, pending = peers_->begin_sum(values, what)]() mutable {
    const Waiting waiting(*peers);
    pending.wait();
  });
}

void Group::broadcast(const at::Tensor& values, const char* what) const {
  if (!peers_) return;
  const Waiting waiting(*peers_);
  const at::NoGradGuard no_gradients;
  const at::Tensor plain = values.detach();
  const at::Tensor sent = plain.contiguous();
  peers_->broadcast(sent, what);
  if (!sent.is_same(plain) && rank() > 0) plain.copy_(sent);
}

std::string Group::told_by_first(const char* what, const std::function<std::string()>& work) const {
  return peers_ ? peers_->told_by_first(what, work) : work();
}

std::vector<std::string> Group::texts(const char* what, const std::string& text) const {
  return peers_ ? peers_->texts(what, text) : std::vector{text};
}

void Group::leave(const std::string& why) const noexcept {
  if (peers_) peers_->leave(why);
}

at::Tensor shared_sum(const Group& group, const at::Tensor& x, const char* what) {
  if (group.alone()) return x;
  at::Tensor sum = x.detach();
  group.sum(sum, what);
  return x.requires_grad() && at::GradMode::is_enabled() ? SharedSum::apply(x, sum) : sum;
}

}  // namespace orthant
