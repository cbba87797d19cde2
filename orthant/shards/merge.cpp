#include "orthant/shards/merge.h"

#include "orthant/core/error.h"
#include "orthant/core/features.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/shards/row_store.h"
#include "orthant/shards/share.h"

namespace orthant::shards {
namespace {

// Empty where there are none of these things.
template <class T>
void add_rows(const std::vector<T>& from, const Range& rows, std::vector<T>& to) {
  if (!from.empty()) to.insert(to.end(), from.begin() + rows.begin, from.begin() + rows.end);
}

void add_part(const Embeddings& part, const Range& rows, RowStore& store, Embeddings& whole) {
  const Features features(part);
  for (int64_t i = rows.begin; i < rows.end; ++i) {
    if (features.dense()) {
      store.append(features.dense()->row(i));
    } else {
      store.append(features.sparse()->row(i));
    }
  }
  add_rows(part.labels, rows, whole.labels);
  add_rows(part.ids, rows, whole.ids);
  for (size_t k = 0; k < part.factors.size(); ++k) {
    add_rows(part.factors[k].classes, rows, whole.factors[k].classes);
  }
}

void check_fits(const Embeddings& part, const Embeddings& first, int64_t views, const std::string& file) {
  const bool fits = part.cols() == first.cols() && part.class_names == first.class_names && part.how == first.how &&
                    part.factors.size() == first.factors.size() && part.rows() % views == 0 &&
                    part.labels.empty() == first.labels.empty() && part.ids.empty() == first.ids.empty();
  check_io(fits, "[", file, "] expected a part of the same embeddings as the others, got ", part.rows(), " x ",
           part.cols(), " of something else");
}

}  // namespace

Embeddings merge_parts(const std::vector<std::string>& files, int64_t views, const SpoolOptions& options) {
  std::vector<Embeddings> parts;
  for (const std::string& file : files) {
    Embeddings part = io::read_embeddings(file);
    if (part.rows() == 0) continue;
    check_fits(part, parts.empty() ? part : parts.front(), views, file);
    parts.push_back(std::move(part));
  }
  check_io(!parts.empty(), "[merge] expected parts with rows, got none in ", files.size(), " files");
  Embeddings whole;
  whole.class_names = parts.front().class_names;
  whole.how = parts.front().how;
  for (const Factor& factor : parts.front().factors) {
    whole.factors.push_back({factor.name, factor.values, {}, factor.period});
  }
  RowStore store(options);
  for (int64_t view = 0; view < views; ++view) {
    for (const Embeddings& part : parts) {
      const int64_t items = part.rows() / views;
      add_part(part, {view * items, (view + 1) * items}, store, whole);
    }
  }
  whole.features = store.finish(parts.front().cols());
  return whole;
}

}  // namespace orthant::shards
