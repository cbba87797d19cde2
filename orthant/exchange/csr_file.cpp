#include "orthant/exchange/csr_file.h"

#include <bit>
#include <cstring>

#include "orthant/core/checked.h"
#include "orthant/core/error.h"
#include "orthant/exchange/sorted_row.h"
#include "orthant/shards/row_store.h"

namespace orthant::exchange {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr size_t kHead = 3 * sizeof(int64_t);

template <class Number>
Number number_at(std::span<const std::byte> bytes, size_t index) {
  Number value;
  std::memcpy(&value, bytes.data() + index * sizeof(Number), sizeof(Number));
  return value;
}

struct Sizes {
  int64_t rows = 0, cols = 0, entries = 0;
  int64_t bytes = 0;
};

Sizes sizes_of(std::span<const std::byte> head, const std::string& name) {
  check_io(head.size() >= kHead, "[", name, "] expected a sparse matrix of BigANN (.csr), JSON lines or a .npz, got ",
           head.size(), " bytes");
  Sizes sizes{number_at<int64_t>(head, 0), number_at<int64_t>(head, 1), number_at<int64_t>(head, 2)};
  const auto starts = checked_add(sizes.rows, 1);
  const auto start_bytes = starts ? checked_multiply(*starts, 8) : std::nullopt;
  const auto entry_bytes = checked_multiply(sizes.entries, 8);
  const auto body = start_bytes && entry_bytes ? checked_add(*start_bytes, *entry_bytes) : std::nullopt;
  const auto whole = body ? checked_add(*body, static_cast<int64_t>(kHead)) : std::nullopt;
  check_io(whole && sizes.cols >= 0 && sizes.cols <= INT32_MAX, "[", name,
           "] expected the sizes of a sparse matrix (BigANN's .csr) at its beginning, got ", sizes.rows, " rows, ",
           sizes.cols, " columns, ", sizes.entries, " entries");
  sizes.bytes = *whole;
  return sizes;
}

}  // namespace

size_t promised_csr_bytes(std::span<const std::byte> head, const std::string& name) {
  return static_cast<size_t>(sizes_of(head, name).bytes);
}

Embeddings parse_csr(std::span<const std::byte> bytes, const std::string& name) {
  const Sizes sizes = sizes_of(bytes, name);
  check_io(std::ssize(bytes) == sizes.bytes, "[", name, "] expected ", sizes.bytes, " bytes for ", sizes.rows,
           " rows and ", sizes.entries, " entries, got ", bytes.size());
  const auto starts = bytes.subspan(kHead, static_cast<size_t>(sizes.rows + 1) * 8);
  const auto columns = bytes.subspan(kHead + starts.size(), static_cast<size_t>(sizes.entries) * 4);
  const auto values = bytes.subspan(kHead + starts.size() + columns.size());
  check_io(number_at<int64_t>(starts, 0) == 0, "[", name, "] expected rows to start at 0, got ",
           number_at<int64_t>(starts, 0));
  shards::RowStore store;
  SortedRow row;
  int64_t begin = 0;
  for (int64_t i = 0; i < sizes.rows; ++i) {
    const auto end = number_at<int64_t>(starts, static_cast<size_t>(i) + 1);
    check_io(end >= begin && end <= sizes.entries, "[", name, "] expected the end of row ", i, " from ", begin, " to ",
             sizes.entries, ", got ", end);
    row.clear();
    for (int64_t k = begin; k < end; ++k) {
      const auto column = number_at<int32_t>(columns, static_cast<size_t>(k));
      check_io(column >= 0 && column < sizes.cols, "[", name, "] expected columns below ", sizes.cols, ", got ", column,
               " in row ", i);
      row.add(column, number_at<float>(values, static_cast<size_t>(k)));
    }
    store.append(row.sorted(name, i));
    begin = end;
  }
  check_io(begin == sizes.entries, "[", name, "] expected rows to end at ", sizes.entries, ", got ", begin);
  Embeddings embeddings;
  embeddings.features = store.finish(sizes.cols);
  return embeddings;
}

}  // namespace orthant::exchange
