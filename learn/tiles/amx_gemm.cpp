#include "learn/tiles/amx_gemm.h"

#ifdef __x86_64__
#ifndef __clang__
// GCC 12 takes its own intrinsics' undefined values for ours (bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include <algorithm>

#define ORTHANT_AMX __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,amx-tile,amx-bf16")))

namespace orthant {
namespace {

struct alignas(64) TileConfig {
  uint8_t palette = 1;
  uint8_t start_row = 0;
  uint8_t reserved[14] = {};
  uint16_t column_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileConfig) == 64);

constinit const TileConfig kConfig;

constexpr int64_t kTile = kPairElements / 2;

// The compiler does not know that tiles are read from memory.
inline void finish_writing() { __asm__ volatile("" ::: "memory"); }

ORTHANT_AMX inline __mmask16 first_lanes(int64_t count) {
  return static_cast<__mmask16>((1U << std::clamp<int64_t>(count, 0, 16)) - 1);
}

// bfloat16 numbers in the lower halves of 32-bit lanes.
ORTHANT_AMX inline __m512i round_lanes(__m512 values) {
  return _mm512_cvtepu16_epi32(reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(values)));
}

ORTHANT_AMX inline __m512i beside(__m512 even, __m512 odd) {
  return _mm512_or_si512(round_lanes(even), _mm512_slli_epi32(round_lanes(odd), 16));
}

ORTHANT_AMX void load_config() { _tile_loadconfig(&kConfig); }
ORTHANT_AMX void release_config() { _tile_release(); }

}  // namespace

TileScope::TileScope() { load_config(); }
TileScope::~TileScope() { release_config(); }

ORTHANT_AMX void multiply_tiles(const TileRun* runs, int64_t count, int64_t a_step, int64_t b_step,
                                const TileSums& sums) {
  finish_writing();
  float* lower = sums.to + kTileRows * sums.stride;
  const int64_t stride = sums.stride * 4;
  if (sums.add) {
    _tile_loadd(0, sums.to, stride);
    _tile_loadd(1, sums.to + 16, stride);
    _tile_loadd(2, lower, stride);
    _tile_loadd(3, lower + 16, stride);
  } else {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  }
  for (int64_t r = 0; r < count; ++r) {
    const Bf16* a = runs[r].a;
    const Bf16* b = runs[r].b;
    for (int64_t i = 0; i < runs[r].count; ++i, a += a_step, b += b_step) {
      _tile_loadd(4, a, 64);
      _tile_loadd(6, b, 64);
      _tile_loadd(7, b + kTile, 64);
      _tile_loadd(5, a + kTile, 64);
      _tile_dpbf16ps(0, 4, 6);
      _tile_dpbf16ps(1, 4, 7);
      _tile_dpbf16ps(2, 5, 6);
      _tile_dpbf16ps(3, 5, 7);
    }
  }
  _tile_stored(0, sums.to, stride);
  _tile_stored(1, sums.to + 16, stride);
  _tile_stored(2, lower, stride);
  _tile_stored(3, lower + 16, stride);
  finish_writing();
}

ORTHANT_AMX void pack_left_row(const float* from, int64_t channels, Bf16* to) {
  for (int64_t c = 0; c < channels; c += kTilePair, to += kPairElements) {
    __m512 low = _mm512_setzero_ps();
    __m512 high = _mm512_setzero_ps();
    if (from != nullptr) {
      low = _mm512_maskz_loadu_ps(first_lanes(channels - c), from + c);
      high = _mm512_maskz_loadu_ps(first_lanes(channels - c - 16), from + c + 16);
    }
    _mm512_storeu_si512(to, reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(high, low)));
  }
}

