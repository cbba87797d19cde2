#include "orthant/sources/cifar.h"

#include <filesystem>
#include <fstream>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/data/concatenation.h"
#include "orthant/data/split.h"
#include "orthant/folders/place.h"
#include "orthant/io/mapped_file.h"
#include "orthant/sources/cifar_names.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;

class Cifar final : public Dataset {
 public:
  Cifar(DatasetInfo info, std::vector<CifarBatch> batches, bool coarse_label)
      : info_(std::move(info)), batches_(std::move(batches)), coarse_label_(coarse_label) {
    info_.height = info_.width = 32;
    info_.channels = 3;
    for (const CifarBatch& batch : batches_) size_ += batch.size();
  }

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return size_; }
  Image image(int64_t i) const override {
    const auto [batch, at] = find(i);
    return batch.image(at);
  }
  int64_t label(int64_t i) const override {
    const auto [batch, at] = find(i);
    return coarse_label_ ? batch.coarse_label(at) : batch.label(at);
  }
  void factors(int64_t i, std::span<int32_t> classes) const override {
    check_factors(classes);
    const auto [batch, at] = find(i);
    if (classes.empty()) return;
    classes[0] = static_cast<int32_t>(batch.label(at));
    classes[1] = static_cast<int32_t>(batch.coarse_label(at));
  }

 private:
  struct Place {
    const CifarBatch& batch;
    int64_t index;
  };
  Place find(int64_t i) const {
    check_index(i);
    size_t k = 0;
    while (i >= batches_[k].size()) i -= batches_[k++].size();
    return {batches_[k], i};
  }

  DatasetInfo info_;
  std::vector<CifarBatch> batches_;
  bool coarse_label_;
  int64_t size_ = 0;
};

// One name per line, blank lines aside; `known` if there is no such file.
std::vector<std::string> read_names(const fs::path& path, std::vector<std::string> known) {
  std::ifstream in(path);
  if (!in) return known;
  std::vector<std::string> names;
  for (std::string line; names.size() <= known.size() && std::getline(in, line);) {
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (!line.empty()) names.push_back(line);
  }
  check_io(names.size() == known.size(), "[", path.string(), "] expected ", known.size(), " names of classes, got ",
           names.size() > known.size() ? "more" : std::to_string(names.size()));
  return names;
}

std::vector<CifarBatch> open_batches(const std::string& folder, const std::vector<std::string>& files,
                                     CifarLayout layout) {
  check_folder(folder, "with " + files.front());
  std::vector<CifarBatch> batches;
  for (const std::string& file : files) {
    const std::string path = (fs::path(folder) / file).string();
    check_io(is_there(path), "[", path, "] expected a batch of the official binary version, got no such file");
    const auto mapped = io::MappedFile::open(path);
    batches.emplace_back(mapped->bytes(), path, layout, mapped);
  }
  return batches;
}

FactorInfo named_factor(std::string name, std::vector<std::string> names) {
  FactorInfo factor{.name = std::move(name), .values = {}, .names = std::move(names)};
  for (size_t i = 0; i < factor.names.size(); ++i) factor.values.push_back(static_cast<float>(i));
  return factor;
}

}  // namespace

DatasetPtr open_cifar10(const std::string& folder, const std::string& split) {
  check_split(split, "cifar10");
  if (split == "all") return concatenate({open_cifar10(folder, "train"), open_cifar10(folder, "test")});
  std::vector<std::string> files = {"test_batch.bin"};
  if (split == "train") {
    files = {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin"};
  }
  auto batches = open_batches(folder, files, CifarLayout::kCifar10);
  DatasetInfo info;
  info.name = "cifar10";
  info.split = split;
  info.class_names = read_names(fs::path(folder) / "batches.meta.txt", cifar10_names());
  return std::make_shared<Cifar>(std::move(info), std::move(batches), false);
}

DatasetPtr open_cifar100(const std::string& folder, const std::string& split, const Cifar100Options& options) {
  check_split(split, "cifar100");
  if (split == "all") {
    return concatenate({open_cifar100(folder, "train", options), open_cifar100(folder, "test", options)});
  }
  auto batches = open_batches(folder, {split == "train" ? "train.bin" : "test.bin"}, CifarLayout::kCifar100);
  const auto fine = read_names(fs::path(folder) / "fine_label_names.txt", cifar100_fine_names());
  const auto coarse = read_names(fs::path(folder) / "coarse_label_names.txt", cifar100_coarse_names());
  DatasetInfo info;
  info.name = "cifar100";
  info.split = split;
  info.class_names = options.coarse ? coarse : fine;
  info.factors = {named_factor("fine", fine), named_factor("coarse", coarse)};
  return std::make_shared<Cifar>(std::move(info), std::move(batches), options.coarse);
}

}  // namespace orthant
