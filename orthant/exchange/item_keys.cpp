#include "orthant/exchange/item_keys.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/exchange/text.h"

namespace orthant::exchange {
namespace {

template <class... Parts>
void check_ids(bool condition, const Parts&... parts) {
  if (!condition) throw IdsDoNotFit(join(parts...));
}

// "0", "17", ... up to 2^63-1, written the only way.
bool is_number(std::string_view text) {
  int64_t value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0 &&
         (text.size() == 1 || text.front() != '0');
}

void check_id(std::string_view id, int64_t row, const std::string& source, int64_t max_bytes) {
  check_ids(!id.empty(), "[", source, "] expected an id for each item, got none for row ", row);
  check_ids(std::ssize(id) <= max_bytes, "[", source, "] expected ids of at most ", max_bytes, " bytes, got ",
            id.size(), " in row ", row);
  const bool plain = std::ranges::none_of(id, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
  check_ids(plain, "[", source, "] expected ids without control characters, got one in row ", row);
  check_ids(code_points(id) >= 0, "[", source, "] expected ids in UTF-8, got other bytes in row ", row);
}

// SHA-1 (RFC 3174) of a short text.
std::array<uint32_t, 5> sha1(std::string_view text) {
  std::vector<unsigned char> message(text.begin(), text.end());
  message.push_back(0x80);
  while (message.size() % 64 != 56) message.push_back(0);
  for (int shift = 56; shift >= 0; shift -= 8) {
    message.push_back(static_cast<unsigned char>(uint64_t{text.size()} * 8 >> shift));
  }
  std::array<uint32_t, 5> hash = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  for (size_t block = 0; block < message.size(); block += 64) {
    std::array<uint32_t, 80> w = {};
    for (size_t t = 0; t < 16; ++t) {
      for (size_t k = 0; k < 4; ++k) w[t] = w[t] << 8 | message[block + 4 * t + k];
    }
    for (size_t t = 16; t < 80; ++t) w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    auto [a, b, c, d, e] = hash;
    for (size_t t = 0; t < 80; ++t) {
      const uint32_t f = t < 20   ? (b & c) | (~b & d)
                         : t < 40 ? b ^ c ^ d
                         : t < 60 ? (b & c) | (b & d) | (c & d)
                                  : b ^ c ^ d;
      const uint32_t k = t < 20 ? 0x5a827999 : t < 40 ? 0x6ed9eba1 : t < 60 ? 0x8f1bbcdc : 0xca62c1d6;
      const uint32_t next = std::rotl(a, 5) + f + e + k + w[t];
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
    const std::array<uint32_t, 5> added = {a, b, c, d, e};
    for (size_t k = 0; k < 5; ++k) hash[k] += added[k];
  }
  return hash;
}

}  // namespace

std::string uuid_of(const std::string& name) {
  constexpr std::array<unsigned char, 16> kUrls = {0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1,
                                                   0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8};
  const auto hash = sha1(std::string(kUrls.begin(), kUrls.end()) + name);
  std::string uuid;
  for (size_t k = 0; k < 16; ++k) {
    auto byte = static_cast<unsigned char>(hash[k / 4] >> (24 - 8 * (k % 4)));
    if (k == 6) byte = (byte & 0x0fU) | 0x50U;
    if (k == 8) byte = (byte & 0x3fU) | 0x80U;
    if (k == 4 || k == 6 || k == 8 || k == 10) uuid += '-';
    uuid += "0123456789abcdef"[byte >> 4];
    uuid += "0123456789abcdef"[byte & 15];
  }
  return uuid;
}

ItemKeys::ItemKeys(const Embeddings& embeddings, const std::string& source, bool row_numbers, int64_t max_bytes)
    : embeddings_(&embeddings) {
  if (row_numbers || embeddings.ids.empty()) return;
  std::unordered_map<std::string_view, int64_t> rows;
  rows.reserve(embeddings.ids.size());
  kind_ = Kind::numbers;
  for (int64_t i = 0; i < embeddings.rows(); ++i) {
    const std::string& id = embeddings.ids[static_cast<size_t>(i)];
    check_id(id, i, source, max_bytes);
    const auto [found, is_new] = rows.emplace(id, i);
    check_ids(is_new, "[", source, "] expected ids that differ, got ", id, " in rows ", found->second, " and ", i);
    if (!is_number(id)) kind_ = Kind::texts;
    longest_ = std::max(longest_, std::ssize(id));
  }
}

std::string ItemKeys::text(int64_t i) const {
  return kind_ == Kind::rows ? std::to_string(i) : embeddings_->ids[static_cast<size_t>(i)];
}

std::string ItemKeys::json(int64_t i) const {
  if (are_numbers()) return text(i);
  std::string quoted;
  append_json(quoted, text(i));
  return quoted;
}

std::string ItemKeys::json_number_or_uuid(int64_t i) const {
  return are_numbers() ? text(i) : join("\"", uuid_of(join("orthant:", text(i))), "\"");
}

}  // namespace orthant::exchange