ORTHANT_AMX void pack_right_rows(const float* even, const float* odd, int64_t channels, int64_t step, Bf16* to) {
  for (int64_t c = 0; c < channels; c += kTilePair, to += step) {
    for (int64_t half = 0; half < 2; ++half) {
      const int64_t at = c + 16 * half;
      const __mmask16 lanes = first_lanes(channels - at);
      const __m512 first = even == nullptr ? _mm512_setzero_ps() : _mm512_maskz_loadu_ps(lanes, even + at);
      const __m512 second = odd == nullptr ? _mm512_setzero_ps() : _mm512_maskz_loadu_ps(lanes, odd + at);
      _mm512_storeu_si512(to + half * kTile, beside(first, second));
    }
  }
}

ORTHANT_AMX void transpose_tile(Bf16* tile) {
  __m512i r[16];
  __m512i t[16];
  for (int i = 0; i < 16; ++i) r[i] = _mm512_loadu_si512(tile + 32 * i);
  for (int i = 0; i < 16; i += 2) {
    t[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
    t[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
  }
  for (int i = 0; i < 16; i += 4) {
    r[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
    r[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
    r[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
    r[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
  }
  for (int i = 0; i < 4; ++i) {
    t[i] = _mm512_shuffle_i32x4(r[i], r[i + 4], 0x88);
    t[i + 4] = _mm512_shuffle_i32x4(r[i], r[i + 4], 0xdd);
    t[i + 8] = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0x88);
    t[i + 12] = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0xdd);
  }
  for (int i = 0; i < 4; ++i) {
    _mm512_storeu_si512(tile + 32 * i, _mm512_shuffle_i32x4(t[i], t[i + 8], 0x88));
    _mm512_storeu_si512(tile + 32 * (i + 4), _mm512_shuffle_i32x4(t[i + 4], t[i + 12], 0x88));
    _mm512_storeu_si512(tile + 32 * (i + 8), _mm512_shuffle_i32x4(t[i], t[i + 8], 0xdd));
    _mm512_storeu_si512(tile + 32 * (i + 12), _mm512_shuffle_i32x4(t[i + 4], t[i + 12], 0xdd));
  }
}

ORTHANT_AMX void pack_right_matrix(const float* from, int64_t rows, int64_t columns, int64_t row_step,
                                   int64_t column_step, Bf16* to) {
  const __m512i lane = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
  const __m512i step = _mm512_set1_epi64(column_step);
  const __m512i near = _mm512_mullo_epi64(lane, step);
  const __m512i far = _mm512_mullo_epi64(_mm512_add_epi64(lane, _mm512_set1_epi64(8)), step);
  for (int64_t row = 0; row < rows; row += kTilePair, to += kPairElements) {
    for (int64_t half = 0; half < 2; ++half) {
      const __mmask16 lanes = first_lanes(columns - 16 * half);
      for (int64_t pair = 0; pair < 16; ++pair) {
        __m512 values[2];
        for (int64_t k = 0; k < 2; ++k) {
          const int64_t at = row + 2 * pair + k;
          const __mmask16 found = at < rows ? lanes : 0;
          const float* base = from + at * row_step + 16 * half * column_step;
          const __m256 none = _mm256_setzero_ps();
          const __m256 low = _mm512_mask_i64gather_ps(none, static_cast<__mmask8>(found), near, base, 4);
          const __m256 high = _mm512_mask_i64gather_ps(none, static_cast<__mmask8>(found >> 8), far, base, 4);
          values[k] = _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
        }
        _mm512_storeu_si512(to + half * kTile + pair * 32, beside(values[0], values[1]));
      }
    }
  }
}

}  // namespace orthant

#else

namespace orthant {

TileScope::TileScope() = default;
TileScope::~TileScope() = default;
void multiply_tiles(const TileRun*, int64_t, int64_t, int64_t, const TileSums&) {}
void pack_left_row(const float*, int64_t, Bf16*) {}
void pack_right_rows(const float*, const float*, int64_t, int64_t, Bf16*) {}
void transpose_tile(Bf16*) {}
void pack_right_matrix(const float*, int64_t, int64_t, int64_t, int64_t, Bf16*) {}

}  // namespace orthant
#endif
