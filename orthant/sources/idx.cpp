#include "orthant/sources/idx.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "orthant/core/checked.h"
#include "orthant/core/error.h"
#include "orthant/data/concatenation.h"
#include "orthant/data/split.h"
#include "orthant/folders/place.h"
#include "orthant/io/gzip.h"
#include "orthant/io/mapped_file.h"

namespace orthant {
namespace {

constexpr size_t kMaxDecompressed = size_t{16} << 30;
// Real pictures shrink to a fifth, drawings to a hundredth. Small files may do as they like.
constexpr size_t kMaxRatio = 400;
constexpr size_t kMaxUnchecked = size_t{64} << 20;

class Idx final : public Dataset {
 public:
  Idx(DatasetInfo info, IdxArray images, IdxArray labels)
      : info_(std::move(info)), images_(std::move(images)), labels_(std::move(labels)) {
    info_.height = images_.shape[1];
    info_.width = images_.shape[2];
    info_.channels = images_.shape.size() == 4 ? images_.shape[3] : 1;
  }

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return images_.shape[0]; }

  Image image(int64_t i) const override {
    check_index(i);
    Image image(info_.height, info_.width, info_.channels);
    const size_t length = image.pixels.size();
    const auto bytes = images_.bytes.subspan(static_cast<size_t>(i) * length, length);
    std::ranges::transform(bytes, image.pixels.begin(), [](std::byte b) { return std::to_integer<uint8_t>(b); });
    return image;
  }

  int64_t label(int64_t i) const override {
    check_index(i);
    return labels_.bytes.empty() ? -1 : std::to_integer<int64_t>(labels_.bytes[static_cast<size_t>(i)]);
  }

 private:
  DatasetInfo info_;
  IdxArray images_;
  IdxArray labels_;  // no bytes: there are none
};

// The file under one of the names it goes by, or an empty path.
std::string find_file(const std::string& folder, const std::string& stem, const std::string& type) {
  for (const char* separator : {"-", "."}) {
    for (const char* ending : {"", ".gz"}) {
      std::string path = (std::filesystem::path(folder) / (stem + separator + type + ending)).string();
      if (is_there(path)) return path;
    }
  }
  return {};
}

std::string text(const std::vector<int64_t>& shape) {
  std::string joined;
  for (const int64_t size : shape) joined += (joined.empty() ? "" : " x ") + std::to_string(size);
  return joined;
}

IdxArray read_images(const std::string& folder, const std::string& prefix) {
  std::string path = find_file(folder, prefix + "-images", "idx3-ubyte");
  if (path.empty()) path = find_file(folder, prefix + "-images", "idx4-ubyte");
  check_io(!path.empty(), "[", folder, "] expected ", prefix,
           "-images-idx3-ubyte or the same with .gz, got no such file");
  IdxArray images = read_idx(path);
  const auto& shape = images.shape;
  const bool grey = shape.size() == 3;
  const bool colour = shape.size() == 4 && (shape[3] == 1 || shape[3] == 3);
  check_io((grey || colour) && std::ranges::all_of(shape, [](int64_t size) { return size > 0; }), "[", path,
           "] expected images N x H x W or N x H x W x 3, got ", text(shape));
  return images;
}

IdxArray read_labels(const std::string& folder, const std::string& prefix, int64_t count) {
  const std::string path = find_file(folder, prefix + "-labels", "idx1-ubyte");
  if (path.empty()) return {};
  IdxArray labels = read_idx(path);
  check_io(labels.shape.size() == 1 && labels.shape[0] == count, "[", path, "] expected ", count,
           " labels, one for each image, got ", text(labels.shape));
  return labels;
}

std::vector<std::string> name_classes(const IdxArray& labels, const IdxOptions& options, const std::string& where) {
  if (labels.bytes.empty()) return {};
  const auto largest = std::to_integer<size_t>(*std::ranges::max_element(labels.bytes));
  std::vector<std::string> names = options.class_names;
  check_io(names.empty() || largest < names.size(), "[", where, "] expected labels below ", names.size(), ", got ",
           largest);
  for (size_t label = names.size(); label <= largest; ++label) names.push_back(std::to_string(label));
  return names;
}

struct Header {
  std::vector<int64_t> shape;
  size_t length;    // of the header
  size_t promised;  // bytes behind it
};

Header parse_header(std::span<const std::byte> bytes, const std::string& name) {
  constexpr size_t kMagic = 4;
  check_io(bytes.size() >= kMagic, "[", name, "] expected an IDX header, got a file of ", bytes.size(), " bytes");
  const auto at = [&bytes](size_t i) { return std::to_integer<uint32_t>(bytes[i]); };
  check_io(at(0) == 0 && at(1) == 0, "[", name, "] expected an IDX file, got something else");
  check_io(at(2) == 8, "[", name, "] expected unsigned bytes (IDX type 8), got type ", at(2));
  const size_t dims = at(3);
  check_io(dims >= 1 && dims <= 4, "[", name, "] expected 1 to 4 dimensions, got ", dims);
  Header header{{}, kMagic + 4 * dims, 0};
  check_io(bytes.size() >= header.length, "[", name, "] expected a header of ", header.length, " bytes, got ",
           bytes.size());
  for (size_t i = kMagic; i < header.length; i += 4) {
    header.shape.push_back(at(i) << 24 | at(i + 1) << 16 | at(i + 2) << 8 | at(i + 3));
  }
  const auto promised = checked_product(header.shape);
  check_io(promised.has_value(), "[", name, "] expected ", text(header.shape), " bytes after the header, got ",
           "fewer than that");
  header.promised = static_cast<size_t>(*promised);
  return header;
}

}  // namespace

