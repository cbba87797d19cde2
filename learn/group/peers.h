#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "learn/group/group.h"

namespace orthant {

// What a group of several processes is made of; see Group for what every call means.
class Peers {
 public:
  virtual ~Peers() = default;

  virtual int64_t rank() const = 0;
  virtual int64_t size() const = 0;

  // in [n] of every rank, contiguous, to out [size, n].
  virtual void gather(const at::Tensor& in, const at::Tensor& out, const char* what) = 0;
  virtual PendingSum begin_sum(const at::Tensor& values, const char* what) = 0;
  virtual void broadcast(const at::Tensor& values, const char* what) = 0;
  virtual std::string told_by_first(const char* what, const std::function<std::string()>& work) = 0;
  virtual std::vector<std::string> texts(const char* what, const std::string& text) = 0;
  virtual void leave(const std::string& why) noexcept = 0;

  Traffic traffic = {};
};

}  // namespace orthant
