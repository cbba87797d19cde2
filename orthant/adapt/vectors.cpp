#include "orthant/adapt/vectors.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>

#include "orthant/core/checked.h"
#include "orthant/core/error.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/mapped_file.h"
#include "orthant/io/npy_header.h"
#include "orthant/io/safetensors.h"

namespace orthant::adapt {
namespace {

io::FileDescriptor open_to_read(const std::string& path) {
  io::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  check_io(file.get() >= 0, "[", path, "] expected a file to read, got: ", io::error_text(errno));
  return file;
}

std::string dtype_of_descr(const std::string& descr) {
  return descr == "<f4" ? "F32" : descr == "<f2" ? "F16" : descr == "<f8" ? "F64" : "";
}

bool is_float(const std::string& dtype) {
  return dtype == "F32" || dtype == "F16" || dtype == "BF16" || dtype == "F64";
}

}  // namespace

Vectors::Vectors(const std::string& path) : path_(path) {
  if (!open_npy() && !open_safetensors()) open_whole();
  check(rows_ > 0 && dims_ > 0, "[", path_, "] expected vectors, got ", rows_, " x ", dims_);
}

bool Vectors::open_npy() {
  const auto mapped = io::MappedFile::open(path_);
  const auto bytes = mapped->bytes();
  if (!io::looks_like_npy(bytes)) return false;
  const io::NpyHeader header = io::parse_npy_header(bytes, path_);
  const std::string dtype = dtype_of_descr(header.descr);
  if (dtype.empty() || header.fortran_order || header.shape.size() != 2) return false;
  rows_ = header.shape[0];
  dims_ = header.shape[1];
  dtype_ = dtype;
  item_ = static_cast<int64_t>(io::tensor_item_size(dtype));
  offset_ = static_cast<int64_t>(header.data_offset);
  const auto size = checked_multiply(rows_ * dims_, item_);
  check_io(size && *size == std::ssize(bytes) - offset_, "[", path_, "] expected ", rows_, " x ", dims_,
           " elements of ", item_, " bytes, got ", std::ssize(bytes) - offset_, " bytes");
  file_ = open_to_read(path_);
  return true;
}

bool Vectors::open_safetensors() {
  const auto mapped = io::MappedFile::open(path_);
  const auto bytes = mapped->bytes();
  if (!io::looks_like_safetensors(bytes)) return false;
  const io::SafeTensors file = io::SafeTensors::parse(bytes, path_, mapped);
  std::string chosen;
  for (const std::string& name : file.names()) {
    const io::Tensor& tensor = file.tensor(name);
    if (tensor.shape.size() != 2 || !is_float(tensor.dtype)) continue;
    if (name != "features" && !chosen.empty()) return false;
    chosen = name;
    if (name == "features") break;
  }
  if (chosen.empty()) return false;
  const io::Tensor& tensor = file.tensor(chosen);
  rows_ = tensor.shape[0];
  dims_ = tensor.shape[1];
  dtype_ = tensor.dtype;
  item_ = static_cast<int64_t>(io::tensor_item_size(tensor.dtype));
  offset_ = tensor.bytes.data() - bytes.data();
  file_ = open_to_read(path_);
  if (dtype_ == "F32") {  // stays mapped: only what is said of the rows is read
    Embeddings embeddings = io::read_embeddings(path_);
    labels_ = std::move(embeddings.labels);
    class_names_ = std::move(embeddings.class_names);
    ids_ = std::move(embeddings.ids);
  }
  return true;
}

void Vectors::open_whole() {
  Embeddings embeddings = io::read_embeddings(path_);
  held_ = embeddings.sparse() ? std::get<SparseMatrix>(embeddings.features).to_dense()
                              : std::get<Matrix>(std::move(embeddings.features));
  rows_ = held_.rows();
  dims_ = held_.cols();
  labels_ = std::move(embeddings.labels);
  class_names_ = std::move(embeddings.class_names);
  ids_ = std::move(embeddings.ids);
}

void Vectors::read(int64_t begin, int64_t count, float* out) const {
  check(begin >= 0 && count >= 0 && begin + count <= rows_, "[", path_, "] expected rows up to ", rows_, ", got ",
        begin + count);
  if (count == 0) return;
  const auto floats = static_cast<size_t>(count * dims_);
  if (!streamed()) {
    std::memcpy(out, held_.data() + begin * dims_, floats * sizeof(float));
    return;
  }
  std::vector<std::byte> raw;
  const bool direct = dtype_ == "F32";
  const auto size = static_cast<size_t>(count * dims_ * item_);
  if (!direct) raw.resize(size);
  std::byte* const target = direct ? reinterpret_cast<std::byte*>(out) : raw.data();
  size_t done = 0;
  while (done < size) {
    const auto got = ::pread(file_.get(), target + done, size - done,
                             static_cast<off_t>(offset_ + begin * dims_ * item_) + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    check_io(got > 0, "[", path_, "] expected ", size - done,
             " more bytes, got: ", got == 0 ? "the end of the file" : io::error_text(errno));
    done += static_cast<size_t>(got);
  }
  if (direct) return;
  const io::Tensor tensor{dtype_, {count, dims_}, raw, nullptr};
  std::ranges::copy(tensor.to_floats(path_), out);
}

void Vectors::announce(int64_t begin, int64_t count) const {
  if (!streamed() || begin >= rows_) return;
  const int64_t last = std::min(rows_, begin + count);
  ::posix_fadvise(file_.get(), offset_ + begin * dims_ * item_, (last - begin) * dims_ * item_, POSIX_FADV_WILLNEED);
}

}  // namespace orthant::adapt
