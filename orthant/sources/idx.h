#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orthant/data/dataset.h"

namespace orthant {

// An array of bytes in LeCun's IDX format: two zeros, the type (8: unsigned byte, the only one that is read), the
// number of dimensions, each dimension as a big-endian 32-bit number, then the bytes in row-major order.
struct IdxArray {
  std::vector<int64_t> shape;  // one to four dimensions
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;  // keeps `bytes` alive
};

// Reads the header and checks that exactly the promised bytes follow, without copying them. IoError naming `name`
// otherwise.
IdxArray parse_idx(std::span<const std::byte> bytes, const std::string& name, std::shared_ptr<const void> owner);

// The same of a file, mapped; or of a gzip file, decompressed to memory: no further than its header promises, which
// must be at most 16 GiB and, beyond 64 MiB, at most 400 times the size of the file.
IdxArray read_idx(const std::string& path);

struct IdxOptions {
  std::string name = "idx";              // of the data set
  std::vector<std::string> class_names;  // empty: "0", "1", ... to the largest label
};

// A folder of the MNIST family: train-images-idx3-ubyte and train-labels-idx1-ubyte are the split "train",
// t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte are "test", one after the other they are "all". Also under names
// with "." for the last "-" and with ".gz". Images are [N, H, W] grey or [N, H, W, 3] RGB; labels may be missing.
// IoError if images are missing or malformed, or the labels are not as many.
DatasetPtr open_idx(const std::string& folder, const std::string& split, const IdxOptions& options = {});

}  // namespace orthant
