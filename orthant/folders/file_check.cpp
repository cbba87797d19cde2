#include "orthant/folders/file_check.h"

#include <sys/stat.h>

#include <filesystem>
#include <unordered_map>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/text_lines.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kWorthRemembering = 1'000;

// "SIZE TIME" of a file as it is now; empty if it cannot be asked.
std::string stamp_of(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return join(status.st_size, " ", status.st_mtim.tv_sec, ".", status.st_mtim.tv_nsec);
}

// The sound files of a folder with their stamps: a line that names the folder, then "SIZE TIME PATH" each.
class Memory {
 public:
  Memory(const std::string& noun, const std::string& place, const std::string& folder) {
    if (place.empty()) return;
    std::error_code error;
    first_line_ = "sound " + noun + "s of " + fs::weakly_canonical(folder, error).string();
    uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
    for (const char c : first_line_) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    path_ = (fs::path(place) / join(noun, "s-", hash, ".txt")).string();
    try {
      load();
    } catch (const IoError&) {
      stamps_.clear();
    }
  }

  bool knows(const std::string& file, const std::string& stamp) const {
    const auto found = stamps_.find(file);
    return found != stamps_.end() && !stamp.empty() && found->second == stamp;
  }

  void add(const std::string& file, const std::string& stamp) {
    if (!stamp.empty() && file.find_first_of("\r\n") == std::string::npos) stamps_[file] = stamp;
  }

  void save() const {
    if (path_.empty()) return;
    std::string text = first_line_ + "\n";
    for (const auto& [file, stamp] : stamps_) text += join(stamp, " ", file, "\n");
    std::error_code ignored;
    fs::create_directories(fs::path(path_).parent_path(), ignored);
    try {
      io::write_file(path_, text);
    } catch (const IoError&) {
      return;
    }
  }

 private:
  void load() {
    const std::vector<std::string> lines = io::read_lines(path_);
    if (lines.empty() || lines.front() != first_line_) return;
    for (size_t i = 1; i < lines.size(); ++i) {
      const size_t first = lines[i].find(' ');
      const size_t second = first == std::string::npos ? first : lines[i].find(' ', first + 1);
      if (second != std::string::npos) stamps_[lines[i].substr(second + 1)] = lines[i].substr(0, second);
    }
  }

  std::string path_;  // empty: nothing is kept
  std::string first_line_;
  std::unordered_map<std::string, std::string> stamps_;
};

}  // namespace

std::vector<std::string> check_files(const FileKind& kind, const std::string& folder,
                                     const std::vector<std::string>& paths, const std::string& memory_folder,
                                     int threads) {
  Memory memory(kind.noun, memory_folder, folder);
  std::vector<std::string> reasons(paths.size());
  std::vector<std::string> stamps(paths.size());  // of those that were examined and are sound
  parallel_for(static_cast<int64_t>(paths.size()), 16, threads, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      const std::string path = (fs::path(folder) / paths[i]).string();
      const std::string stamp = stamp_of(path);
      if (memory.knows(paths[i], stamp)) continue;
      reasons[i] = kind.why_unreadable(path);
      if (reasons[i].empty()) stamps[i] = stamp;
    }
  });
  int64_t examined = 0;
  for (size_t i = 0; i < paths.size(); ++i) {
    if (stamps[i].empty()) continue;
    memory.add(paths[i], stamps[i]);
    ++examined;
  }
  if (examined >= kWorthRemembering) memory.save();
  return reasons;
}

}  // namespace orthant
