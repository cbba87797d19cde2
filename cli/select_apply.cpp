#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>

#include "cli/select.h"
#include "orthant/core/error.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/mapped_file.h"
#include "orthant/io/safetensors.h"

namespace orthant::cli {
namespace {

namespace fs = std::filesystem;

std::string fact(const io::SafeTensors& model, const std::string& key) {
  const auto found = model.metadata().find(key);
  check_io(found != model.metadata().end(), "[", model.path(), "] expected a model that says its ", key,
           ", got a file that does not");
  return found->second;
}

// "projector.4." of the layer whose rows are the features.
std::string last_layer(const io::SafeTensors& model) {
  int64_t last = -1;
  for (const std::string& name : model.names()) {
    int64_t position = 0;
    if (!name.starts_with("projector.") || !name.ends_with(".weight")) continue;
    const char* const digits = name.data() + std::strlen("projector.");
    if (std::from_chars(digits, name.data() + name.size(), position).ec == std::errc()) last = std::max(last, position);
  }
  check(last >= 0, "[", model.path(), "] expected a projector, whose last layer can be shortened, got a model without");
  return "projector." + std::to_string(last) + ".";
}

// The rows of these features, in this order; `bytes` keeps them.
io::Tensor rows_of(const io::Tensor& tensor, const std::vector<int64_t>& features, std::vector<std::byte>& bytes) {
  const size_t row = tensor.bytes.size() / static_cast<size_t>(tensor.shape.front());
  for (const int64_t feature : features) {
    const auto from = tensor.bytes.subspan(static_cast<size_t>(feature) * row, row);
    bytes.insert(bytes.end(), from.begin(), from.end());
  }
  io::Tensor kept{tensor.dtype, tensor.shape, bytes, nullptr};
  kept.shape.front() = static_cast<int64_t>(features.size());
  return kept;
}

std::string list_of(const std::vector<int64_t>& features) {
  std::string list;
  for (const int64_t feature : features) {
    if (!list.empty()) list += ',';
    list += std::to_string(feature);
  }
  return list;
}

void write_model(const std::string& from, const std::string& to, const KeptFeatures& kept) {
  const std::vector<int64_t>& features = kept.numbers;
  const auto model = io::SafeTensors::open(from);
  check(fact(model, "activation.name") != "topk", "[", from,
        "] expected an activation that looks at each feature alone, got topk, which depends on those left out");
  const std::string layer = last_layer(model);
  std::map<std::string, io::Tensor> tensors;
  std::map<std::string, std::vector<std::byte>> bytes;
  for (const std::string& name : model.names()) {
    const io::Tensor& tensor = model.tensor(name);
    if (!name.starts_with(layer)) {
      tensors[name] = tensor;
      continue;
    }
    check_io(!tensor.shape.empty(), "[", from, "] expected ", name, " with a row for each feature, got a number");
    check(kept.of == 0 || kept.of == tensor.shape.front(), "[", from, "] expected a model of ", kept.of,
          " features, as the embeddings have, got one of ", tensor.shape.front());
    for (const int64_t feature : features) {
      check(feature < tensor.shape.front(), "[", from, "] expected a model with feature ", feature,
            ", as the embeddings have, got one of ", tensor.shape.front(), " features");
    }
    tensors[name] = rows_of(tensor, features, bytes[name]);
  }
  std::map<std::string, std::string> metadata = model.metadata();
  metadata["projector.out"] = std::to_string(features.size());
  metadata["notes.shortened_from"] = from;
  metadata["notes.features"] = list_of(features);
  std::error_code error;
  const fs::path folder = fs::path(to).parent_path();
  fs::create_directories(folder, error);
  check_io(!error, "[", folder.string(), "] expected to make a folder, got: ", error.message());
  io::write_safetensors(to, tensors, metadata);
}

// The recipe with the new number of features; every other line as it was.
std::string shortened_recipe(const std::string& from, const std::vector<int64_t>& features) {
  const auto file = io::MappedFile::open(from + "/run.toml");
  std::istringstream in(std::string(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()));
  std::string text = "# Shortened by `orthant select --apply` to features " + list_of(features) +
                     "\n# of the run below: a model to embed with, not one to resume.\n";
  bool inside = false;
  bool changed = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("[")) inside = line.starts_with("[projector]");
    const bool here = inside && line.starts_with("out") && line.find_first_not_of(' ', 3) == line.find('=');
    changed = changed || here;
    text += here ? "out = " : line;
    if (here) text += std::to_string(features.size());
    text += '\n';
  }
  check_io(changed, "[", from, "/run.toml] expected [projector] with out, got none");
  return text;
}

}  // namespace

void write_shortened_run(const std::string& from, const std::string& to, const KeptFeatures& kept, bool overwrite) {
  check(fs::exists(from + "/run.toml"), "[", from, "] expected a run folder with run.toml, got ",
        fs::exists(from) ? "something else" : "nothing there");
  check(!fs::exists(to) || fs::is_directory(to), "[", to, "] expected a folder for the run, got a file");
  check(!fs::exists(to) || !fs::equivalent(from, to), "[", to, "] expected another folder than the run itself");
  check(overwrite || !fs::exists(to + "/run.toml"), "[", to,
        "] expected a new run, got one that exists; --overwrite replaces it");
  check(!fs::exists(to + "/checkpoint") || fs::is_empty(to + "/checkpoint"), "[", to,
        "] expected a new folder or a shortened run, got a run that was trained; it is not replaced");
  const std::string recipe = shortened_recipe(from, kept.numbers);
  write_model(from + "/model.safetensors", to + "/model.safetensors", kept);
  io::write_file(to + "/run.toml", recipe);
}

}  // namespace orthant::cli
