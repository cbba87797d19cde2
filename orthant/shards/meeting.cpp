#include "orthant/shards/meeting.h"

#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "orthant/core/error.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/file_descriptor.h"

namespace orthant::shards {
namespace {

constexpr auto kPause = std::chrono::milliseconds(20);

std::string draw_number() {
  uint64_t number = 0;
  check_io(::getrandom(&number, sizeof(number), 0) == sizeof(number),
           "[getrandom] expected random bytes, got: ", io::error_text(errno));
  return std::to_string(number);
}

bool is_there(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

}  // namespace

Meeting::Meeting(const std::string& output, int64_t rank, int64_t ranks)
    : output_(output), rank_(rank), ranks_(ranks), number_(draw_number()), part_(called(rank, number_)) {
  if (rank == 0) io::write_file(output_ + ".parts", number_);
}

Meeting::~Meeting() {
  ::unlink(part_.c_str());
  if (rank_ == 0) ::unlink((output_ + ".parts").c_str());
}

std::string Meeting::called(int64_t rank, const std::string& number) const {
  return join(output_, ".part-", rank, "-of-", ranks_, "-", number, ".safetensors");
}

bool Meeting::rename_part(const std::string& name) {
  const bool renamed = ::rename(part_.c_str(), name.c_str()) == 0;
  check_io(renamed || errno == ENOENT, "[", name,
           "] expected to call the part by that name, got: ", io::error_text(errno));
  if (renamed) part_ = name;
  return renamed;
}

std::vector<std::string> Meeting::collect(const Rest& rest) {
  std::vector<std::string> files;
  for (int64_t rank = 0; rank < ranks_; ++rank) {
    files.push_back(called(rank, number_));
    while (!is_there(files.back())) {
      rest();
      std::this_thread::sleep_for(kPause);
    }
  }
  return files;
}

void Meeting::finish() {
  for (int64_t rank = 0; rank < ranks_; ++rank) ::unlink(called(rank, number_).c_str());
}

void Meeting::hand_over(const Rest& rest) {
  std::string offered_by;
  while (offered_by.empty() || is_there(part_)) {
    std::string number;
    std::ifstream(output_ + ".parts") >> number;
    if (!number.empty() && number != offered_by) {
      if (!rename_part(called(rank_, number)) && !offered_by.empty()) return;
      offered_by = number;
    }
    rest();
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace orthant::shards
