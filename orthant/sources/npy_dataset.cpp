#include "orthant/sources/npy_dataset.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/matrix.h"
#include "orthant/data/split.h"
#include "orthant/io/mapped_file.h"
#include "orthant/io/npy.h"
#include "orthant/io/npz.h"
#include "orthant/sources/npy_labels.h"

namespace orthant {
namespace {

class ArrayDataset : public Dataset {
 public:
  ArrayDataset(std::string name, int64_t size, ItemLabels labels) : size_(size), labels_(std::move(labels.labels)) {
    info_.name = std::move(name);
    info_.split = "all";
    info_.class_names = std::move(labels.names);
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
  ArrayImages(const std::string& name, io::Array array, bool channels_first, ItemLabels labels)
      : ArrayDataset(name, array.shape[0], std::move(labels)), array_(std::move(array)), planar_(channels_first) {
    const auto& shape = array_.shape;
    info_.height = shape[planar_ ? 2 : 1];
    info_.width = shape[planar_ ? 3 : 2];
    info_.channels = shape.size() == 3 ? 1 : shape[planar_ ? 1 : 3];
    large_ = io::MappedFile::is_large(std::ssize(array_.bytes));
  }

  Image image(int64_t i) const override {
    check_index(i);
    Image image(info_.height, info_.width, info_.channels);
    const size_t length = image.pixels.size();
    const auto source = array_.as<uint8_t>().subspan(static_cast<size_t>(i) * length, length);
    if (large_) io::MappedFile::fetch(std::as_bytes(source));
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
  bool large_ = false;
};

class ArrayVectors final : public ArrayDataset {
 public:
  ArrayVectors(const std::string& name, Matrix matrix, ItemLabels labels)
      : ArrayDataset(name, matrix.rows(), std::move(labels)), matrix_(std::move(matrix)) {
    info_.dims = matrix_.cols();
    large_ = !matrix_.owned() && io::MappedFile::is_large(matrix_.size() * static_cast<int64_t>(sizeof(float)));
  }

  std::span<const float> vector(int64_t i) const override {
    check_index(i);
    if (large_) io::MappedFile::fetch(std::as_bytes(matrix_.row(i)));
    return matrix_.row(i);
  }

 private:
  Matrix matrix_;
  bool large_ = false;  // mapped, and large
};

bool is_channels(int64_t size) { return size == 1 || size == 3; }

// Finds the labels of so many items.
using FindLabels = std::function<ItemLabels(int64_t count)>;

DatasetPtr make_dataset(io::Array items, const FindLabels& find_labels, const std::string& name,
                        const std::string& items_name) {
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

  ItemLabels labels = find_labels(shape[0]);
  if (images) return std::make_shared<ArrayImages>(name, std::move(items), channels_first, std::move(labels));
  return std::make_shared<ArrayVectors>(name, io::to_matrix(items, items_name), std::move(labels));
}

DatasetPtr open_npz(const std::string& path, const std::string& name) {
  const io::Npz npz = io::Npz::open(path);
  const char* items = npz.contains("images") ? "images" : "vectors";
  check_io(npz.contains(items), "[", path, "] expected an array called images or vectors, got neither");
  const auto find_labels = [&](int64_t count) {
    return npz.contains("labels") ? labels_from_array(npz.read("labels"), count, path + ":labels") : ItemLabels{};
  };
  return make_dataset(npz.read(items), find_labels, name, path + ":" + items);
}

}  // namespace

DatasetPtr dataset_from_array(io::Array items, const io::Array* labels, const std::string& name) {
  const auto find_labels = [&](int64_t count) {
    return labels != nullptr ? labels_from_array(*labels, count, name + " labels") : ItemLabels{};
  };
  return make_dataset(std::move(items), find_labels, name, name);
}

DatasetPtr open_npy(const std::string& path, const std::string& labels_path, const std::string& split) {
  const std::string name = "npy:" + path;
  check_split(split, name);
  if (path.ends_with(".npz")) {
    check(labels_path.empty(), "[", name, "] expected the labels in the .npz itself, got ", labels_path);
    return standard_split(open_npz(path, name), split);
  }
  const auto find_labels = [&](int64_t count) {
    return labels_path.empty() ? ItemLabels{} : read_item_labels(labels_path, count);
  };
  return standard_split(make_dataset(io::read_npy(path), find_labels, name, path), split);
}

}  // namespace orthant
