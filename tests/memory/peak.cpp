#include "tests/memory/peak.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<int64_t> held{0};
std::atomic<int64_t> peak{0};

void* counted(void* room) {
  if (room == nullptr) throw std::bad_alloc();
  const int64_t now = held += static_cast<int64_t>(::malloc_usable_size(room));
  int64_t most = peak.load();
  while (now > most && !peak.compare_exchange_weak(most, now)) {
  }
  return room;
}

void release(void* room) noexcept {
  if (room != nullptr) held -= static_cast<int64_t>(::malloc_usable_size(room));
  std::free(room);
}

}  // namespace

namespace orthant::test {

int64_t held_bytes() { return held; }
void start_peak() { peak = held.load(); }
int64_t peak_bytes() { return peak; }

}  // namespace orthant::test

void* operator new(size_t size) { return counted(std::malloc(size)); }
void* operator new(size_t size, std::align_val_t alignment) {
  const auto step = static_cast<size_t>(alignment);
  return counted(std::aligned_alloc(step, (size + step - 1) / step * step));
}
void operator delete(void* room) noexcept { release(room); }
void operator delete(void* room, size_t) noexcept { release(room); }
void operator delete(void* room, std::align_val_t) noexcept { release(room); }
void operator delete(void* room, size_t, std::align_val_t) noexcept { release(room); }
