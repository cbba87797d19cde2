// Every picture of a data set once, in random order, from a cold disk.
//   pack_bench KIND:PATH read|decode THREADS      KIND is folder or pack
// Opens the data set, forgets what the system holds of the files, then reads the bytes of each picture, or decodes it.
// Prints JSON: seconds to open, seconds of the pass, pictures, bytes (of reading alone), and how files were forgotten.

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/io/mapped_file.h"
#include "orthant/pack/pack_file.h"
#include "orthant/sources/open.h"

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void forget_file(const std::string& path) {
  const orthant::io::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() >= 0) static_cast<void>(::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED));
}

// All that the system holds of any file, where it lets us; otherwise the content of these files, whose names and places
// on the disk it then still knows.
const char* forget(const std::string& path, const orthant::Dataset& data) {
  ::sync();
  std::ofstream drop("/proc/sys/vm/drop_caches");
  if (drop << "3" << std::flush) return "drop_caches";
  if (!fs::is_directory(path)) {
    forget_file(path);
  } else {
    for (int64_t i = 0; i < data.size(); ++i) forget_file(path + "/" + data.id(i));
  }
  return "posix_fadvise";
}

std::vector<int64_t> random_order(int64_t count) {
  std::vector<int64_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), int64_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
  return order;
}

// Opened, read and closed as a program would that has its pictures in files. It is touched, since mapping reads
// nothing.
int64_t read_file(const std::string& path) {
  const auto file = orthant::io::MappedFile::open(path);
  const std::vector<std::byte> bytes(file->bytes().begin(), file->bytes().end());
  return static_cast<int64_t>(bytes.size());
}

void run(const std::string& spec, const std::string& mode, int threads) {
  orthant::check(mode == "read" || mode == "decode", "[pack_bench] expected read or decode, got ", mode);
  const std::string path = spec.substr(spec.find(':') + 1);
  auto start = Clock::now();
  const orthant::DatasetPtr data = orthant::open_dataset(spec, {.split = "all", .threads = threads});
  const double opened = since(start);
  const std::vector<int64_t> order = random_order(data->size());
  const auto pack = spec.starts_with("pack:") ? std::make_unique<orthant::pack::PackFile>(path) : nullptr;
  std::vector<std::string> ids;
  for (int64_t i = 0; i < data->size(); ++i) ids.push_back(path + "/" + data->id(i));
  const char* how = forget(path, *data);
  std::atomic<int64_t> bytes{0};
  start = Clock::now();
  orthant::parallel_for(data->size(), 16, threads, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      const int64_t i = order[static_cast<size_t>(k)];
      if (mode == "decode") {
        static_cast<void>(data->image(i));
      } else {
        bytes += pack ? std::ssize(pack->read(i)) : read_file(ids[static_cast<size_t>(i)]);
      }
    }
  });
  std::printf(
      "{\"open_seconds\": %.6f, \"seconds\": %.6f, \"pictures\": %lld, \"bytes\": %lld, \"forgotten_by\": \"%s\"}\n",
      opened, since(start), static_cast<long long>(data->size()), static_cast<long long>(bytes.load()), how);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    orthant::check(argc == 4, "[pack_bench] expected KIND:PATH read|decode THREADS, got ", argc - 1, " arguments");
    run(argv[1], argv[2], std::stoi(argv[3]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pack_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
