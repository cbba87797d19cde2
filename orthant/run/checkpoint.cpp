#include "orthant/run/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "orthant/core/error.h"
#include "orthant/run/crc32c.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;

constexpr size_t kKept = 2;
constexpr const char* kPrefix = "step-";
constexpr const char* kSuffix = ".safetensors";
constexpr const char* kChecksum = "checksum";

struct Entry {
  int64_t step = 0;
  std::string path;
};

std::string path_of(const std::string& folder, int64_t step) {
  return fmt::format("{}/{}{:012}{}", folder, kPrefix, step, kSuffix);
}

// Newest first.
std::vector<Entry> entries(const std::string& folder) {
  std::vector<Entry> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
    int64_t step = 0;
    const auto [end, error] =
        std::from_chars(name.data() + std::string_view(kPrefix).size(), name.data() + name.size(), step);
    if (error == std::errc() && path_of(folder, step) == entry.path().string())
      found.push_back({step, entry.path().string()});
  }
  std::ranges::sort(found, std::greater(), &Entry::step);
  return found;
}

// Of every name, type, shape, byte and fact. Each text goes with its length, so that no two contents read the same.
std::string checksum(const Checkpoint& checkpoint) {
  uint32_t crc = 0;
  const auto add = [&crc](std::string_view text) { crc = crc32c(text, crc32c(fmt::format("{}:", text.size()), crc)); };
  for (const auto& [name, tensor] : checkpoint.tensors) {
    add(name);
    add(tensor.dtype);
    add(io::shape_text(tensor.shape));
    crc = crc32c(tensor.bytes, crc);
  }
  for (const auto& [name, fact] : checkpoint.facts) {
    add(name);
    add(fact);
  }
  return fmt::format("crc32c:{:08x}", crc);
}

Checkpoint read_verified(const std::string& path) {
  const io::SafeTensors file = io::SafeTensors::open(path);
  Checkpoint checkpoint{.tensors = {}, .facts = file.metadata()};
  for (const std::string& name : file.names()) checkpoint.tensors[name] = file.tensor(name);
  const auto node = checkpoint.facts.extract(kChecksum);
  check_io(!node.empty(), "[", path, "] expected a checksum, got none");
  const std::string found = checksum(checkpoint);
  check_io(found == node.mapped(), "[", path, "] expected checksum ", node.mapped(), ", got ", found);
  return checkpoint;
}

}  // namespace

const io::Tensor& Checkpoint::tensor(const std::string& name) const {
  const auto found = tensors.find(name);
  check_io(found != tensors.end(), "[checkpoint] expected a tensor ", name, ", got none");
  return found->second;
}

int64_t Checkpoint::number(const std::string& name) const {
  const auto found = facts.find(name);
  int64_t value = -1;
  if (found != facts.end()) {
    const std::string& text = found->second;
    std::from_chars(text.data(), text.data() + text.size(), value);
  }
  check_io(value >= 0, "[checkpoint] expected a number for ", name, ", got none");
  return value;
}

void write_checkpoint(const std::string& folder, int64_t step, const Checkpoint& checkpoint) {
  auto metadata = checkpoint.facts;
  metadata[kChecksum] = checksum(checkpoint);
  io::write_safetensors(path_of(folder, step), checkpoint.tensors, metadata);
  size_t kept = 0;
  for (const Entry& entry : entries(folder)) {
    std::error_code ignored;
    if (entry.step > step || ++kept > kKept) fs::remove(entry.path, ignored);
  }
}

std::optional<FoundCheckpoint> read_checkpoint(const std::string& folder) {
  FoundCheckpoint found;
  for (const Entry& entry : entries(folder)) {
    try {
      found.checkpoint = read_verified(entry.path);
      found.step = entry.step;
      return found;
    } catch (const IoError& error) {
      found.refused.emplace_back(error.what());
    }
  }
  check_io(found.refused.empty(), found.refused.empty() ? "" : found.refused.front(),
           "; no undamaged checkpoint is left in ", folder);
  return std::nullopt;
}

}  // namespace orthant
