#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orthant/core/checked.h"
#include "orthant/core/error.h"
#include "orthant/core/matrix.h"

namespace orthant::io {

static_assert(std::endian::native == std::endian::little, "files are little-endian and mapped as they are");

// Element types, by NumPy's names: unsigned byte, 32- and 64-bit integers, single and double floats.
enum class DType { u1, i4, i8, f4, f8 };

size_t item_size(DType dtype);         // bytes of one element
const char* dtype_name(DType dtype);   // "uint8", "int32", "int64", "float32", "float64"
const char* dtype_descr(DType dtype);  // as in a .npy header: "|u1", "<i4", ...

template <class T>
concept Element = std::same_as<T, uint8_t> || std::same_as<T, int32_t> || std::same_as<T, int64_t> ||
    std::same_as<T, float> || std::same_as<T, double>;

template <Element T>
constexpr DType dtype_of() {
  if constexpr (std::same_as<T, uint8_t>) return DType::u1;
  if constexpr (std::same_as<T, int32_t>) return DType::i4;
  if constexpr (std::same_as<T, int64_t>) return DType::i8;
  if constexpr (std::same_as<T, float>) return DType::f4;
  if constexpr (std::same_as<T, double>) return DType::f8;
}

// A read-only array of any number of dimensions in row-major (C) order. `bytes` holds exactly the product of `shape`
// elements, aligned for their type, and stays valid as long as `owner` does; without an owner, as long as whatever the
// caller made it from. Copies share the elements. Reading from several threads is safe.
struct Array {
  DType dtype = DType::f4;
  std::vector<int64_t> shape = {0};
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;

  // Number of elements.
  int64_t size() const { return static_cast<int64_t>(bytes.size() / item_size(dtype)); }

  // The elements; std::invalid_argument if they are of another type.
  template <Element T>
  std::span<const T> as() const {
    check(dtype == dtype_of<T>(), "[Array] expected elements of type ", dtype_name(dtype_of<T>()), ", got ",
          dtype_name(dtype));
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
};

// An Array that views the caller's elements. std::invalid_argument if `shape` has another number of elements.
template <Element T>
Array array_of(std::span<const T> values, std::vector<int64_t> shape) {
  const auto size = checked_product(shape);
  check(size && *size == static_cast<int64_t>(values.size()), "[Array] expected a shape of ", values.size(),
        " elements, got ", size ? std::to_string(*size) : "one that is negative or too large");
  return {dtype_of<T>(), std::move(shape), std::as_bytes(values), nullptr};
}

// An Array that owns its elements, without copying them.
template <Element T>
Array array_from(std::vector<T> values, std::vector<int64_t> shape) {
  const auto owner = std::make_shared<const std::vector<T>>(std::move(values));
  Array array = array_of(std::span<const T>(*owner), std::move(shape));
  array.owner = owner;
  return array;
}

// `bytes` as elements of `dtype`, sharing them if they are aligned and `owner` keeps them alive, otherwise a copy.
// Throws IoError naming `name` unless `bytes` is exactly as long as `shape` says.
Array array_over(DType dtype, std::vector<int64_t> shape, std::span<const std::byte> bytes,
                 std::shared_ptr<const void> owner, const std::string& name);

// "(3, 4)", as Python writes it.
std::string shape_text(std::span<const int64_t> shape);

// A two-dimensional float array as a matrix: float32 is borrowed if the array has an owner and copied otherwise,
// float64 is converted. Throws IoError naming `name` for any other type or number of dimensions.
Matrix to_matrix(const Array& array, const std::string& name);

// A one-dimensional uint8, int32 or int64 array as 64-bit integers; IoError naming `name` for anything else.
std::vector<int64_t> to_integers(const Array& array, const std::string& name);

}  // namespace orthant::io
