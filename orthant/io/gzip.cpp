#include "orthant/io/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>

#include "orthant/core/error.h"
#include "orthant/core/within_memory.h"

namespace orthant::io {

bool looks_like_gzip(std::span<const std::byte> bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{0x1f} && bytes[1] == std::byte{0x8b};
}

std::vector<std::byte> gunzip(std::span<const std::byte> bytes, const std::string& name, size_t max_bytes,
                              const PromisedBytes& promised) {
  check_io(looks_like_gzip(bytes), "[", name, "] expected a gzip file, got other content");
  z_stream stream = {};
  constexpr int kGzipOnly = 15 + 16;
  check_io(inflateInit2(&stream, kGzipOnly) == Z_OK, "[", name, "] expected memory to decompress, got none");
  const std::unique_ptr<z_stream, void (*)(z_stream*)> guard(&stream, [](z_stream* s) { inflateEnd(s); });

  std::vector<std::byte> result;
  std::array<std::byte, 1 << 16> piece;
  bool asked = !promised;
  while (true) {
    if (stream.avail_in == 0) {
      const size_t count = std::min(bytes.size(), size_t{1} << 30);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
      stream.avail_in = static_cast<uInt>(count);
      bytes = bytes.subspan(count);
    }
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    const int status = inflate(&stream, Z_NO_FLUSH);
    const size_t produced = piece.size() - stream.avail_out;
    check_io(produced <= max_bytes - result.size(), "[", name, "] expected at most ", max_bytes,
             " bytes when decompressed, got more");
    within_memory(name, result.size() + produced, [&] {
      result.insert(result.end(), piece.begin(), piece.begin() + static_cast<ptrdiff_t>(produced));
    });
    if (!asked && result.size() >= kGzipHead) {
      asked = true;
      max_bytes = std::min(max_bytes, promised(result));
      check_io(result.size() <= max_bytes, "[", name, "] expected the ", max_bytes, " bytes its header promises, got ",
               "more");
    }

    if (status == Z_STREAM_END) {
      const std::span rest(stream.next_in, stream.avail_in);
      const auto is_zero = [](auto byte) { return static_cast<unsigned char>(byte) == 0; };
      // Tape writers pad with zeros; gzip ignores them as well.
      if (std::ranges::all_of(rest, is_zero) && std::ranges::all_of(bytes, is_zero)) return result;
      check_io(inflateReset(&stream) == Z_OK, "[", name, "] expected to go on to the next gzip member, got an error");
      continue;
    }
    const bool starved = status == Z_BUF_ERROR || (status == Z_OK && produced < piece.size());
    check_io(!(starved && stream.avail_in == 0 && bytes.empty()), "[", name,
             "] expected a complete gzip file, got one that is cut off");
    check_io(status == Z_OK || status == Z_BUF_ERROR, "[", name,
             "] expected intact gzip data, got: ", stream.msg != nullptr ? stream.msg : "an error");
  }
}

std::vector<std::byte> gzip(std::span<const std::byte> bytes, int level) {
  check(level >= 1 && level <= 9, "[gzip] expected a level from 1 to 9, got ", level);
  z_stream stream = {};
  constexpr int kGzip = 15 + 16;
  check_io(deflateInit2(&stream, level, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) == Z_OK,
           "[gzip] expected memory to compress, got none");
  const std::unique_ptr<z_stream, void (*)(z_stream*)> guard(&stream, [](z_stream* s) { deflateEnd(s); });

  std::vector<std::byte> result;
  std::array<std::byte, 1 << 16> piece;
  for (int status = Z_OK; status != Z_STREAM_END;) {
    if (stream.avail_in == 0 && !bytes.empty()) {
      const size_t count = std::min(bytes.size(), size_t{1} << 30);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
      stream.avail_in = static_cast<uInt>(count);
      bytes = bytes.subspan(count);
    }
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    status = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    check_io(status == Z_OK || status == Z_STREAM_END, "[gzip] expected to compress, got an error");
    const size_t produced = piece.size() - stream.avail_out;
    result.insert(result.end(), piece.begin(), piece.begin() + static_cast<ptrdiff_t>(produced));
  }
  return result;
}

}  // namespace orthant::io
