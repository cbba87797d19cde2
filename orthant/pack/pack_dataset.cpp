#include "orthant/pack/pack_dataset.h"

#include <utility>

#include "orthant/core/error.h"
#include "orthant/data/split.h"
#include "orthant/io/image_file.h"
#include "orthant/pack/pack_file.h"

namespace orthant {
namespace {

class Pack final : public Dataset {
 public:
  Pack(DatasetInfo info, std::unique_ptr<const pack::PackFile> file, int64_t size)
      : info_(std::move(info)), file_(std::move(file)), size_(size) {}

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return size_; }
  Image image(int64_t i) const override { return decode(at(i), 0); }
  Image image_for(int64_t i, int64_t side) const override { return decode(at(i), view_source_side(side)); }
  int64_t label(int64_t i) const override { return file_->index().item(at(i)).label; }
  void factors(int64_t i, std::span<int32_t> classes) const override {
    check_factors(classes);
    const int64_t item = at(i);
    for (size_t k = 0; k < classes.size(); ++k) classes[k] = file_->index().factor(item, static_cast<int64_t>(k));
  }
  std::string id(int64_t i) const override { return file_->index().id(at(i)); }

 private:
  // The number of item i in the file.
  int64_t at(int64_t i) const {
    check_index(i);
    if (info_.split == "train") return file_->index().train(i);
    if (info_.split == "test") return file_->index().test(i);
    return i;
  }
  Image decode(int64_t item, int64_t least_side) const {
    const std::vector<std::byte> bytes = file_->read(item);
    return io::decode_image(bytes, file_->path() + ": " + file_->index().id(item), io::kMaxImagePixels, least_side);
  }

  DatasetInfo info_;
  std::unique_ptr<const pack::PackFile> file_;
  int64_t size_;
};

}  // namespace

DatasetPtr open_pack(const std::string& path, const PackOptions& options) {
  DatasetInfo info;
  info.name = "pack:" + path;
  check_split(options.split, info.name);
  auto file = std::make_unique<const pack::PackFile>(path);
  const pack::Header& header = file->index().header();
  const pack::Info& about = file->index().info();
  info.split = options.split;
  info.class_names = about.class_names;
  info.factors = about.factors;
  info.unreadable = pack::left_out_of(about, about.split_made_here ? "all" : options.split);
  info.other_kinds = about.other_kinds;
  info.splits = {{"train", header.train}, {"test", header.test}, {"all", header.items}};
  info.split_made_here = about.split_made_here;
  const size_t bad = info.unreadable.size();
  check_io(!options.strict || bad == 0, "[", path, "] expected nothing but readable pictures, got ", bad,
           " that cannot be read; the first: ", bad == 0 ? "" : info.unreadable.front());
  const int64_t size = options.split == "train" ? header.train : options.split == "test" ? header.test : header.items;
  check(size > 0 || !info.split_made_here, "[", info.name,
        "] expected at least 2 items to set some apart for the test, ", "got ", header.items,
        "; the split all has them all");
  check_io(size > 0, "[", path, "] expected pictures in the split ", options.split, ", got none");
  return std::make_shared<Pack>(std::move(info), std::move(file), size);
}

}  // namespace orthant
