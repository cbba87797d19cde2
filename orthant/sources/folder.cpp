#include "orthant/sources/folder.h"

#include "orthant/data/split.h"
#include "orthant/io/image_file.h"
#include "orthant/sources/picture_file.h"

namespace orthant {
namespace {

class Folder final : public FolderDataset {
 public:
  using FolderDataset::FolderDataset;

  Image image(int64_t i) const override { return io::read_image(path(i)); }
  Image image_for(int64_t i, int64_t side) const override { return io::read_image(path(i), view_source_side(side)); }
};

}  // namespace

DatasetPtr open_folder(const std::string& path, const FolderOptions& options) {
  OpenedFolder opened = read_folder(path, options, picture_files(), "folder:" + path);
  const bool splits_given = opened.splits_given;
  const auto dataset = std::make_shared<Folder>(std::move(opened));
  return splits_given ? dataset : standard_split(dataset, options.split);
}

}  // namespace orthant
