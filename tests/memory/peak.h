#pragma once

#include <cstdint>

namespace orthant::test {

// How many bytes the program holds by operator new; the library's are counted too.
int64_t held_bytes();

// The most that was held since the last call of start_peak().
void start_peak();
int64_t peak_bytes();

// The most that `work` holds at a time, beyond what was held before.
template <class Work>
int64_t peak_of(const Work& work) {
  start_peak();
  const int64_t before = held_bytes();
  work();
  return peak_bytes() - before;
}

}  // namespace orthant::test
