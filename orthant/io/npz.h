#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orthant/io/array.h"
#include "orthant/io/npy_header.h"

namespace orthant::io {

// NumPy's .npz: a zip archive of .npy files, stored or deflated, also larger than 4 GB (zip64).
//
// Nothing is decompressed before it is asked for, and then only if what the archive says of itself is credible: the
// size of an entry must be what its .npy header needs, and beyond 64 MiB no more than kMaxNpzRatio times its compressed
// size (dSprites, among the most compressible of real data sets, has 113). Checksums are verified.
constexpr int64_t kMaxNpzRatio = 400;
constexpr int64_t kMaxUncheckedNpzBytes = int64_t{64} << 20;

class Npz {
 public:
  // Opens an archive by its table of contents. Throws IoError if the file is not one, is damaged, or names an array
  // twice.
  static Npz open(const std::string& path);
  // The same of bytes in memory that `owner` keeps alive, called `name` in messages.
  static Npz parse(std::span<const std::byte> bytes, const std::string& name, std::shared_ptr<const void> owner);

  ~Npz();
  Npz(Npz&&) noexcept;
  Npz& operator=(Npz&&) noexcept;

  // The arrays' names, without ".npy", in the order of the archive. Other entries are ignored.
  const std::vector<std::string>& names() const;
  bool contains(const std::string& name) const;

  // Decompresses one array. IoError if there is none of that name, it is damaged, encrypted, of a type that is not
  // read (see npy.h) or not credible. Safe from several threads, one at a time.
  Array read(const std::string& name) const;

  // The type and shape of an array, whether read() takes it or not; decompresses no more than that.
  NpyHeader header(const std::string& name) const;

  // The entry NAME.npy as it is, for types that read() refuses; IoError if it is larger than `max_bytes`.
  std::vector<std::byte> read_raw(const std::string& name, int64_t max_bytes) const;

  // What the archive is called in messages.
  const std::string& path() const;

 private:
  struct Archive;
  explicit Npz(std::unique_ptr<Archive> archive);
  std::unique_ptr<Archive> archive_;
};

struct NpzOptions {
  bool deflate = false;  // compress; otherwise stored, which is larger and much faster
};

// Writes arrays under their names, atomically, in the order given; equal arrays give equal bytes. Opens with
// numpy.load. std::invalid_argument if there is none, or a name is empty, occurs twice or is not plain ("/", "\",
// control characters).
void write_npz(const std::string& path, const std::vector<std::pair<std::string, Array>>& arrays,
               NpzOptions options = {});

}  // namespace orthant::io
