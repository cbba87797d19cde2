#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "orthant/core/within_memory.h"
#include "orthant/io/safetensors.h"

namespace orthant::io {
namespace {

float from_half(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int mantissa = bits & 1023;
  float magnitude = 0;
  if (exponent == 31) {
    magnitude = mantissa == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(mantissa), -24);
  } else {
    magnitude = std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

float from_bfloat(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

template <class Stored, class Convert>
std::vector<float> converted(std::span<const std::byte> bytes, Convert convert) {
  std::vector<float> result(bytes.size() / sizeof(Stored));
  for (size_t i = 0; i < result.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    result[i] = convert(stored);
  }
  return result;
}

}  // namespace

Array Tensor::array(const std::string& name) const {
  const auto as = [&](DType type) { return array_over(type, shape, bytes, owner, name); };
  if (dtype == "U8") return as(DType::u1);
  if (dtype == "I32") return as(DType::i4);
  if (dtype == "I64") return as(DType::i8);
  if (dtype == "F32") return as(DType::f4);
  if (dtype == "F64") return as(DType::f8);
  fail_io("[", name, "] expected a tensor of U8, I32, I64, F32 or F64, got ", dtype);
}

std::vector<float> Tensor::to_floats(const std::string& name) const {
  const auto in_floats = [&]<class From>(From, auto convert) {
    return within_memory(name, bytes.size() / sizeof(From) * sizeof(float),
                         [&] { return converted<From>(bytes, convert); });
  };
  if (dtype == "F32") return in_floats(float{}, [](float x) { return x; });
  if (dtype == "F64") return in_floats(double{}, [](double x) { return static_cast<float>(x); });
  if (dtype == "F16") return in_floats(uint16_t{}, from_half);
  if (dtype == "BF16") return in_floats(uint16_t{}, from_bfloat);
  fail_io("[", name, "] expected a tensor of F32, F64, F16 or BF16, got ", dtype);
}

Tensor tensor_of(const Array& array) {
  static constexpr const char* kNames[] = {"U8", "I32", "I64", "F32", "F64"};
  return {kNames[static_cast<size_t>(array.dtype)], array.shape, array.bytes, array.owner};
}

}  // namespace orthant::io
