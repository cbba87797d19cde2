#include "orthant/core/amx.h"

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace orthant {
namespace {

#if defined(__x86_64__) && defined(__linux__)
constexpr long kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM of asm/prctl.h, which older headers lack
constexpr long kTileData = 18;               // XFEATURE_XTILEDATA

bool has_bit(unsigned value, int bit) { return (value >> bit & 1U) != 0; }

// What learn/tiles/amx_gemm.cpp is built from. Older compilers know no names of the tiles.
bool processor_has_them() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  const bool tiles = __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && has_bit(d, 22) && has_bit(d, 24);
  return tiles && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512bf16");
}

std::string find_out() {
  if (!processor_has_them()) return "a processor without them";
  if (syscall(SYS_arch_prctl, kRequestPermission, kTileData) != 0) return "a system that does not permit them";
  return "";
}
#else
std::string find_out() { return "a processor without them"; }
#endif

}  // namespace

const std::string& missing_amx() {
  static const std::string missing = find_out();
  return missing;
}

}  // namespace orthant
