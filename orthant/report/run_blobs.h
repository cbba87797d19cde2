#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "orthant/catalogue/catalogue.h"

namespace orthant::report {

// A piece of a report's data: base64 of a gzip file, or of a picture as it is. docs/report.md lists them all.
struct Blob {
  std::string name;
  std::string text;
  bool by_item = false;  // its size grows with the number of items
};

struct BlobOptions {
  int threads = 0;  // 0: as many as the machine offers; the blobs do not depend on it
  // What is in hand ("feature pages") and how far; from one thread at a time, any of them. May throw to stop.
  std::function<void(const std::string& what, int64_t done, int64_t total)> progress = {};
};

// The content of a blob: base64 of a gzip file.
std::string packed(const std::string& text);

// What all runs share: "labels" (int32, -1 unknown; only where there are labels), "ids" (JSON list)
// and "texts" (JSON list of lists; only where there are texts).
std::vector<Blob> item_blobs(const catalogue::Items& items);

// What belongs to run number r, all arrays little endian:
//   rR.indptr uint32 [N + 1], rR.indices uint16 [nnz], rR.values 16-bit floats [nnz]
//                   the features row by row; the values are to be multiplied by `scale`. Entries that round to zero
//                   are left out.
//   rR.neighbours   int32 [N, min(24, N - 1)]
//   rR.clean        JSON, items to look at
//   rR.features     JSON list of all feature documents
//   rR.classifier   JSON, the weights of a supervised run's classifier; only where there is one
//   rR.map.NAME     int16 [N, 2], 32767 for 1
// Asking for the maps may take seconds. std::invalid_argument if there are 2^32 entries or more.
struct RunBlobs {
  std::vector<Blob> blobs;
  float scale = 1;  // a power of two
};
RunBlobs run_blobs(const catalogue::Catalogue& run, int64_t r, const BlobOptions& options = {});

// "rA.compare.rB": which features of the two runs are the same, as JSON.
Blob compare_blob(const catalogue::Catalogue& a, const catalogue::Catalogue& b, int64_t ra, int64_t rb,
                  int threads = 0);

}  // namespace orthant::report
