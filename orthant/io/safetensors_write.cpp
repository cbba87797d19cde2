#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "orthant/io/atomic_file.h"
#include "orthant/io/safetensors.h"

namespace orthant::io {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void check_tensor(const std::string& name, const Tensor& tensor) {
  const size_t item = tensor_item_size(tensor.dtype);
  check(item > 0, "[safetensors] expected a known dtype for ", name, ", got '", tensor.dtype, "'");
  const auto count = checked_product(tensor.shape);
  const auto needed = count ? checked_multiply(*count, static_cast<int64_t>(item)) : std::nullopt;
  check(needed && static_cast<uint64_t>(*needed) == tensor.bytes.size(), "[safetensors] expected the bytes of ",
        tensor.dtype, " of shape ", shape_text(tensor.shape), " for ", name, ", got ", tensor.bytes.size());
}

}  // namespace

void write_safetensors(const std::string& path, const std::map<std::string, Tensor>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  using Named = std::pair<const std::string, Tensor>;
  std::vector<const Named*> order;
  for (const Named& named : tensors) {
    check(named.first != "__metadata__", "[safetensors] expected another name than __metadata__ for a tensor");
    check_tensor(named.first, named.second);
    order.push_back(&named);
  }
  const auto width = [](const Named* named) { return tensor_item_size(named->second.dtype); };
  std::ranges::stable_sort(order, std::ranges::greater(), width);

  std::string header = "{";
  const auto append = [&](const auto&... pieces) { ((header += pieces), ...); };
  const auto separate = [&] {
    if (header.back() != '{' && header.back() != '[') header += ',';
  };
  if (!metadata.empty()) {
    append("\"__metadata__\":{");
    for (const auto& [key, value] : metadata) {
      separate();
      append(quoted(key), ":", quoted(value));
    }
    append("}");
  }
  size_t offset = 0;
  for (const Named* named : order) {
    const auto& [name, tensor] = *named;
    separate();
    append(quoted(name), ":{\"dtype\":\"", tensor.dtype, "\",\"shape\":[");
    for (const int64_t dim : tensor.shape) {
      separate();
      append(std::to_string(dim));
    }
    const size_t end = offset + tensor.bytes.size();
    append("],\"data_offsets\":[", std::to_string(offset), ",", std::to_string(end), "]}");
    offset = end;
  }
  header += "}";
  header.append((8 - header.size() % 8) % 8, ' ');
  check(header.size() <= kMaxSafeTensorsHeader, "[safetensors] expected a header of at most ", kMaxSafeTensorsHeader,
        " bytes, got ", header.size());

  AtomicFile file(path);
  const uint64_t length = header.size();
  file.write(std::as_bytes(std::span(&length, 1)));
  file.write(header);
  for (const Named* named : order) file.write(named->second.bytes);
  file.commit();
}

}  // namespace orthant::io
