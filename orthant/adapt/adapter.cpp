#include "orthant/adapt/adapter.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <memory>

#include "orthant/core/error.h"
#include "orthant/io/safetensors.h"

namespace orthant::adapt {
namespace {

constexpr const char* kFormat = "orthant adapter";
constexpr const char* kVersion = "1";
constexpr int64_t kLargest = int64_t{1} << 24;  // dimensions or features

// Rows without what pads them.
io::Tensor tensor_of(const Floats& values, std::vector<int64_t> shape, int64_t stride) {
  const int64_t cols = shape.back();
  const int64_t rows = shape.size() == 2 ? shape.front() : 1;
  auto kept = std::make_shared<std::vector<float>>();
  kept->reserve(static_cast<size_t>(rows * cols));
  for (int64_t i = 0; i < rows; ++i) {
    const auto row = values.begin() + i * stride;
    kept->insert(kept->end(), row, row + cols);
  }
  return {"F32", std::move(shape), std::as_bytes(std::span<const float>(*kept)), kept};
}

Floats floats_of(const io::SafeTensors& file, const std::string& name, const std::vector<int64_t>& shape,
                 int64_t stride) {
  const io::Tensor& tensor = file.tensor(name);
  check_io(tensor.shape == shape, "[", file.path(), "] expected ", name, " of shape ", io::shape_text(shape), ", got ",
           io::shape_text(tensor.shape));
  const std::vector<float> values = tensor.to_floats(file.path());
  const int64_t cols = shape.back();
  const int64_t rows = shape.size() == 2 ? shape.front() : 1;
  Floats out(static_cast<size_t>(rows * stride));
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j) {
      const float value = values[static_cast<size_t>(i * cols + j)];
      check_io(std::isfinite(value), "[", file.path(), "] expected finite weights, got another in ", name);
      out[static_cast<size_t>(i * stride + j)] = value;
    }
  }
  return out;
}

using Metadata = std::map<std::string, std::string>;

const std::string& fact(const Metadata& metadata, const std::string& name, const std::string& path) {
  const auto found = metadata.find(name);
  check_io(found != metadata.end(), "[", path, "] expected an adapter that says ", name, ", got none");
  return found->second;
}

int64_t whole(const Metadata& metadata, const std::string& name, const std::string& path) {
  const std::string& text = fact(metadata, name, path);
  int64_t value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  check_io(error == std::errc() && end == text.data() + text.size() && value >= 0 && value <= kLargest, "[", path,
           "] expected a number for ", name, ", got ", text);
  return value;
}

double real(const Metadata& metadata, const std::string& name, const std::string& path) {
  const std::string& text = fact(metadata, name, path);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  check_io(error == std::errc() && end == text.data() + text.size() && std::isfinite(value) && value > 0, "[", path,
           "] expected a number above 0 for ", name, ", got ", text);
  return value;
}

bool truth(const Metadata& metadata, const std::string& name, const std::string& path) {
  const std::string& text = fact(metadata, name, path);
  check_io(text == "true" || text == "false", "[", path, "] expected true or false for ", name, ", got ", text);
  return text == "true";
}

Gate gate_of(const std::string& name, const std::string& path) {
  for (const Gate gate : {Gate::topk, Gate::batch, Gate::jump}) {
    if (name == name_of(gate)) return gate;
  }
  fail_io("[", path, "] expected the gate topk, batch or jump, got ", name);
}

int64_t thresholds_of(const Adapter& adapter) {
  return adapter.gate == Gate::topk ? 0 : adapter.gate == Gate::batch ? 1 : adapter.features;
}

}  // namespace

const char* name_of(Gate gate) { return gate == Gate::topk ? "topk" : gate == Gate::batch ? "batch" : "jump"; }

Adapter Adapter::empty(int64_t dims, int64_t features, Gate gate, bool tied) {
  Adapter adapter;
  adapter.dims = dims;
  adapter.stride = padded(dims);
  adapter.features = features;
  adapter.gate = gate;
  adapter.tied = tied;
  const auto weights = static_cast<size_t>(features * adapter.stride);
  adapter.mean.resize(static_cast<size_t>(adapter.stride));
  adapter.encoder.resize(weights);
  adapter.encoder_bias.resize(static_cast<size_t>(features));
  if (!tied) adapter.decoder.resize(weights);
  adapter.bias.resize(static_cast<size_t>(adapter.stride));
  adapter.thresholds.resize(static_cast<size_t>(thresholds_of(adapter)));
  return adapter;
}

double Adapter::length_factor(std::span<const float> vector) const {
  if (!unit_rows) return 1;
  double squares = 0;
  for (const float x : vector) squares += static_cast<double>(x) * x;
  return squares > 0 ? 1 / std::sqrt(squares) : 0;
}

void Adapter::prepare(std::span<const float> vector, float* out, bool second) const {
  const double factor = length_factor(vector);
  for (int64_t j = dims; j < stride; ++j) out[j] = 0;
  if (second && !map_b.empty()) {
    for (int64_t j = 0; j < dims; ++j) {
      const float* const row = map_b.data() + j * dims_b;
      double sum = 0;
      for (int64_t i = 0; i < dims_b; ++i) {
        const auto at = static_cast<size_t>(i);
        sum +=
            static_cast<double>(row[i]) * (static_cast<double>(vector[at]) * factor - static_cast<double>(mean_b[at]));
      }
      out[j] = static_cast<float>(sum);
    }
    return;
  }
  const Floats& centre = second ? mean_b : mean;
  for (int64_t j = 0; j < dims; ++j) {
    const auto at = static_cast<size_t>(j);
    out[j] = static_cast<float>((static_cast<double>(vector[at]) * factor - static_cast<double>(centre[at])) * scale);
  }
}

