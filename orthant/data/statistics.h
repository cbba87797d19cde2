#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/data/dataset.h"
#include "orthant/views/sound_options.h"

namespace orthant {

struct StatisticsOptions {
  int64_t max_items = 0;  // pictures to look at, spread evenly over the data set; 0: all
  // Of views that the pictures are meant for: large ones may be looked at smaller; see view_source(). 0: as they
  // are.
  int64_t view_side = 0;
  SoundOptions sound = {};  // of sounds: how views see them; without seconds they are not looked at
  int threads = 0;          // 0: as many as the machine offers; the result does not depend on it
};

struct DatasetStatistics {
  int64_t items = 0;
  std::vector<int64_t> per_class;  // by label, over all items
  int64_t unlabelled = 0;          // over all items

  // Of the pictures looked at; all zero or empty for a data set of vectors or texts.
  int64_t looked_at = 0;
  int64_t min_height = 0, max_height = 0;
  int64_t min_width = 0, max_width = 0;
  // In 0..1, over all pixels: one entry if every picture is grey, else three, where grey counts in all of them.
  std::vector<double> mean;
  std::vector<double> deviation;
  // The same of the grey levels (Pillow's convert("L")), which views of one channel show.
  double grey_mean = 0, grey_deviation = 0;
  std::vector<std::string> unreadable;  // pictures that failed to decode, "id: reason", in order; left out above
};

// Counts the classes and looks at the pictures in parallel. Sums are whole numbers, so the answer is the same bits for
// any number of threads. A picture that fails to decode is listed, not thrown. std::invalid_argument if max_items is
// negative.
DatasetStatistics dataset_statistics(const Dataset& dataset, const StatisticsOptions& options = {});

}  // namespace orthant
