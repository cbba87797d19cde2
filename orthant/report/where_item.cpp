#include "orthant/report/where_item.h"

#include "orthant/core/error.h"
#include "orthant/heat/sound_place.h"
#include "orthant/io/image_file.h"
#include "orthant/sound/spectrogram.h"

namespace orthant::report {

bool can_ask_where(const catalogue::Catalogue& run) {
  return run.items().pictures && run.items().has_sounds() == run.record().sound.has_value();
}

WhereItem where_item(const catalogue::Catalogue& run, int64_t i) {
  const catalogue::Items& items = run.items();
  const auto& model = run.record().sound;
  check(can_ask_where(run), "[", run.record().name, "] expected items that its model takes, ",
        model ? "sounds" : "pictures", ", got others");
  const int64_t row = items.rows.at(static_cast<size_t>(i));
  const Image picture = items.pictures->image(row);
  WhereItem item{.question = {}, .picture = {picture.width, picture.height}};
  if (!model) {
    item.question = io::encode_png(picture);
    return item;
  }
  const Sound sound = items.pictures->sound(row);
  const Image spectrogram = sound::spectrogram(sound, model->sound, model->size);
  item.question = io::encode_png(spectrogram);
  item.asked = sound::spectrogram_axes(spectrogram, model->sound);
  item.shown = sound::picture_axes(sound.seconds(), picture.height);
  return item;
}

heat::HeatMaps on_picture(heat::HeatMaps maps, const WhereItem& item) {
  if (item.asked && item.shown) maps.box = heat::moved_box(maps.box, *item.asked, *item.shown);
  return maps;
}

}  // namespace orthant::report
