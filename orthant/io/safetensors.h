#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orthant/io/array.h"

namespace orthant::io {

// The safetensors format: 8 bytes of header length, a JSON header, then the tensors' bytes, little-endian, row-major.
// The rules are those of the reference implementation: header of at most 100 MB that begins with "{", no name twice,
// tensors that cover the rest of the file without overlap, hole or trailing bytes.
constexpr size_t kMaxSafeTensorsHeader = 100'000'000;

// One tensor. `bytes` may be unaligned in files of others; array() and to_floats() take care of that.
struct Tensor {
  std::string dtype = "F32";  // F64 F32 F16 BF16 I64 I32 I16 I8 U64 U32 U16 U8 BOOL F8_E4M3 F8_E5M2
  std::vector<int64_t> shape;
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;

  // As an Array, without copying where aligned and owned. IoError naming `name` unless U8, I32, I64, F32 or F64.
  Array array(const std::string& name) const;

  // F64, F32, F16 and BF16 as floats. IoError naming `name` for other types.
  std::vector<float> to_floats(const std::string& name) const;
};

// The tensor that views an array's elements; it lives as long as the array.
Tensor tensor_of(const Array& array);

// Bytes of one element of a type as named above; 0 for one that is unknown.
size_t tensor_item_size(std::string_view dtype);

// A file of tensors. Opening reads the header only; tensors are views of the mapped file that keep it alive. Safe from
// several threads.
class SafeTensors {
 public:
  // Throws IoError if the file breaks any rule of the format.
  static SafeTensors open(const std::string& path);
  // The same of bytes in memory that `owner` keeps alive, called `name` in messages.
  static SafeTensors parse(std::span<const std::byte> bytes, const std::string& name,
                           std::shared_ptr<const void> owner);

  // Names in alphabetical order.
  std::vector<std::string> names() const;
  bool contains(const std::string& name) const { return tensors_.contains(name); }
  // IoError if there is none of that name.
  const Tensor& tensor(const std::string& name) const;

  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  // What the file is called in messages.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::map<std::string, Tensor> tensors_;
  std::map<std::string, std::string> metadata_;
};

// True if `bytes` begin as a safetensors file does.
bool looks_like_safetensors(std::span<const std::byte> bytes);

// Writes tensors and metadata, atomically, straight from the tensors' memory. Wider types come first and names are
// sorted within a type's width, as the reference implementation does, so that every tensor is aligned; the same input
// gives the same bytes. Bytes of names and metadata that are not UTF-8 become U+FFFD. std::invalid_argument for a name
// that occurs twice, is "__metadata__", or a tensor whose bytes do not fit its shape and type.
void write_safetensors(const std::string& path, const std::map<std::string, Tensor>& tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace orthant::io
