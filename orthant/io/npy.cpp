#include "orthant/io/npy.h"

#include <utility>

#include "orthant/io/atomic_file.h"
#include "orthant/io/mapped_file.h"
#include "orthant/io/npy_elements.h"
#include "orthant/io/npy_header.h"

namespace orthant::io {

Array parse_npy(std::span<const std::byte> bytes, const std::string& name, std::shared_ptr<const void> owner) {
  const NpyHeader header = parse_npy_header(bytes, name);
  return npy_array(header, bytes.subspan(header.data_offset), std::move(owner), name);
}

Array read_npy(const std::string& path) {
  const auto file = MappedFile::open(path);
  return parse_npy(file->bytes(), path, file);
}

void write_npy(const std::string& path, const Array& array) {
  AtomicFile file(path);
  file.write(npy_header_text(dtype_descr(array.dtype), array.shape));
  file.write(array.bytes);
  file.commit();
}

Matrix read_npy_matrix(const std::string& path) { return to_matrix(read_npy(path), path); }

}  // namespace orthant::io
