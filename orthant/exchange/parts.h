#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "orthant/exchange/atomic_folder.h"
#include "orthant/io/atomic_file.h"

namespace orthant::exchange {

// Requests of bounded size: records go to NAME-00000.ENDING, NAME-00001.ENDING, ... as many in each as fit kPartBytes
// (one at least), each file with `head` before, `between` between and `tail` behind its records.
class Parts {
 public:
  static constexpr int64_t kPartBytes = int64_t{8} << 20;

  struct Frame {
    std::string head, between, tail;
  };
  // Borrows the folder.
  Parts(const AtomicFolder& folder, std::string name, std::string ending, Frame frame)
      : folder_(folder), name_(std::move(name)), ending_(std::move(ending)), frame_(std::move(frame)) {}

  void add(std::string_view record);
  // Exactly once, last. Gives the number of files, one at least.
  int64_t finish();

 private:
  void open();
  void close();

  const AtomicFolder& folder_;
  std::string name_, ending_;
  Frame frame_;
  std::unique_ptr<io::AtomicFile> file_;
  int64_t files_ = 0;
  bool empty_ = true;  // no record in the open file yet
};

}  // namespace orthant::exchange
