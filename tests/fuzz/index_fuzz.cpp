#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>

#include "orthant/core/error.h"
#include "orthant/index/checksum.h"
#include "orthant/index/mask.h"
#include "orthant/index/recall.h"
#include "orthant/index/search.h"
#include "tests/fuzz/scratch_folder.h"

namespace {

using namespace orthant;

// Opens it, asks in every way, and looks through all of it.
void walk(const fuzz::ScratchFolder& folder, const std::string& bytes) {
  try {
    const index::Index index =
        index::Index::open(folder.write("x.oix", reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
    index::Query query;
    for (int64_t j = 0; j < std::min<int64_t>(index.features(), 8); ++j) {
      query.weights.push_back({j, j % 3 == 2 ? -0.5F : 1.0F});
    }
    const index::Mask all(index);
    for (const int64_t blocks : {0, 2}) {
      for (const index::Found& found :
           search(index, std::span(&query, 1), all, {.k = 3, .blocks = blocks, .threads = 1})) {
        for (const index::Hit& hit : found.hits) {
          static_cast<void>(contributions(index, query, hit.item));
          static_cast<void>(index.id(hit.item));
          static_cast<void>(index.label(hit.item));
        }
      }
    }
    static_cast<void>(index.find("a"));
    static_cast<void>(plan_for(index, 0.9));
    const index::Mask some(index, query::Filter::parse("f0 > 0.5 or not id~a", index.vocabulary()));
    query.weights.resize(1);
    static_cast<void>(search(index, std::span(&query, 1), some, {.k = 2, .threads = 1}));
    index.verify(1);
  } catch (const IoError&) {
  }
}

std::span<const std::byte> part(const std::string& bytes, const index::Section& section) {
  return std::as_bytes(std::span(bytes))
      .subspan(static_cast<size_t>(section.begin), static_cast<size_t>(section.bytes));
}

// Checksums stop nearly every input at the door: put right, so that what lies behind is met as well.
std::string mended(std::string bytes) {
  if (std::ssize(bytes) < index::kHeaderBytes) return bytes;
  index::Section place;
  std::memcpy(&place.begin, bytes.data() + 16, 8);
  if (place.begin < index::kHeaderBytes || place.begin > std::ssize(bytes)) return bytes;
  place.bytes = std::ssize(bytes) - place.begin;
  const auto seal = [&] {
    place.sum = index::checksum(part(bytes, place));
    bytes.replace(0, index::kHeaderBytes, index::header_text(std::ssize(bytes), place));
  };
  seal();
  try {
    index::Directory directory = index::parse_directory(std::as_bytes(std::span(bytes)), "fuzz");
    for (index::SegmentEntry& segment : directory.segments) {
      for (index::Section* section : {&segment.tops, &segment.steps, &segment.bounds, &segment.positions,
                                      &segment.labels, &segment.id_ends, &segment.id_bytes, &segment.gone}) {
        section->sum = index::checksum(part(bytes, *section));
      }
      for (index::WindowEntry& window : segment.windows) {
        window.lists.sum = index::checksum(part(bytes, window.lists));
        window.rows.sum = index::checksum(part(bytes, window.rows));
      }
    }
    const std::string text = index::directory_text(directory);
    if (std::ssize(text) == place.bytes) bytes.replace(static_cast<size_t>(place.begin), text.size(), text);
    seal();
  } catch (const IoError&) {
  }
  return bytes;
}

}  // namespace

// Any bytes are refused with IoError, or an index that can be asked and looked through without a step beyond them.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const fuzz::ScratchFolder folder;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  walk(folder, bytes);
  walk(folder, mended(bytes));
  return 0;
}