IdxArray parse_idx(std::span<const std::byte> bytes, const std::string& name, std::shared_ptr<const void> owner) {
  Header header = parse_header(bytes, name);
  IdxArray array{std::move(header.shape), bytes.subspan(header.length), std::move(owner)};
  check_io(header.promised == array.bytes.size(), "[", name, "] expected ", text(array.shape),
           " bytes after the header, got ", array.bytes.size());
  return array;
}

IdxArray read_idx(const std::string& path) {
  const auto file = io::MappedFile::open(path);
  if (!io::looks_like_gzip(file->bytes())) return parse_idx(file->bytes(), path, file);
  const size_t limit = std::min(kMaxDecompressed, std::max(kMaxUnchecked, kMaxRatio * file->bytes().size()));
  const auto promised = [&](std::span<const std::byte> head) {
    const Header header = parse_header(head, path);
    check_io(header.promised <= limit, "[", path, "] expected at most ", limit, " bytes of a file of ",
             file->bytes().size(), ", got a header that promises ", text(header.shape),
             "; if that is no mistake, decompress it with gunzip");
    return header.length + header.promised;
  };
  const auto plain =
      std::make_shared<const std::vector<std::byte>>(io::gunzip(file->bytes(), path, limit + 64, promised));
  return parse_idx(*plain, path, plain);
}

DatasetPtr open_idx(const std::string& folder, const std::string& split, const IdxOptions& options) {
  check_split(split, options.name);
  check_folder(folder, "with train-images-idx3-ubyte");
  if (split == "all") {
    DatasetPtr train = open_idx(folder, "train", options);
    DatasetPtr test = open_idx(folder, "test", options);
    const auto& train_names = train->info().class_names;
    const auto& test_names = test->info().class_names;
    if (!train_names.empty() && !test_names.empty() && train_names.size() != test_names.size()) {
      return open_idx(folder, "all",
                      {.name = options.name, .class_names = std::max(train_names, test_names, [](auto& a, auto& b) {
                                               return a.size() < b.size();
                                             })});
    }
    return concatenate({train, test});
  }
  const std::string prefix = split == "train" ? "train" : "t10k";
  IdxArray images = read_images(folder, prefix);
  IdxArray labels = read_labels(folder, prefix, images.shape[0]);
  DatasetInfo info;
  info.name = options.name;
  info.split = split;
  info.class_names = name_classes(labels, options, folder);
  return std::make_shared<Idx>(std::move(info), std::move(images), std::move(labels));
}

}  // namespace orthant
