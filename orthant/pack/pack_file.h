#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "orthant/io/file_descriptor.h"
#include "orthant/pack/index.h"

namespace orthant::pack {

// An open pack: its index, mapped, and its pictures, read one by one when they are asked for. Opening takes as long for
// a million pictures as for ten. Safe from several threads.
//
// Pictures are read in no order, and disks like order: of a pack that is small beside the machine's memory, the million
// bytes around a picture are asked for with it, so that one pass in any order reads the file about once, in long
// strides. Of a larger one each picture is read alone.
class PackFile {
 public:
  // IoError if there is no such file, or it is no pack, cut off, longer than it says, or damaged where opening looks.
  explicit PackFile(const std::string& path);

  const Index& index() const { return *index_; }
  const std::string& path() const { return path_; }

  // The bytes of picture i as they were packed. IoError naming the file and the picture if they have another checksum
  // than the index says, or cannot be read.
  std::vector<std::byte> read(int64_t i) const;

 private:
  void ask_around(const Item& item) const;

  std::string path_;
  io::FileDescriptor file_;
  std::unique_ptr<const Index> index_;
  std::unique_ptr<std::atomic<bool>[]> asked_;  // for each stride; null: each picture is read alone
};

}  // namespace orthant::pack
