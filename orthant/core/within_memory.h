#pragma once

#include <cstdint>
#include <new>
#include <string>

#include "orthant/core/error.h"

namespace orthant {

// What `work` returns, which reads the file `name` into about `bytes` bytes of memory. IoError naming both if there is
// not as much.
template <class Work>
auto within_memory(const std::string& name, uint64_t bytes, const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    fail_io("[", name, "] expected ", bytes, " bytes of memory to read it into, got: out of memory");
  }
}

}  // namespace orthant
