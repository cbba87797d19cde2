#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orthant/data/dataset.h"

namespace orthant {

// The two layouts of the official binary files. A record is the label bytes followed by 32x32 pixels of red, then
// green, then blue. CIFAR-100 has the coarse label first, then the fine one.
enum class CifarLayout { kCifar10, kCifar100 };

// The records of one file, checked: a whole number of them, at least one, all labels in range. Shares `bytes`.
class CifarBatch {
 public:
  // IoError naming `name` if the bytes are not such records.
  CifarBatch(std::span<const std::byte> bytes, const std::string& name, CifarLayout layout,
             std::shared_ptr<const void> owner);

  int64_t size() const { return static_cast<int64_t>(labels_.size()); }
  Image image(int64_t i) const;  // i is not checked
  int64_t label(int64_t i) const { return labels_[static_cast<size_t>(i)]; }
  int64_t coarse_label(int64_t i) const;  // of CIFAR-100

 private:
  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;
  size_t record_;
  std::vector<uint8_t> labels_;  // a copy: reading them from the map would fetch a page of pixels for each
  std::vector<uint8_t> coarse_;
};

// CIFAR-10 (Krizhevsky, 2009) from the folder cifar-10-batches-bin: data_batch_1.bin to data_batch_5.bin are the split
// "train", test_batch.bin is "test", one after the other they are "all". Files are memory-mapped. Class names come from
// batches.meta.txt if it is there. IoError if a batch is missing, has the wrong size or a label out of range.
DatasetPtr open_cifar10(const std::string& folder, const std::string& split);

struct Cifar100Options {
  bool coarse = false;  // label by the 20 superclasses instead of the 100 classes
};

// CIFAR-100 from the folder cifar-100-binary: train.bin and test.bin. Both labels are factors, fine and coarse; either
// may be the label. Class names come from fine_label_names.txt and coarse_label_names.txt if they are there.
DatasetPtr open_cifar100(const std::string& folder, const std::string& split, const Cifar100Options& options = {});

}  // namespace orthant
