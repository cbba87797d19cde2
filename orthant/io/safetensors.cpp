#include "orthant/io/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "orthant/io/mapped_file.h"

namespace orthant::io {
namespace {

using Json = nlohmann::json;

constexpr size_t kLengthBytes = 8;
constexpr const char* kMetadata = "__metadata__";

struct TypeFacts {
  std::string_view name;
  size_t size;
};
constexpr std::array kTypes = std::to_array<TypeFacts>({{"F64", 8},
                                                        {"I64", 8},
                                                        {"U64", 8},
                                                        {"F32", 4},
                                                        {"I32", 4},
                                                        {"U32", 4},
                                                        {"F16", 2},
                                                        {"BF16", 2},
                                                        {"I16", 2},
                                                        {"U16", 2},
                                                        {"I8", 1},
                                                        {"U8", 1},
                                                        {"BOOL", 1},
                                                        {"F8_E4M3", 1},
                                                        {"F8_E5M2", 1}});

uint64_t header_length(std::span<const std::byte> bytes) {
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  return length;
}

// Parses the header. The parser itself lets the last of several equal keys win: that hides tensors, so it is refused
// here, together with nesting that no header has.
Json parse_header(std::string_view text, const std::string& name) {
  std::vector<std::set<std::string>> keys;
  const auto inspect = [&](int depth, Json::parse_event_t event, Json& value) {
    check_io(depth <= 3, "[", name, "] expected a flat safetensors header, got nested values");
    if (event == Json::parse_event_t::object_start) keys.resize(static_cast<size_t>(depth) + 1);
    if (event == Json::parse_event_t::object_end) keys.resize(static_cast<size_t>(depth));
    if (event == Json::parse_event_t::key) {
      const auto& key = value.get_ref<const std::string&>();
      check_io(keys.back().insert(key).second, "[", name, "] expected every key of the header once, got '", key,
               "' twice");
    }
    return true;
  };
  try {
    return Json::parse(text, inspect);
  } catch (const Json::exception& error) {
    fail_io("[", name, "] expected a safetensors header in JSON, got: ", error.what());
  }
}

struct Entry {
  std::string dtype;
  std::vector<int64_t> shape;
  int64_t begin = 0;
  int64_t end = 0;
};

std::vector<int64_t> sizes(const Json& list, const std::string& where) {
  check_io(list.is_array(), "[", where, "] expected a list of sizes, got ", list.type_name());
  std::vector<int64_t> values;
  for (const Json& item : list) {
    check_io(item.is_number_unsigned() && item.get<uint64_t>() <= INT64_MAX, "[", where,
             "] expected sizes from 0 to 2^63-1, got another value");
    values.push_back(item.get<int64_t>());
  }
  return values;
}

Entry parse_entry(const Json& value, const std::string& where) {
  const bool complete = value.is_object() && value.size() == 3 && value.contains("dtype") && value.contains("shape") &&
                        value.contains("data_offsets") && value["dtype"].is_string();
  check_io(complete, "[", where, "] expected dtype, shape and data_offsets, got something else");
  Entry entry;
  entry.dtype = value["dtype"].get<std::string>();
  const size_t item = tensor_item_size(entry.dtype);
  check_io(item > 0, "[", where, "] expected a known dtype such as F32, got '", entry.dtype, "'");
  entry.shape = sizes(value["shape"], where);
  const std::vector<int64_t> offsets = sizes(value["data_offsets"], where);
  check_io(offsets.size() == 2 && offsets[0] <= offsets[1], "[", where, "] expected data_offsets [begin, end], got ",
           shape_text(offsets));
  entry.begin = offsets[0];
  entry.end = offsets[1];
  const auto count = checked_product(entry.shape);
  const auto needed = count ? checked_multiply(*count, static_cast<int64_t>(item)) : std::nullopt;
  check_io(needed && *needed == entry.end - entry.begin, "[", where, "] expected data_offsets that hold ", entry.dtype,
           " of shape ", shape_text(entry.shape), ", got ", entry.end - entry.begin, " bytes");
  return entry;
}

// Sorted by position, every tensor must begin where the one before ends, and the last end with the file.
void check_coverage(const std::map<std::string, Entry>& entries, size_t data_bytes, const std::string& name) {
  std::vector<std::pair<int64_t, int64_t>> pieces;
  for (const auto& [key, entry] : entries) pieces.emplace_back(entry.begin, entry.end);
  std::ranges::sort(pieces);
  int64_t covered = 0;
  for (const auto& [begin, end] : pieces) {
    check_io(begin == covered, "[", name, "] expected tensors without ", begin < covered ? "overlap" : "holes",
             ", got one at ", begin, " after one that ends at ", covered);
    covered = end;
  }
  check_io(static_cast<uint64_t>(covered) == data_bytes, "[", name, "] expected ", covered, " bytes of tensors, got ",
           data_bytes);
}

}  // namespace

size_t tensor_item_size(std::string_view dtype) {
  const auto found = std::ranges::find(kTypes, dtype, &TypeFacts::name);
  return found == kTypes.end() ? 0 : found->size;
}

bool looks_like_safetensors(std::span<const std::byte> bytes) {
  return bytes.size() > kLengthBytes && bytes[kLengthBytes] == std::byte{'{'} &&
         header_length(bytes) <= kMaxSafeTensorsHeader;
}

SafeTensors SafeTensors::open(const std::string& path) {
  const auto file = MappedFile::open(path);
  return parse(file->bytes(), path, file);
}

SafeTensors SafeTensors::parse(std::span<const std::byte> bytes, const std::string& name,
                               std::shared_ptr<const void> owner) {
  check_io(bytes.size() > kLengthBytes, "[", name, "] expected a safetensors file, got only ", bytes.size(), " bytes");
  const uint64_t length = header_length(bytes);
  check_io(length <= kMaxSafeTensorsHeader, "[", name, "] expected a safetensors header of at most ",
           kMaxSafeTensorsHeader, " bytes, got ", length);
  check_io(length <= bytes.size() - kLengthBytes, "[", name, "] expected a safetensors header of ", length,
           " bytes, got only ", bytes.size() - kLengthBytes);
  check_io(bytes[kLengthBytes] == std::byte{'{'}, "[", name, "] expected a safetensors header that begins with {");
  const Json header =
      parse_header({reinterpret_cast<const char*>(bytes.data()) + kLengthBytes, static_cast<size_t>(length)}, name);

  SafeTensors file;
  file.path_ = name;
  std::map<std::string, Entry> entries;
  for (const auto& [key, value] : header.items()) {
    if (key != kMetadata) {
      entries.emplace(key, parse_entry(value, name + ": " + key));
      continue;
    }
    check_io(value.is_object(), "[", name, "] expected __metadata__ to be an object, got ", value.type_name());
    for (const auto& [field, text] : value.items()) {
      check_io(text.is_string(), "[", name, "] expected metadata of text only, got ", text.type_name(), " for '", field,
               "'");
      file.metadata_[field] = text.get<std::string>();
    }
  }
  const std::span<const std::byte> data = bytes.subspan(kLengthBytes + static_cast<size_t>(length));
  check_coverage(entries, data.size(), name);
  for (auto& [key, entry] : entries) {
    const auto view = data.subspan(static_cast<size_t>(entry.begin), static_cast<size_t>(entry.end - entry.begin));
    file.tensors_[key] = {std::move(entry.dtype), std::move(entry.shape), view, owner};
  }
  return file;
}

std::vector<std::string> SafeTensors::names() const {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors_) names.push_back(name);
  return names;
}

const Tensor& SafeTensors::tensor(const std::string& name) const {
  const auto found = tensors_.find(name);
  check_io(found != tensors_.end(), "[", path_, "] expected a tensor '", name, "', got none of that name");
  return found->second;
}

}  // namespace orthant::io
