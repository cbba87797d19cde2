#include "orthant/sources/fashion.h"

#include "orthant/core/error.h"
#include "orthant/folders/place.h"
#include "orthant/sources/idx.h"

namespace orthant {

DatasetPtr open_fashion(const std::string& split) {
  for (const char* share : {"/usr/share", "/usr/local/share"}) {
    const std::string folder = std::string(share) + "/datasets/fashion-mnist";
    if (!is_folder(folder)) continue;
    return open_idx(folder, split,
                    {.name = "fashion",
                     .class_names = {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt",
                                     "Sneaker", "Bag", "Ankle boot"}});
  }
  fail_io(
      "[fashion] expected Fashion-MNIST under /usr/share/datasets/fashion-mnist, got nothing there; install Debian's "
      "package dataset-fashion-mnist, or give a folder as idx:DIR");
}

}  // namespace orthant
