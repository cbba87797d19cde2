// Opens a data set, makes two views of each of its pictures, and draws them on a contact sheet.
//
//   $ 1-views sheet.png
//   16 pictures of 32 x 32, 16 classes: circle, ...
//   two views of a picture differ: yes; the same key gives the same view: yes
//   sheet.png written

#include <cstdio>
#include <set>

#include "orthant/io/image_file.h"
#include "orthant/report/contact_sheet.h"
#include "orthant/sources/open.h"
#include "orthant/views/view.h"

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: 1-views SHEET.png\n"), 2;
  const orthant::DatasetPtr data = orthant::open_dataset("sprites", {.split = "test", .size = 16});
  const auto& info = data->info();
  std::printf("%lld pictures of %lld x %lld, %zu classes: %s, ...\n", static_cast<long long>(data->size()),
              static_cast<long long>(info.height), static_cast<long long>(info.width), info.class_names.size(),
              info.class_names.front().c_str());

  const orthant::ViewMaker make_view(orthant::view_preset("simclr", 32));
  orthant::ViewScratch scratch;  // one per thread
  const auto view = [&](uint64_t item, uint16_t number) {
    std::vector<float> out(static_cast<size_t>(make_view.options().view_size()));
    make_view(data->image(static_cast<int64_t>(item)), {.seed = 1, .sample = item, .view = number}, scratch, out);
    return out;
  };
  std::printf("two views of a picture differ: %s; the same key gives the same view: %s\n",
              view(0, 0) != view(0, 1) ? "yes" : "no", view(0, 0) == view(0, 0) ? "yes" : "no");

  std::vector<orthant::SheetRow> rows;
  for (int64_t i = 0; i < data->size(); ++i) {
    orthant::SheetRow row{info.class_names[static_cast<size_t>(data->label(i))], {data->image(i)}};
    for (uint16_t v = 0; v < 2; ++v) {
      row.images.push_back(orthant::view_to_image(view(static_cast<uint64_t>(i), v), make_view.options()));
    }
    rows.push_back(std::move(row));
  }
  orthant::io::write_png(argv[1], orthant::contact_sheet(rows, {.column_titles = {"original", "view 1", "view 2"}}));
  std::printf("sheet.png written\n");
}
