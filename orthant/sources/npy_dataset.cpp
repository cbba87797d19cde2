#include "orthant/sources/npy_dataset.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/matrix.h"
#include "orthant/data/split.h"
#include "orthant/io/npy.h"
#include "orthant/io/npz.h"

namespace orthant {
namespace {

constexpr int64_t kMaxClasses = 1'000'000;

class ArrayDataset : public Dataset {
 public:
  ArrayDataset(std::string name, int64_t size, std::vector<int64_t> labels) : size_(size), labels_(std::move(labels)) {
    info_.name = std::move(name);
    info_.split = "all";
    const int64_t largest = labels_.empty() ? -1 : std::ranges::max(labels_);
    for (int64_t label = 0; label <= largest; ++label) info_.class_names.push_back(std::to_string(label));
  }

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return size_; }
  int64_t label(int64_t i) const override {
    check_index(i);
    return labels_.empty() ? -1 : labels_[static_cast<size_t>(i)];
  }

 protected:
  DatasetInfo info_;

 private:
  int64_t size_;
  std::vector<int64_t> labels_;
};

class ArrayImages final : public ArrayDataset {
 public:
  ArrayImages(const std::string& name, io::Array array, bool channels_first, std::vector<int64_t> labels)
      : ArrayDataset(name, array.shape[0], std::move(labels)), array_(std::move(array)), planar_(channels_first) {
    const auto& shape = array_.shape;
    info_.height = shape[planar_ ? 2 : 1];
    info_.width = shape[planar_ ? 3 : 2];
    info_.channels = shape.size() == 3 ? 1 : shape[planar_ ? 1 : 3];
  }

  Image image(int64_t i) const override {
    check_index(i);
    Image image(info_.height, info_.width, info_.channels);
    const size_t length = image.pixels.size();
    const auto source = array_.as<uint8_t>().subspan(static_cast<size_t>(i) * length, length);
    if (!planar_) {
      std::ranges::copy(source, image.pixels.begin());
      return image;
    }
    const auto channels = static_cast<size_t>(info_.channels);
    const size_t plane = length / channels;
    for (size_t p = 0; p < plane; ++p) {
      for (size_t c = 0; c < channels; ++c) image.pixels[p * channels + c] = source[c * plane + p];
    }
    return image;
  }

 private:
  io::Array array_;
  bool planar_;
};

class ArrayVectors final : public ArrayDataset {
 public:
  ArrayVectors(const std::string& name, Matrix matrix, std::vector<int64_t> labels)
      : ArrayDataset(name, matrix.rows(), std::move(labels)), matrix_(std::move(matrix)) {
    info_.dims = matrix_.cols();
  }

  std::span<const float> vector(int64_t i) const override {
    check_index(i);
    return matrix_.row(i);
  }

 private:
  Matrix matrix_;
};

bool is_channels(int64_t size) { return size == 1 || size == 3; }

std::vector<int64_t> checked_labels(const io::Array& array, int64_t count, const std::string& name) {
  std::vector<int64_t> labels = io::to_integers(array, name);
  check_io(static_cast<int64_t>(labels.size()) == count, "[", name, "] expected ", count,
           " labels, one for each item, got ", labels.size());
  for (const int64_t label : labels) {
    check_io(label >= -1 && label < kMaxClasses, "[", name, "] expected labels from 0 to ", kMaxClasses - 1,
             ", or -1 for none, got ", label);
  }
  return labels;
}

DatasetPtr make_dataset(io::Array items, const io::Array* labels, const std::string& name,
                        const std::string& items_name, const std::string& labels_name) {
  const auto& shape = items.shape;
  const bool images = items.dtype == io::DType::u1 && (shape.size() == 3 || shape.size() == 4);
  const bool vectors = (items.dtype == io::DType::f4 || items.dtype == io::DType::f8) && shape.size() == 2;
  check_io(images || vectors, "[", items_name,
           "] expected uint8 images of 3 or 4 dimensions or float vectors of 2, got ", io::dtype_name(items.dtype), " ",
           io::shape_text(shape));
  check_io(std::ranges::all_of(shape, [](int64_t size) { return size > 0; }), "[", items_name,
           "] expected at least one item, got ", io::shape_text(shape));
  const bool channels_last = images && (shape.size() == 3 || is_channels(shape[3]));
  const bool channels_first = images && !channels_last && is_channels(shape[1]);
  check_io(vectors || channels_last || channels_first, "[", items_name,
           "] expected 1 or 3 channels in the second or the last dimension, got ", io::shape_text(shape));

  std::vector<int64_t> classes;
  if (labels != nullptr) classes = checked_labels(*labels, shape[0], labels_name);
  if (images) return std::make_shared<ArrayImages>(name, std::move(items), channels_first, std::move(classes));
  return std::make_shared<ArrayVectors>(name, io::to_matrix(items, items_name), std::move(classes));
}

DatasetPtr open_npz(const std::string& path, const std::string& name) {
  const io::Npz npz = io::Npz::open(path);
  const char* items = npz.contains("images") ? "images" : "vectors";
  check_io(npz.contains(items), "[", path, "] expected an array called images or vectors, got neither");
  std::optional<io::Array> labels;
  if (npz.contains("labels")) labels = npz.read("labels");
  return make_dataset(npz.read(items), labels ? &*labels : nullptr, name, path + ":" + items, path + ":labels");
}

}  // namespace

DatasetPtr dataset_from_array(io::Array items, const io::Array* labels, const std::string& name) {
  return make_dataset(std::move(items), labels, name, name, name + " labels");
}

DatasetPtr open_npy(const std::string& path, const std::string& labels_path, const std::string& split) {
  const std::string name = "npy:" + path;
  check_split(split, name);
  if (path.ends_with(".npz")) {
    check(labels_path.empty(), "[", name, "] expected the labels in the .npz itself, got ", labels_path);
    return standard_split(open_npz(path, name), split);
  }
  std::optional<io::Array> labels;
  if (!labels_path.empty()) labels = io::read_npy(labels_path);
  return standard_split(make_dataset(io::read_npy(path), labels ? &*labels : nullptr, name, path, labels_path), split);
}

}  // namespace orthant
