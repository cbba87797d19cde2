#include "orthant/catalogue/catalogue.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include "orthant/catalogue/feature_examples.h"
#include "orthant/catalogue/feature_survey.h"
#include "orthant/catalogue/item_search.h"
#include "orthant/core/error.h"
#include "orthant/layout/pca.h"
#include "orthant/layout/umap.h"
#include "orthant/search/columns.h"

namespace orthant::catalogue {
namespace {

constexpr int64_t kMostLinks = 100;
constexpr int64_t kMostFeatures = 8192;
constexpr double kSparse = 0.25;  // share of entries that are not zero below which a dense matrix becomes sparse
constexpr int64_t kTop = 24;
constexpr int64_t kSilent = 12;
constexpr int64_t kRelated = 8;
constexpr int64_t kAnchors = 12;
constexpr int64_t kFeaturesOfItem = 256;

// Labels, ids and the rest are the items' business.
Embeddings features_only(Embeddings embeddings, const RunRecord& record) {
  check(embeddings.rows() > 0 && embeddings.cols() > 0, "[", record.path, "] expected features of some items, got ",
        embeddings.rows(), " x ", embeddings.cols());
  check(embeddings.cols() <= kMostFeatures, "[", record.path, "] expected at most ", kMostFeatures,
        " features to look at, got ", embeddings.cols(), "; select some of them first");
  check_finite(embeddings, record.path);
  Embeddings kept;
  kept.feature_names = std::move(embeddings.feature_names);
  if (const auto* dense = std::get_if<Matrix>(&embeddings.features)) {
    const auto filled = std::ranges::count_if(dense->values(), [](float x) { return x != 0; });
    if (static_cast<double>(filled) < kSparse * static_cast<double>(dense->size())) {
      kept.features = SparseMatrix::from_dense(*dense);
      return kept;
    }
  }
  kept.features = std::move(embeddings.features);
  return kept;
}

std::shared_ptr<const Items> checked_items(std::shared_ptr<const Items> items, int64_t rows, const RunRecord& record) {
  check(items != nullptr, "[", record.path, "] expected items, got none");
  items->validate();
  check(items->size() == rows, "[", record.path, "] expected features of ", items->size(), " items, got ", rows,
        " rows");
  return items;
}

search::Neighbours nearest(const Features& features, const CatalogueOptions& options) {
  check(options.neighbours > 0, "[catalogue] expected neighbours from 1 on, got ", options.neighbours);
  if (features.rows() == 1) return {DenseMatrix<int32_t>(1, 0), Matrix(1, 0), true};
  if (features.rows() > options.together) return {};
  search::NeighbourOptions search{.k = options.neighbours, .exclude_self = true, .threads = options.threads};
  if (options.progress) {
    search.progress = [&](int64_t done, int64_t total) { options.progress("neighbours", done, total); };
  }
  return search::neighbours(features, features, search);
}

std::vector<int32_t> count_active(const Features& features) {
  std::vector<int32_t> active(static_cast<size_t>(features.rows()));
  for (int64_t i = 0; i < features.rows(); ++i) {
    features.visit_row(i, [&](int64_t, float x) { active[static_cast<size_t>(i)] += std::abs(x) > kFiringThreshold; });
  }
  return active;
}

std::optional<classify::ReadOut> read_out_of(const RunRecord& record, const Features& features, const Items& items,
                                             int threads) {
  if (!record.classifier || record.classifier->features() != features.cols()) return {};
  if (record.classifier->classes() != std::ssize(items.classes)) return {};
  return classify::read_out(*record.classifier, features, items.labels, threads);
}

void keep_first(std::vector<Activation>& list, int64_t most) {
  list.resize(std::min(list.size(), static_cast<size_t>(most)));
}

void keep_best(std::vector<ItemMatch>& matches, int64_t most) {
  const auto kept = static_cast<std::ptrdiff_t>(std::min(most, static_cast<int64_t>(matches.size())));
  std::partial_sort(matches.begin(), matches.begin() + kept, matches.end(), [](const ItemMatch& a, const ItemMatch& b) {
    return a.score != b.score ? a.score > b.score : a.item < b.item;
  });
  matches.resize(static_cast<size_t>(kept));
}

struct Map {
  std::once_flag once;
  Matrix points;
};

}  // namespace

struct Catalogue::State {
  RunRecord record;
  CatalogueOptions options;
  Embeddings embeddings;
  Features matrix;
  std::shared_ptr<const Items> items;
  Names names;
  search::Columns columns;
  FeatureSurvey survey;
  ItemSearch similar;
  std::vector<int32_t> active;  // [N]
  search::Neighbours near;
  std::optional<classify::ReadOut> read_out;
  Map pca;
  Map umap;

