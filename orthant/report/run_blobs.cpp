#include "orthant/report/run_blobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>

#include "orthant/catalogue/comparison.h"
#include "orthant/catalogue/text.h"
#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/io/gzip.h"
#include "orthant/report/clean_document.h"
#include "orthant/report/documents.h"
#include "orthant/report/half.h"
#include "orthant/report/read_out_documents.h"
#include "orthant/report/word_marks.h"

namespace orthant::report {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

template <class T>
std::string packed(const std::vector<T>& values) {
  return catalogue::base64(io::gzip(std::as_bytes(std::span(values))));
}

float largest(const Features& features) {
  float most = 0;
  for (int64_t i = 0; i < features.rows(); ++i) {
    features.visit_row(i, [&](int64_t, float value) { most = std::max(most, std::fabs(value)); });
  }
  return most;
}

// The features in compressed rows, as the page reads them.
struct Rows {
  std::vector<uint32_t> indptr = {0};
  std::vector<uint16_t> indices;  // a catalogue has at most 8,192 features
  std::vector<uint16_t> values;
};

Rows rows_of(const Features& features, float scale) {
  constexpr int kNothing = 0x7fff;  // without the sign
  Rows rows;
  for (int64_t i = 0; i < features.rows(); ++i) {
    features.visit_row(i, [&](int64_t column, float value) {
      const uint16_t half = to_half(value / scale);
      if ((half & kNothing) == 0) return;
      rows.indices.push_back(static_cast<uint16_t>(column));
      rows.values.push_back(half);
    });
    check(rows.values.size() < UINT32_MAX, "[report] expected fewer than 2^32 activations in a run, got more");
    rows.indptr.push_back(static_cast<uint32_t>(rows.values.size()));
  }
  return rows;
}

// A JSON list of what `make` says of each of `count` things, told about as `what`.
std::string listed(const std::string& what, int64_t count, const BlobOptions& options,
                   const std::function<std::string(int64_t)>& make) {
  std::vector<std::string> pages(static_cast<size_t>(count));
  std::mutex mutex;
  int64_t done = 0;
  parallel_for(count, 4, options.threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) pages[static_cast<size_t>(i)] = make(i);
    const std::lock_guard lock(mutex);
    done += end - begin;
    if (options.progress) options.progress(what, done, count);
  });
  std::string list = "[";
  for (const std::string& page : pages) {
    if (list.size() > 1) list += ',';
    list += page;
  }
  return list + "]";
}

std::vector<int16_t> quantised(const Matrix& map) {
  std::vector<int16_t> points;
  points.reserve(static_cast<size_t>(map.size()));
  for (const float value : map.values()) {
    points.push_back(static_cast<int16_t>(std::lround(std::clamp(value, -1.0F, 1.0F) * 32767)));
  }
  return points;
}

}  // namespace

std::string packed(const std::string& text) { return catalogue::base64(io::gzip(std::as_bytes(std::span(text)))); }

std::vector<Blob> item_blobs(const catalogue::Items& items) {
  std::vector<Blob> blobs;
  if (!items.labels.empty()) {
    std::vector<int32_t> labels;
    for (const int64_t label : items.labels) labels.push_back(static_cast<int32_t>(label));
    blobs.push_back({"labels", packed(labels), true});
  }
  blobs.push_back({"ids", packed(nlohmann::json(items.ids).dump()), true});
  if (!items.links.empty()) {
    std::vector<std::vector<int64_t>> links;
    for (const auto& own : items.links) {
      links.emplace_back();
      for (const Linked& other : own) links.back().push_back(other.item);
    }
    blobs.push_back({"links", packed(nlohmann::json(links).dump()), true});
  }
  if (!items.texts.empty()) blobs.push_back({"texts", packed(all_texts_document(items)), true});
  return blobs;
}

RunBlobs run_blobs(const catalogue::Catalogue& run, int64_t r, const BlobOptions& options) {
  const std::string prefix = fmt::format("r{}.", r);
  RunBlobs result;
  const auto add = [&](const std::string& name, std::string text, bool by_item = true) {
    result.blobs.push_back({prefix + name, std::move(text), by_item});
  };
  result.scale = half_scale(largest(run.matrix()));
  const Rows rows = rows_of(run.matrix(), result.scale);
  add("indptr", packed(rows.indptr));
  add("indices", packed(rows.indices));
  add("values", packed(rows.values));
  const auto near = run.neighbours().values();
  add("neighbours", packed(std::vector<int32_t>(near.begin(), near.end())));
  add("clean", packed(clean_document(run, options.threads)));
  add("features",
      packed(listed("feature pages", run.features(), options, [&run](int64_t f) { return feature_document(run, f); })),
      false);
  if (has_word_marks(run)) {
    add("marks", packed(listed("words of items", run.items().size(), options,
                               [&run](int64_t i) { return item_marks_document(run, i); })));
  }
  if (std::string weights = weights_document(run); weights != "null") add("classifier", packed(weights), false);
  for (const std::string& name : run.map_names()) add("map." + name, packed(quantised(run.map(name))));
  return result;
}

Blob compare_blob(const catalogue::Catalogue& a, const catalogue::Catalogue& b, int64_t ra, int64_t rb, int threads) {
  return {fmt::format("r{}.compare.r{}", ra, rb), packed(compare_document(catalogue::compare(a, b, threads), ra, rb)),
          false};
}

}  // namespace orthant::report
