#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/data.h"
#include "cli/data_flags.h"
#include "cli/frame/command.h"
#include "cli/frame/progress.h"
#include "orthant/core/error.h"
#include "orthant/io/npz.h"
#include "orthant/views/resize.h"

namespace orthant::cli {
namespace {

struct ExportFlags {
  Common common;
  DataFlags data;
  int64_t resize = 0;
  bool deflate = false;
  std::string output;
  bool overwrite = false;
};

using Arrays = std::vector<std::pair<std::string, io::Array>>;

template <class T>
void add_array(Arrays& arrays, const std::string& name, std::vector<T> values, std::vector<int64_t> shape) {
  auto owner = std::make_shared<const std::vector<T>>(std::move(values));
  io::Array array = io::array_of(std::span<const T>(*owner), std::move(shape));
  array.owner = std::move(owner);
  arrays.emplace_back(name, std::move(array));
}

void add_json(Arrays& arrays, const std::string& name, const std::string& text) {
  add_array(arrays, name, std::vector<uint8_t>(text.begin(), text.end()), {static_cast<int64_t>(text.size())});
}

// All pictures must come out at one size [N, H, W, C]; grey ones are repeated where others have colour.
void add_images(Arrays& arrays, const Dataset& dataset, const ExportFlags& flags) {
  const Image first = dataset.image(0);
  const int64_t height = flags.resize > 0 ? flags.resize : first.height;
  const int64_t width = flags.resize > 0 ? flags.resize : first.width;
  const int64_t channels = dataset.info().channels == 1 ? 1 : 3;
  std::vector<uint8_t> pixels;
  pixels.reserve(static_cast<size_t>(dataset.size() * height * width * channels));
  Progress progress(flags.common.quiet);
  for (int64_t i = 0; i < dataset.size(); ++i) {
    Image image = dataset.image(i);
    if (flags.resize > 0) image = views::resize(image, height, width);
    check(image.height == height && image.width == width, "[", flags.data.spec, "] expected pictures of one size, got ",
          height, " x ", width, " and ", image.height, " x ", image.width, "; --resize N makes them N x N");
    for (const uint8_t value : image.pixels) {
      pixels.insert(pixels.end(), static_cast<size_t>(channels / image.channels), value);
    }
    progress.update({"export", i + 1, dataset.size(), "pictures"});
  }
  add_array(arrays, "images", std::move(pixels), {dataset.size(), height, width, channels});
}

void add_vectors(Arrays& arrays, const Dataset& dataset) {
  std::vector<float> values;
  for (int64_t i = 0; i < dataset.size(); ++i) {
    const auto vector = dataset.vector(i);
    values.insert(values.end(), vector.begin(), vector.end());
  }
  add_array(arrays, "vectors", std::move(values), {dataset.size(), dataset.info().dims});
}

// As JSON: for each item the list of its texts.
void add_texts(Arrays& arrays, const Dataset& dataset) {
  auto texts = nlohmann::json::array();
  for (int64_t i = 0; i < dataset.size(); ++i) texts.push_back(dataset.texts(i));
  add_json(arrays, "texts_json", texts.dump());
}

void add_labels(Arrays& arrays, const Dataset& dataset) {
  std::vector<int64_t> labels(static_cast<size_t>(dataset.size()));
  for (size_t i = 0; i < labels.size(); ++i) labels[i] = dataset.label(static_cast<int64_t>(i));
  add_array(arrays, "labels", std::move(labels), {dataset.size()});
}

// Under dSprites' names: the class of each factor, and the number that belongs to it.
void add_factors(Arrays& arrays, const Dataset& dataset) {
  const auto& factors = dataset.info().factors;
  if (factors.empty()) return;
  std::vector<int32_t> item(factors.size());
  std::vector<int64_t> classes;
  std::vector<double> values;
  for (int64_t i = 0; i < dataset.size(); ++i) {
    dataset.factors(i, item);
    for (size_t k = 0; k < factors.size(); ++k) {
      classes.push_back(item[k]);
      values.push_back(factors[k].values[static_cast<size_t>(item[k])]);
    }
  }
  const std::vector<int64_t> shape = {dataset.size(), static_cast<int64_t>(factors.size())};
  add_array(arrays, "latents_classes", std::move(classes), shape);
  add_array(arrays, "latents_values", std::move(values), shape);
}

void add_names(Arrays& arrays, const DatasetInfo& info) {
  nlohmann::ordered_json names = {{"name", info.name}, {"split", info.split}, {"class_names", info.class_names}};
  for (const FactorInfo& factor : info.factors) names["factor_names"].push_back(factor.name);
  const std::string text = names.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  add_json(arrays, "names_json", text);
}

void run(const ExportFlags& flags) {
  refuse_existing(flags.output, flags.overwrite);
  const DatasetPtr dataset = open_data(flags.data, flags.common);
  tell_notes(dataset->info(), flags.common);
  Arrays arrays;
  if (dataset->info().dims > 0) {
    add_vectors(arrays, *dataset);
  } else if (dataset->info().text) {
    add_texts(arrays, *dataset);
  } else {
    add_images(arrays, *dataset, flags);
  }
  add_labels(arrays, *dataset);
  add_factors(arrays, *dataset);
  add_names(arrays, dataset->info());
  io::write_npz(flags.output, arrays, {.deflate = flags.deflate});
  if (flags.common.quiet) return;
  for (const auto& [name, array] : arrays) {
    std::string shape;
    for (const int64_t dim : array.shape) shape += fmt::format("{}{}", shape.empty() ? "" : " x ", dim);
    fmt::print(stderr, "  {:<16}{:<8} {}\n", name, io::dtype_name(array.dtype), shape);
  }
}

}  // namespace

void add_data_export(App& data) {
  auto flags = std::make_shared<ExportFlags>();
  App* command =
      add_command(data, "export", "Write a data set as a NumPy .npz file: images, vectors or texts, labels, factors",
                  flags->common);
  add_data_flags(command, flags->data);
  command->add_option("-o,--output", flags->output, ".npz file to write")->required()->type_name("FILE");
  command->add_flag("--overwrite", flags->overwrite, "Replace the file if it exists");
  command->add_option("--resize", flags->resize, "Make every picture N x N; 0: keep the size")
      ->check(between(0, 4096))
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--deflate", flags->deflate, "Compress: smaller and slower");
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