  State(RunRecord its_record, Embeddings its_embeddings, std::shared_ptr<const Items> its_items,
        const CatalogueOptions& its_options)
      : record(std::move(its_record)),
        options(its_options),
        embeddings(features_only(std::move(its_embeddings), record)),
        matrix(embeddings),
        items(checked_items(std::move(its_items), embeddings.rows(), record)),
        names(record.names_path, embeddings.cols(), embeddings.feature_names),
        columns(matrix, kFiringThreshold),
        survey(survey_features(matrix, columns, *items, options.threads)),
        similar(matrix, columns),
        active(count_active(matrix)),
        near(nearest(matrix, options)),
        read_out(read_out_of(record, matrix, *items, options.threads)) {
    if (record.monosemanticity.size() != survey.summaries.size()) return;
    for (size_t f = 0; f < survey.summaries.size(); ++f) {
      const double score = record.monosemanticity[f];
      if (std::isfinite(score)) survey.summaries[f].monosemanticity = score;
    }
  }

  void check_feature(int64_t f) const {
    check(f >= 0 && f < matrix.cols(), "[", record.name, "] expected a feature from 0 to ", matrix.cols() - 1, ", got ",
          f);
  }
  void check_item(int64_t i) const {
    check(i >= 0 && i < matrix.rows(), "[", record.name, "] expected an item from 0 to ", matrix.rows() - 1, ", got ",
          i);
  }
  RowEntries foreign(std::span<const float> row) const {
    check(static_cast<int64_t>(row.size()) == matrix.cols(), "[", record.name, "] expected ", matrix.cols(),
          " features, got ", row.size());
    check(std::ranges::all_of(row, [](float x) { return std::isfinite(x); }), "[", record.name,
          "] expected finite features, got others");
    return row_entries(row);
  }

