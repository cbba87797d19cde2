#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orthant/catalogue/correlation_map.h"
#include "orthant/catalogue/explanation.h"
#include "orthant/catalogue/feature_profile.h"
#include "orthant/catalogue/histogram.h"
#include "orthant/catalogue/item_profile.h"
#include "orthant/catalogue/items.h"
#include "orthant/catalogue/names.h"
#include "orthant/catalogue/run_record.h"
#include "orthant/classify/read_out.h"
#include "orthant/core/embeddings.h"
#include "orthant/core/features.h"
#include "orthant/search/neighbours.h"

namespace orthant::catalogue {

constexpr int64_t kMostTogether = 60'000;

struct CatalogueOptions {
  int64_t neighbours = 24;  // of each item, from 1; lowered to the number of other items
  int threads = 0;          // 0: what the machine offers; results do not depend on it

  // Items up to which all are compared with all: their neighbours are found at once, and there is a UMAP map. Of more,
  // the neighbours of an item are found when it is asked for.
  int64_t together = kMostTogether;

  // Told about long work, here and when a map is first asked for: what ("neighbours", "umap"), and done rising to
  // total. Called from one thread at a time, any of them. May throw, which ends the work with that exception.
  std::function<void(const std::string& what, int64_t done, int64_t total)> progress = nullptr;
};

// Everything that the page knows of one run: features [N, D] of the items and what follows from them. What takes long
// is computed once, here; the rest when it is asked for. Const members are safe from several threads, and so is
// names(). Numbers of features and items that are not there are std::invalid_argument.
class Catalogue {
 public:
  // Takes the features over; labels, ids and names of classes count as the items have them. Dense features of which
  // less than a quarter are not zero become sparse. Memory: twice that of the features (less what is mapped), D^2
  // floats, and 0.2 kB an item. IoError if names at record.names_path cannot be read. std::invalid_argument if there
  // are no items or no features, more than 8,192 features, entries that are not finite, or the items are not as many as
  // the rows.
  Catalogue(RunRecord record, Embeddings embeddings, std::shared_ptr<const Items> items,
            const CatalogueOptions& options = {});
  ~Catalogue();
  Catalogue(const Catalogue&) = delete;
  Catalogue& operator=(const Catalogue&) = delete;

  const RunRecord& record() const;
  const Items& items() const;
  Names& names() const;

  int64_t features() const;  // D
  Features matrix() const;   // [N, D], as long as the catalogue
  bool sparse() const;

  const std::vector<FeatureSummary>& summaries() const;  // [D]
  FeatureProfile feature(int64_t f) const;
  std::vector<float> activations(int64_t f) const;  // [N]

  ItemProfile item(int64_t i) const;
  // Items from `offset` on, at most `limit`, of all or of one class. std::invalid_argument for negative numbers or a
  // class that is not there; an offset beyond the end gives an empty page.
  ItemPage list(int64_t offset, int64_t limit, std::optional<int64_t> klass = {}) const;
  // The same for features [D] that are no row of this catalogue: finite, or std::invalid_argument.
  ItemProfile item_of(std::span<const float> row) const;

  // What the run's classifier makes of the items; null if it has none, or one of other features or classes.
  const classify::ReadOut* read_out() const;

  Explanation explain(int64_t a, int64_t b) const;
  Explanation explain(std::span<const float> row, int64_t b) const;

  // [N, min(24, N - 1)] items nearest to each by cosine, nearest first; ties by lower item. std::invalid_argument if
  // there are more items than options.together.
  const DenseMatrix<int32_t>& neighbours() const;

  // Where to draw the items, [N, 2] in [-1, 1]: one of map_names(). Computed when first asked for, which may take
  // seconds (others who ask wait), and kept.
  const Matrix& map(std::string_view name) const;
  std::vector<std::string> map_names() const;  // "pca", and "umap" of no more items than options.together

  const Histogram& active_histogram() const;       // items by number of features that fire; empty for none
  const Histogram& consistency_histogram() const;  // features by class consistency; empty without labels
  const CorrelationMap& correlation() const;       // of the live features, the 256 of largest expected activation

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orthant::catalogue
