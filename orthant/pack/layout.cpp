#include "orthant/pack/layout.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "orthant/core/checked.h"
#include "orthant/core/error.h"
#include "orthant/pack/bytes.h"

namespace orthant::pack {
namespace {

constexpr std::string_view kMagic = "orthpk1\n";
constexpr size_t kHeaderSum = kHeaderBytes - 4;

std::optional<Layout> try_layout(const Header& header) {
  std::optional<int64_t> at = header.index_begin;
  const auto take = [&at](int64_t count, int64_t size) {
    const int64_t begin = at.value_or(0);
    const auto bytes = checked_multiply(count, size);
    at = at && bytes ? checked_add(*at, *bytes) : std::nullopt;
    return begin;
  };
  Layout layout;
  layout.records = take(header.items, kRecordBytes);
  layout.factors = take(checked_multiply(header.items, header.factors).value_or(-1), 4);
  layout.train = take(header.train, 4);
  layout.test = take(header.test, 4);
  layout.ids = take(header.id_bytes, 1);
  layout.info = take(header.info_bytes, 1);
  layout.table = at.value_or(0);
  layout.blocks = (layout.table - layout.records + kBlockBytes - 1) / kBlockBytes;
  take(layout.blocks, 4);
  layout.file_bytes = at.value_or(-1);
  return at ? std::optional(layout) : std::nullopt;
}

}  // namespace

Layout layout_of(const Header& header) {
  const auto layout = try_layout(header);
  check(layout.has_value(), "[pack] expected sizes that add up to less than 2^63 bytes, got ", header.items, " items");
  return *layout;
}

bool looks_like_pack(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.starts_with(kMagic);
}

std::string header_text(const Header& header) {
  std::string text(kMagic);
  for (const int64_t number :
       {header.index_begin, header.items, header.train, header.test, header.id_bytes, header.info_bytes}) {
    put(text, number);
  }
  put(text, header.factors);
  put(text, header.table_sum);
  put(text, checksum(std::as_bytes(std::span(text))));
  return text;
}

Header parse_header(std::span<const std::byte> bytes, int64_t file_bytes, const std::string& name) {
  check_io(looks_like_pack(bytes), "[", name, "] expected a pack of pictures, got ",
           bytes.empty() ? "an empty file" : "other content");
  check_io(std::ssize(bytes) >= kHeaderBytes, "[", name, "] expected a header of ", kHeaderBytes, " bytes, got ",
           bytes.size());
  check_io(checksum(bytes.first(kHeaderSum)) == number_at<uint32_t>(bytes, kHeaderSum), "[", name,
           "] expected a header with the checksum that it states, got another: the file is damaged");
  Taker from(bytes.first(kHeaderSum).subspan(kMagic.size()), name);
  Header header;
  for (int64_t* number :
       {&header.index_begin, &header.items, &header.train, &header.test, &header.id_bytes, &header.info_bytes}) {
    *number = from.take<int64_t>();
  }
  header.factors = from.take<uint32_t>();
  header.table_sum = from.take<uint32_t>();
  const bool sound = header.index_begin >= kHeaderBytes && header.items > 0 && header.items <= kMaxItems &&
                     header.train >= 0 && header.train <= header.items && header.test >= 0 &&
                     header.test <= header.items;
  const auto layout = sound ? try_layout(header) : std::nullopt;
  check_io(layout.has_value(), "[", name, "] expected the sizes of a pack, got ", header.items, " items behind ",
           header.index_begin, " bytes");
  check_io(layout->file_bytes == file_bytes, "[", name, "] expected ", layout->file_bytes, " bytes, got ", file_bytes,
           file_bytes < layout->file_bytes ? ": the file is cut off" : ": something was added to the file");
  return header;
}

}  // namespace orthant::pack