  std::vector<ClassActivation> classes_of(int64_t f) const;
  std::vector<SimilarFeature> similar_to(int64_t f) const;
  bool together() const { return matrix.rows() <= options.together; }
  std::vector<ItemMatch> neighbours_of(int64_t i, const RowEntries& row) const;
};

std::vector<ClassActivation> Catalogue::State::classes_of(int64_t f) const {
  std::vector<double> sums(survey.class_sizes.size());
  columns.visit(f, [&](int64_t item, float x) {
    const int64_t label = items->label(item);
    if (label >= 0 && !sums.empty()) sums[static_cast<size_t>(label)] += x;
  });
  const FeatureSummary& summary = survey.summaries[static_cast<size_t>(f)];
  std::vector<ClassActivation> classes;
  for (size_t c = 0; c < sums.size(); ++c) {
    const auto size = static_cast<double>(survey.class_sizes[c]);
    const int64_t count = survey.class_counts(f, static_cast<int64_t>(c));
    classes.push_back({static_cast<int64_t>(c), count, summary.profile[c],
                       size > 0 ? static_cast<double>(count) / size : 0, size > 0 ? sums[c] / size : 0,
                       survey.negative_counts(f, static_cast<int64_t>(c))});
  }
  return classes;
}

std::vector<SimilarFeature> Catalogue::State::similar_to(int64_t f) const {
  std::vector<SimilarFeature> list;
  if (columns.firing(f) == 0) return list;
  for (int64_t g = 0; g < matrix.cols(); ++g) {
    if (g != f && columns.firing(g) > 0) list.push_back({g, survey.cosines(f, g)});
  }
  std::ranges::stable_sort(list, std::ranges::greater(), &SimilarFeature::cosine);
  list.resize(std::min(list.size(), static_cast<size_t>(kRelated)));
  return list;
}

std::vector<ItemMatch> Catalogue::State::neighbours_of(int64_t i, const RowEntries& row) const {
  if (!together()) return similar.nearest(row, std::min(options.neighbours, matrix.rows() - 1), i);
  std::vector<ItemMatch> all;
  for (const int32_t other : near.indices.row(i)) {
    all.push_back({other, catalogue::explain(row, row_entries(matrix, other)).score});
  }
  keep_best(all, near.k());
  return all;
}

namespace {

ItemProfile profile_of(const RowEntries& row) {
  ItemProfile profile;
  profile.norm = row.norm;
  for (size_t k = 0; k < row.columns.size(); ++k) {
    if (std::abs(row.values[k]) <= kFiringThreshold) continue;
    const double value = row.values[k];
    ++profile.active;
    profile.features.push_back({row.columns[k], row.values[k], value * value / (row.norm * row.norm)});
  }
  std::ranges::stable_sort(profile.features, std::ranges::greater(),
                           [](const ItemFeature& feature) { return std::abs(feature.value); });
  profile.features.resize(std::min(profile.features.size(), static_cast<size_t>(kFeaturesOfItem)));
  return profile;
}

}  // namespace

Catalogue::Catalogue(RunRecord record, Embeddings embeddings, std::shared_ptr<const Items> items,
                     const CatalogueOptions& options)
    : state_(std::make_unique<State>(std::move(record), std::move(embeddings), std::move(items), options)) {}

Catalogue::~Catalogue() = default;

const RunRecord& Catalogue::record() const { return state_->record; }
const Items& Catalogue::items() const { return *state_->items; }
Names& Catalogue::names() const { return state_->names; }
int64_t Catalogue::features() const { return state_->matrix.cols(); }
Features Catalogue::matrix() const { return state_->matrix; }
bool Catalogue::sparse() const { return state_->embeddings.sparse(); }
const std::vector<FeatureSummary>& Catalogue::summaries() const { return state_->survey.summaries; }
const DenseMatrix<int32_t>& Catalogue::neighbours() const {
  check(state_->together(), "[", state_->record.name, "] expected at most ", state_->options.together,
        " items to compare all with all, got ", state_->matrix.rows());
  return state_->near.indices;
}
const classify::ReadOut* Catalogue::read_out() const { return state_->read_out ? &*state_->read_out : nullptr; }
const Histogram& Catalogue::active_histogram() const { return state_->survey.active; }
const Histogram& Catalogue::consistency_histogram() const { return state_->survey.consistency; }
const CorrelationMap& Catalogue::correlation() const { return state_->survey.correlation; }

FeatureProfile Catalogue::feature(int64_t f) const {
  state_->check_feature(f);
  const search::Columns& columns = state_->columns;
  FeatureProfile profile;
  profile.summary = state_->survey.summaries[static_cast<size_t>(f)];
  profile.top = strongest(columns, f, columns.items());
  profile.quantiles = quantile_bands(profile.top);
  keep_first(profile.top, kTop);
  if (profile.summary.negative) {
    profile.negative_top = strongest(columns, f, columns.items(), Side::kNegative);
    profile.negative_quantiles = quantile_bands(profile.negative_top);
    keep_first(profile.negative_top, kTop);
  }
  profile.silent = silent_items(columns, f, kSilent);
  profile.histogram = firing_histogram(columns, f);
  profile.zeros = columns.items() - columns.firing(f);
  profile.classes = state_->classes_of(f);
  profile.similar = state_->similar_to(f);
  profile.cofiring = cofiring_features(columns, f, kRelated);
  profile.anchor_items = anchor_items(columns, state_->active, f, kAnchors);
  return profile;
}

std::vector<float> Catalogue::activations(int64_t f) const {
  state_->check_feature(f);
  std::vector<float> values(static_cast<size_t>(state_->columns.items()));
  state_->columns.visit(f, [&](int64_t item, float x) { values[static_cast<size_t>(item)] = x; });
  return values;
}

ItemProfile Catalogue::item(int64_t i) const {
  state_->check_item(i);
  const RowEntries row = row_entries(state_->matrix, i);
  ItemProfile profile = profile_of(row);
  profile.item = i;
  profile.id = state_->items->ids[static_cast<size_t>(i)];
  if (!state_->items->texts.empty()) profile.texts = state_->items->texts[static_cast<size_t>(i)];
  profile.label = state_->items->label(i);
  profile.neighbours = state_->neighbours_of(i, row);
  if (!state_->items->links.empty()) {
    for (const Linked& other : state_->items->links[static_cast<size_t>(i)]) {
      profile.links.push_back({other.item, catalogue::explain(row, row_entries(state_->matrix, other.item)).score});
    }
    keep_best(profile.links, kMostLinks);
  }
  return profile;
}

ItemPage Catalogue::list(int64_t offset, int64_t limit, std::optional<int64_t> klass) const {
  const Items& items = *state_->items;
  check(offset >= 0 && limit >= 0, "[", state_->record.name, "] expected an offset and a limit from 0 on, got ", offset,
        " and ", limit);
  const auto classes = static_cast<int64_t>(items.classes.size());
  check(!klass || (*klass >= 0 && *klass < classes), "[", state_->record.name, "] expected a class from 0 to ",
        classes - 1, ", got ", klass.value_or(0));
  ItemPage page;
  for (int64_t i = 0; i < items.size(); ++i) {
    if (klass && items.label(i) != *klass) continue;
    if (page.total >= offset && page.total - offset < limit) {
      page.items.push_back(
          {i, items.ids[static_cast<size_t>(i)], items.label(i), state_->active[static_cast<size_t>(i)]});
    }
    ++page.total;
  }
  return page;
}

ItemProfile Catalogue::item_of(std::span<const float> row) const {
  const RowEntries entries = state_->foreign(row);
  ItemProfile profile = profile_of(entries);
  profile.neighbours = state_->similar.nearest(entries, state_->options.neighbours);
  return profile;
}

Explanation Catalogue::explain(int64_t a, int64_t b) const {
  state_->check_item(a);
  state_->check_item(b);
  return catalogue::explain(row_entries(state_->matrix, a), row_entries(state_->matrix, b));
}

Explanation Catalogue::explain(std::span<const float> row, int64_t b) const {
  state_->check_item(b);
  return catalogue::explain(state_->foreign(row), row_entries(state_->matrix, b));
}

std::vector<std::string> Catalogue::map_names() const {
  if (state_->together()) return {"pca", "umap"};
  return {"pca"};
}

const Matrix& Catalogue::map(std::string_view name) const {
  State& state = *state_;
  if (name == "pca") {
    std::call_once(state.pca.once,
                   [&] { state.pca.points = layout::pca_layout(state.matrix, {.threads = state.options.threads}); });
    return state.pca.points;
  }
  check(name == "umap", "[", state.record.name, "] expected the map pca or umap, got ", name);
  check(state.together(), "[", state.record.name, "] expected at most ", state.options.together,
        " items for the map umap, got ", state.matrix.rows(), "; pca has them all");
  std::call_once(state.umap.once, [&] {
    layout::UmapOptions options{.threads = state.options.threads};
    if (state.near.k() >= std::min(options.k, state.matrix.rows() - 1)) options.neighbours = &state.near;
    if (state.options.progress) {
      options.progress = [&](int64_t done, int64_t total) { state.options.progress("umap", done, total); };
    }
    state.umap.points = layout::umap_layout(state.matrix, options);
  });
  return state.umap.points;
}

}  // namespace orthant::catalogue
