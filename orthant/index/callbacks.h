#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace orthant::index {

// How far the writing of an index is; what it throws ends it, and leaves the old index as it was.
using Progress = std::function<void(const std::string& what, int64_t done, int64_t total)>;

// Called now and then while another process has the index that is to be changed; what it throws ends the wait.
using Waiting = std::function<void()>;

}  // namespace orthant::index
