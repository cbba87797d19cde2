#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/pack/bytes.h"
#include "orthant/pack/index.h"
#include "orthant/pack/journal.h"

namespace {

using namespace orthant;

// Touches everything that the bytes say there is.
void walk(std::span<const std::byte> bytes) {
  try {
    const pack::Index index(bytes, "fuzz", nullptr);
    const auto classes = static_cast<int64_t>(index.info().class_names.size());
    for (int64_t i = 0; i < index.size(); ++i) {
      const pack::Item item = index.item(i);
      if (item.begin > item.end || item.end > index.header().index_begin || item.label >= classes) std::abort();
      static_cast<void>(index.id(i));
      for (int64_t k = 0; k < index.header().factors; ++k) static_cast<void>(index.factor(i, k));
    }
    for (int64_t k = 0; k < index.header().train; ++k) {
      if (index.train(k) >= index.size()) std::abort();
    }
    for (int64_t k = 0; k < index.header().test; ++k) {
      if (index.test(k) >= index.size()) std::abort();
    }
  } catch (const IoError&) {
  }
}

void put(std::vector<std::byte>& bytes, int64_t at, uint32_t number) {
  std::memcpy(bytes.data() + at, &number, sizeof(number));
}

// Checksums stop nearly every input at the door: put right, so that what lies behind is met as well.
void mend(std::vector<std::byte>& bytes) {
  if (std::ssize(bytes) < pack::kHeaderBytes) return;
  const auto header_sum = [&] {
    put(bytes, pack::kHeaderBytes - 4, pack::checksum(std::span(bytes).first(pack::kHeaderBytes - 4)));
  };
  header_sum();
  try {
    const pack::Header header = pack::parse_header(bytes, std::ssize(bytes), "fuzz");
    const pack::Layout layout = pack::layout_of(header);
    for (int64_t block = 0; block < layout.blocks; ++block) {
      const int64_t begin = layout.records + block * pack::kBlockBytes;
      const int64_t end = std::min(begin + pack::kBlockBytes, layout.table);
      const auto summed = std::span(bytes).subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
      put(bytes, layout.table + 4 * block, pack::checksum(summed));
    }
    put(bytes, 60, pack::checksum(std::span(bytes).subspan(static_cast<size_t>(layout.table))));
    header_sum();
  } catch (const IoError&) {
  }
}

}  // namespace

// Any bytes are either refused with IoError or an index that says nothing beyond the file; any bytes are a journal.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  std::vector<std::byte> mended(bytes.begin(), bytes.end());
  walk(mended);
  mend(mended);
  walk(mended);
  const pack::Journal journal = pack::parse_journal(bytes, 1);
  if (journal.entries.size() != journal.ends.size()) std::abort();
  return 0;
}
