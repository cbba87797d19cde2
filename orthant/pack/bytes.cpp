#include "orthant/pack/bytes.h"

#include <zlib.h>

namespace orthant::pack {

uint32_t checksum(std::span<const std::byte> bytes, uint32_t before) {
  return static_cast<uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

void put_text(std::string& to, const std::string& text) {
  check(text.size() <= UINT32_MAX, "[pack] expected texts of less than 4 GiB, got ", text.size(), " bytes");
  put(to, static_cast<uint32_t>(text.size()));
  to += text;
}

std::string Taker::take_text() {
  const auto length = take<uint32_t>();
  need(length);
  const std::string text(reinterpret_cast<const char*>(rest_.data()), length);
  rest_ = rest_.subspan(length);
  return text;
}

size_t Taker::take_count(size_t least) {
  const auto count = take<uint32_t>();
  check_io(count <= rest_.size() / least, "[", name_, "] expected at most ", rest_.size() / least, " entries, got ",
           count);
  return count;
}

void Taker::need(size_t bytes) const {
  check_io(bytes <= rest_.size(), "[", name_, "] expected ", bytes, " more bytes, got ", rest_.size());
}

}  // namespace orthant::pack
