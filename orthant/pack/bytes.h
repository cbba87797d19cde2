#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

#include "orthant/core/error.h"

namespace orthant::pack {

static_assert(std::endian::native == std::endian::little, "packs are little-endian and read as they are");

// CRC-32 as zlib, gzip and PNG have it. `before` is the checksum of what came before, so that pieces can be summed one
// after the other.
uint32_t checksum(std::span<const std::byte> bytes, uint32_t before = 0);

// Appends a number, or a text behind its length (u32), to bytes in the making.
template <class Number>
void put(std::string& to, Number number) {
  static_assert(std::is_arithmetic_v<Number>);
  to.append(reinterpret_cast<const char*>(&number), sizeof(number));
}
void put_text(std::string& to, const std::string& text);

// The number at `offset`, which the caller knows to be within the bytes.
template <class Number>
Number number_at(std::span<const std::byte> bytes, size_t offset) {
  Number number;
  std::memcpy(&number, bytes.subspan(offset, sizeof(Number)).data(), sizeof(Number));
  return number;
}

// Takes what was put, in order. IoError "[name] expected ..., got ..." where the bytes end too soon.
class Taker {
 public:
  Taker(std::span<const std::byte> bytes, std::string name) : rest_(bytes), name_(std::move(name)) {}

  template <class Number>
  Number take() {
    need(sizeof(Number));
    const auto number = number_at<Number>(rest_, 0);
    rest_ = rest_.subspan(sizeof(Number));
    return number;
  }
  std::string take_text();
  // A number of things that follow, each of at least `least` bytes.
  size_t take_count(size_t least);

  std::span<const std::byte> rest() const { return rest_; }

 private:
  void need(size_t bytes) const;

  std::span<const std::byte> rest_;
  std::string name_;
};

}  // namespace orthant::pack
