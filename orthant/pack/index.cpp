#include "orthant/pack/index.h"

#include <algorithm>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/pack/bytes.h"

namespace orthant::pack {

Index::Index(std::span<const std::byte> bytes, std::string name, std::shared_ptr<const void> owner)
    : bytes_(bytes),
      name_(std::move(name)),
      owner_(std::move(owner)),
      header_(parse_header(bytes, std::ssize(bytes), name_)),
      layout_(layout_of(header_)) {
  const auto table = bytes_.subspan(static_cast<size_t>(layout_.table));
  check_io(checksum(table) == header_.table_sum, "[", name_,
           "] expected an index with the checksums that it states, got others: the file is damaged");
  sound_ = std::make_unique<std::atomic<bool>[]>(static_cast<size_t>(layout_.blocks));
  info_ = parse_info(sound(layout_.info, header_.info_bytes), name_);
  check_io(info_.factors.size() == header_.factors, "[", name_, "] expected ", header_.factors, " factors, got ",
           info_.factors.size());
}

std::span<const std::byte> Index::sound(int64_t begin, int64_t length) const {
  if (length == 0) return {};
  const int64_t first = (begin - layout_.records) / kBlockBytes;
  const int64_t last = (begin + length - 1 - layout_.records) / kBlockBytes;
  for (int64_t block = first; block <= last; ++block) {
    if (!sound_[static_cast<size_t>(block)].load(std::memory_order_relaxed)) check_block(block);
  }
  return bytes_.subspan(static_cast<size_t>(begin), static_cast<size_t>(length));
}

void Index::check_block(int64_t block) const {
  const int64_t begin = layout_.records + block * kBlockBytes;
  const int64_t end = std::min(begin + kBlockBytes, layout_.table);
  const auto stated = number_at<uint32_t>(bytes_, static_cast<size_t>(layout_.table + 4 * block));
  const auto bytes = bytes_.subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
  check_io(checksum(bytes) == stated, "[", name_, "] expected an index with the checksums that it states, got another ",
           "in bytes ", begin, " to ", end, ": the file is damaged");
  sound_[static_cast<size_t>(block)].store(true, std::memory_order_relaxed);
}

std::pair<int64_t, int64_t> Index::ends_before(int64_t i) const {
  if (i == 0) return {kHeaderBytes, 0};
  const auto record = sound(layout_.records + (i - 1) * kRecordBytes, 16);
  return {number_at<int64_t>(record, 0), number_at<int64_t>(record, 8)};
}

Item Index::item(int64_t i) const {
  const int64_t begin = ends_before(i).first;
  const auto record = sound(layout_.records + i * kRecordBytes, kRecordBytes);
  const Item item{begin, number_at<int64_t>(record, 0), number_at<uint32_t>(record, 16),
                  number_at<int32_t>(record, 20)};
  check_io(item.begin >= kHeaderBytes && item.begin <= item.end && item.end <= header_.index_begin, "[", name_,
           "] expected picture ", i, " within bytes ", kHeaderBytes, " to ", header_.index_begin, ", got ", item.begin,
           " to ", item.end);
  check_io(item.label >= -1 && item.label < std::ssize(info_.class_names), "[", name_, "] expected a class of picture ",
           i, " from -1 to ", std::ssize(info_.class_names) - 1, ", got ", item.label);
  return item;
}

std::string Index::id(int64_t i) const {
  const int64_t begin = ends_before(i).second;
  const int64_t end = number_at<int64_t>(sound(layout_.records + i * kRecordBytes, kRecordBytes), 8);
  check_io(begin >= 0 && begin <= end && end <= header_.id_bytes, "[", name_, "] expected the id of picture ", i,
           " within ", header_.id_bytes, " bytes, got ", begin, " to ", end);
  const auto text = sound(layout_.ids + begin, end - begin);
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

int32_t Index::factor(int64_t i, int64_t k) const {
  const auto found = number_at<int32_t>(sound(layout_.factors + 4 * (i * header_.factors + k), 4), 0);
  const FactorInfo& factor = info_.factors[static_cast<size_t>(k)];
  check_io(found >= 0 && found < std::ssize(factor.values), "[", name_, "] expected a value of ", factor.name,
           " of picture ", i, " from 0 to ", std::ssize(factor.values) - 1, ", got ", found);
  return found;
}

int64_t Index::member(int64_t list, int64_t k) const {
  const auto item = number_at<uint32_t>(sound(list + 4 * k, 4), 0);
  check_io(item < header_.items, "[", name_, "] expected splits of ", header_.items, " pictures, got picture ", item);
  return item;
}

}  // namespace orthant::pack
