#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "orthant/catalogue/catalogue.h"
#include "orthant/heat/question.h"

namespace orthant::report {

struct ReportOptions {
  int64_t max_bytes = 30'000'000;        // of the file
  bool overwrite = false;                // whether an existing file may be replaced
  int threads = 0;                       // 0: as many as the machine offers; the file does not depend on it
  std::vector<heat::Answer> where = {};  // for each run who tells where features fire, or an empty one; none at all: no
                                         // such maps
  std::string home = "";                 // paths in this folder are shown as ~/...; empty: as they are

  // Told about long work: what ("feature pages", "pictures"), and done rising to total. Called from one thread at a
  // time, any of them. May throw, which ends the work with that exception; nothing has been written then.
  std::function<void(const std::string& what, int64_t done, int64_t total)> progress = {};
};

// What a report has become.
struct ReportSummary {
  int64_t bytes = 0;
  int64_t items = 0;
  int64_t items_shown = 0;    // fewer than `items` if the file would have been too large
  std::string pictures;       // "png": pixel for pixel; "jpeg"; empty: there are none
  int quality = 0;            // of jpeg
  int64_t picture_width = 0;  // as shown
  int64_t picture_height = 0;
  bool pictures_scaled = false;  // whether that is not how the data set has them
  int64_t sounds = 0;            // items that can be heard
};

// Writes the page with everything that it shows as one HTML file, which opens from disk and needs no network
// (docs/report.md). `runs` show the same items; the catalogues compute their maps here. The file appears as a whole or
// not at all.
//
// Pictures are PNG if the file stays below a third of max_bytes with them, else JPEG. What exceeds max_bytes is made
// smaller, in this order: JPEG of quality 90, 75, 60; pictures of at most 32 pixels a side; fewer items, evenly sampled
// (at least 100), over which neighbours, maps and feature pages are then computed anew.
//
// Of sounds the strongest items of the features can be heard, then the others, as far as a quarter of max_bytes goes.
//
// std::invalid_argument if there is no run, the runs do not share their items, the file exists and may not be
// replaced, or not even 100 items fit into max_bytes; IoError if the file cannot be written or a picture not be read.
ReportSummary write_report(const std::string& path, std::span<const catalogue::Catalogue* const> runs,
                           const ReportOptions& options = {});

}  // namespace orthant::report
