#include "orthant/io/array.h"

#include <algorithm>

#include "orthant/core/within_memory.h"

namespace orthant::io {
namespace {

struct DTypeFacts {
  size_t size;
  const char* name;
  const char* descr;
};

const DTypeFacts& facts(DType dtype) {
  static constexpr DTypeFacts kFacts[] = {
      {1, "uint8", "|u1"}, {4, "int32", "<i4"}, {8, "int64", "<i8"}, {4, "float32", "<f4"}, {8, "float64", "<f8"}};
  return kFacts[static_cast<size_t>(dtype)];
}

}  // namespace

size_t item_size(DType dtype) { return facts(dtype).size; }
const char* dtype_name(DType dtype) { return facts(dtype).name; }
const char* dtype_descr(DType dtype) { return facts(dtype).descr; }

std::string shape_text(std::span<const int64_t> shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

Array array_over(DType dtype, std::vector<int64_t> shape, std::span<const std::byte> bytes,
                 std::shared_ptr<const void> owner, const std::string& name) {
  const size_t item = item_size(dtype);
  const auto size = checked_product(shape);
  const auto expected = size ? checked_multiply(*size, static_cast<int64_t>(item)) : std::nullopt;
  check_io(expected.has_value(), "[", name, "] expected a shape that fits in memory, got ", shape_text(shape));
  check_io(static_cast<uint64_t>(*expected) == bytes.size(), "[", name, "] expected ", *expected, " bytes for ",
           dtype_name(dtype), " of shape ", shape_text(shape), ", got ", bytes.size());
  if (owner != nullptr && reinterpret_cast<uintptr_t>(bytes.data()) % item == 0) {
    return {dtype, std::move(shape), bytes, std::move(owner)};
  }
  const auto copy =
      within_memory(name, bytes.size(), [&] { return std::shared_ptr<std::byte[]>(new std::byte[bytes.size()]); });
  std::ranges::copy(bytes, copy.get());
  return {dtype, std::move(shape), {copy.get(), bytes.size()}, copy};
}

Matrix to_matrix(const Array& array, const std::string& name) {
  const bool is_float = array.dtype == DType::f4 || array.dtype == DType::f8;
  check_io(array.shape.size() == 2 && is_float, "[", name, "] expected a 2-D array of float32 or float64, got ",
           dtype_name(array.dtype), " of shape ", shape_text(array.shape));
  const int64_t rows = array.shape[0];
  const int64_t cols = array.shape[1];
  if (array.dtype == DType::f8) {
    const auto values = array.as<double>();
    auto converted =
        within_memory(name, values.size() * sizeof(float), [&] { return std::vector<float>(values.size()); });
    std::ranges::transform(values, converted.begin(), [](double x) { return static_cast<float>(x); });
    return {rows, cols, std::move(converted)};
  }
  const auto values = array.as<float>();
  if (array.owner != nullptr && !values.empty()) return Matrix::borrow(values.data(), rows, cols, array.owner);
  return {rows, cols, std::vector<float>(values.begin(), values.end())};
}

std::vector<int64_t> to_integers(const Array& array, const std::string& name) {
  const bool is_integer = array.dtype == DType::u1 || array.dtype == DType::i4 || array.dtype == DType::i8;
  check_io(array.shape.size() == 1 && is_integer, "[", name, "] expected a 1-D array of uint8, int32 or int64, got ",
           dtype_name(array.dtype), " of shape ", shape_text(array.shape));
  const auto widened = [](auto values) { return std::vector<int64_t>(values.begin(), values.end()); };
  if (array.dtype == DType::u1) return widened(array.as<uint8_t>());
  if (array.dtype == DType::i4) return widened(array.as<int32_t>());
  return widened(array.as<int64_t>());
}

}  // namespace orthant::io