void write_adapter(const std::string& path, const Adapter& adapter) {
  const std::vector<int64_t> weights = {adapter.features, adapter.dims};
  std::map<std::string, io::Tensor> tensors;
  tensors["encoder.weight"] = tensor_of(adapter.encoder, weights, adapter.stride);
  tensors["encoder.bias"] = tensor_of(adapter.encoder_bias, {adapter.features}, adapter.features);
  if (!adapter.tied) tensors["decoder.weight"] = tensor_of(adapter.decoder, weights, adapter.stride);
  tensors["bias"] = tensor_of(adapter.bias, {adapter.dims}, adapter.stride);
  tensors["mean"] = tensor_of(adapter.mean, {adapter.dims}, adapter.stride);
  if (!adapter.mean_b.empty()) {
    const int64_t width = adapter.width(true);
    tensors["mean_b"] = tensor_of(adapter.mean_b, {width}, padded(width));
  }
  if (!adapter.map_b.empty()) {
    tensors["map_b"] = tensor_of(adapter.map_b, {adapter.dims, adapter.dims_b}, adapter.dims_b);
  }
  if (const int64_t count = thresholds_of(adapter); count > 0) {
    tensors["thresholds"] = tensor_of(adapter.thresholds, {count}, count);
  }
  Metadata metadata = {{"format", kFormat},
                       {"version", kVersion},
                       {"dims", std::to_string(adapter.dims)},
                       {"features", std::to_string(adapter.features)},
                       {"active", std::to_string(adapter.active)},
                       {"gate", name_of(adapter.gate)},
                       {"tied", adapter.tied ? "true" : "false"},
                       {"decodes", adapter.decodes ? "true" : "false"},
                       {"unit_rows", adapter.unit_rows ? "true" : "false"},
                       {"scale", fmt::format("{}", adapter.scale)}};
  for (const auto& [key, value] : adapter.notes) metadata["notes." + key] = value;
  io::write_safetensors(path, tensors, metadata);
}

Adapter read_adapter(const std::string& path) {
  const io::SafeTensors file = io::SafeTensors::open(path);
  const Metadata& metadata = file.metadata();
  const auto format = metadata.find("format");
  check_io(format != metadata.end() && format->second == kFormat, "[", path,
           "] expected the model of an adapter, got another file");
  check_io(fact(metadata, "version", path) == kVersion, "[", path, "] expected an adapter of version ", kVersion,
           ", got ", fact(metadata, "version", path));
  Adapter adapter;
  adapter.dims = whole(metadata, "dims", path);
  adapter.stride = padded(adapter.dims);
  adapter.features = whole(metadata, "features", path);
  adapter.active = whole(metadata, "active", path);
  check_io(adapter.dims > 0 && adapter.active > 0 && adapter.active <= adapter.features, "[", path,
           "] expected from 1 to ", adapter.features, " features on, got ", adapter.active);
  adapter.gate = gate_of(fact(metadata, "gate", path), path);
  adapter.tied = truth(metadata, "tied", path);
  adapter.decodes = truth(metadata, "decodes", path);
  adapter.unit_rows = truth(metadata, "unit_rows", path);
  adapter.scale = real(metadata, "scale", path);
  const std::vector<int64_t> weights = {adapter.features, adapter.dims};
  adapter.encoder = floats_of(file, "encoder.weight", weights, adapter.stride);
  adapter.encoder_bias = floats_of(file, "encoder.bias", {adapter.features}, adapter.features);
  if (!adapter.tied) adapter.decoder = floats_of(file, "decoder.weight", weights, adapter.stride);
  adapter.bias = floats_of(file, "bias", {adapter.dims}, adapter.stride);
  adapter.mean = floats_of(file, "mean", {adapter.dims}, adapter.stride);
  if (file.contains("map_b")) {
    const std::vector<int64_t>& shape = file.tensor("map_b").shape;
    check_io(shape.size() == 2 && shape[1] > 0 && shape[1] <= kLargest && file.contains("mean_b"), "[", path,
             "] expected map_b [", adapter.dims, ", any] beside mean_b, got shape ", io::shape_text(shape));
    adapter.dims_b = shape[1];
    adapter.map_b = floats_of(file, "map_b", {adapter.dims, adapter.dims_b}, adapter.dims_b);
  }
  if (file.contains("mean_b")) {
    const int64_t width = adapter.width(true);
    adapter.mean_b = floats_of(file, "mean_b", {width}, padded(width));
  }
  if (const int64_t count = thresholds_of(adapter); count > 0) {
    adapter.thresholds = floats_of(file, "thresholds", {count}, count);
  }
  for (const auto& [key, value] : metadata) {
    if (key.starts_with("notes.")) adapter.notes[key.substr(6)] = value;
  }
  return adapter;
}

}  // namespace orthant::adapt
