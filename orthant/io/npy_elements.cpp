#include "orthant/io/npy_elements.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "orthant/core/within_memory.h"

namespace orthant::io {
namespace {

// A 16-bit float: 5 bits of exponent, 10 of mantissa.
struct Half {
  uint16_t bits;

  operator float() const {  // NOLINT(google-explicit-constructor)
    const uint32_t magnitude = static_cast<uint32_t>(bits & 0x7fff) << 13;
    const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
    if (magnitude >= 0x7c00U << 13) return std::bit_cast<float>(sign | 0x7f80'0000U | magnitude);
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112F));
  }
};

struct StoredType {
  const char* descr;
  size_t size;
  DType dtype;                                           // of the Array
  Array (*convert)(std::span<const std::byte>, size_t);  // null: it is stored as it is held
};

template <class From, class To>
Array widen(std::span<const std::byte> bytes, size_t count) {
  std::vector<To> values(count);
  for (size_t i = 0; i < count; ++i) {
    From element;
    std::memcpy(&element, bytes.data() + i * sizeof(From), sizeof(From));
    values[i] = element;
  }
  return array_from(std::move(values), {static_cast<int64_t>(count)});
}

constexpr StoredType kTypes[] = {{"|u1", 1, DType::u1, nullptr},
                                 {"<i4", 4, DType::i4, nullptr},
                                 {"<i8", 8, DType::i8, nullptr},
                                 {"<f4", 4, DType::f4, nullptr},
                                 {"<f8", 8, DType::f8, nullptr},
                                 {"|i1", 1, DType::i4, widen<int8_t, int32_t>},
                                 {"<i2", 2, DType::i4, widen<int16_t, int32_t>},
                                 {"<u2", 2, DType::i4, widen<uint16_t, int32_t>},
                                 {"<u4", 4, DType::i8, widen<uint32_t, int64_t>},
                                 {"<f2", 2, DType::f4, widen<Half, float>}};

std::string printable(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

const StoredType& type_of(const NpyHeader& header, const std::string& name) {
  const std::string& descr = header.descr;
  check_io(!descr.starts_with('>'), "[", name, "] expected little-endian elements, got '", printable(descr),
           "'; save it with a.astype(a.dtype.newbyteorder('<'))");
  const auto* found = std::ranges::find_if(kTypes, [&](const StoredType& type) { return descr == type.descr; });
  check_io(found != std::end(kTypes), "[", name,
           "] expected integers of up to 32 bits, int64, float16, float32 or float64, got ",
           descr.empty() ? "a structured type" : printable(descr), "; convert with a.astype(...)");
  return *found;
}

// From first index fastest to last index fastest.
std::vector<std::byte> in_c_order(std::span<const std::byte> bytes, std::span<const int64_t> shape, size_t item) {
  std::vector<std::byte> turned(bytes.size());
  std::vector<size_t> step(shape.size(), 1);  // between neighbours along a dimension
  for (size_t k = 1; k < shape.size(); ++k) step[k] = step[k - 1] * static_cast<size_t>(shape[k - 1]);
  std::vector<int64_t> at(shape.size(), 0);
  size_t source = 0;
  for (size_t target = 0; target < turned.size(); target += item) {
    std::memcpy(turned.data() + target, bytes.data() + source * item, item);
    for (size_t k = shape.size(); k-- > 0;) {
      source += step[k];
      if (++at[k] < shape[k]) break;
      source -= step[k] * static_cast<size_t>(shape[k]);
      at[k] = 0;
    }
  }
  return turned;
}

}  // namespace

size_t npy_item_size(const NpyHeader& header, const std::string& name) { return type_of(header, name).size; }

Array npy_array(const NpyHeader& header, std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                const std::string& name) {
  const StoredType& type = type_of(header, name);
  const auto count = checked_product(header.shape);
  const auto expected = count ? checked_multiply(*count, static_cast<int64_t>(type.size)) : std::nullopt;
  check_io(expected.has_value(), "[", name, "] expected a shape that fits in memory, got ", shape_text(header.shape));
  check_io(static_cast<uint64_t>(*expected) == bytes.size(), "[", name, "] expected ", *expected, " bytes for '",
           type.descr, "' of shape ", shape_text(header.shape), ", got ", bytes.size());
  const auto longer_than_one = std::ranges::count_if(header.shape, [](int64_t dim) { return dim != 1; });
  if (header.fortran_order && longer_than_one > 1) {
    auto turned = within_memory(name, bytes.size(), [&] {
      return std::make_shared<const std::vector<std::byte>>(in_c_order(bytes, header.shape, type.size));
    });
    bytes = *turned;
    owner = std::move(turned);
  }
  if (type.convert == nullptr) return array_over(type.dtype, header.shape, bytes, std::move(owner), name);
  const size_t held = static_cast<size_t>(*count) * item_size(type.dtype);
  Array array = within_memory(name, held, [&] { return type.convert(bytes, static_cast<size_t>(*count)); });
  array.shape = header.shape;
  return array;
}

}  // namespace orthant::io
