#include "orthant/catalogue/open.h"

#include <filesystem>

#include "orthant/adapt/recipe.h"
#include "orthant/catalogue/make_items.h"
#include "orthant/catalogue/measure_input.h"
#include "orthant/catalogue/text.h"
#include "orthant/core/error.h"
#include "orthant/disentangle/monosemanticity.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/labels_file.h"
#include "orthant/io/text_lines.h"
#include "orthant/pairs/open_pairs.h"
#include "orthant/sources/open.h"

namespace orthant::catalogue {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMeasured = 10'000;  // of more items than are compared all with all

// One input before it becomes a catalogue.
struct Opened {
  RunRecord record;
  RunEmbeddings from;
  std::string data;  // that a run was trained on; empty: not known
  std::string with;  // what it was paired with; empty: nothing
};

std::string how(const Embeddings& embeddings, const std::string& key) {
  const auto found = embeddings.how.find(key);
  return found == embeddings.how.end() ? "" : mended_utf8(found->second);
}

Opened open_run(const std::string& path, const OpenOptions& options) {
  Opened opened;
  opened.record = read_run_record(path);
  opened.data = trained_on(RunPaths(path));
  opened.with = trained_with(RunPaths(path));
  // Of an adapted run the rows are its own vectors; data, if it is named, shows what these are of.
  const EmbeddingsKey key = adapt::is_adapted_run(path)
                                ? EmbeddingsKey{.split = "all"}
                                : EmbeddingsKey{.data = options.data, .split = options.split, .size = options.size};
  opened.from = run_embeddings(path, key, options.embed, options.warn);
  return opened;
}

Opened open_file(const std::string& path) {
  Opened opened;
  opened.from.file = path;
  opened.from.embeddings = io::read_embeddings(path);
  opened.record.name = mended_utf8(fs::path(path).stem().string());
  opened.record.path = mended_utf8(path);
  opened.record.method = how(opened.from.embeddings, "method");
  opened.record.names_path = path + ".names.json";
  return opened;
}

ItemData open_content(const std::string& spec, const std::string& with, const OpenOptions& options) {
  DataOptions chosen;
  chosen.split = options.split;
  chosen.size = options.size;
  chosen.threads = options.threads;
  if (with.empty()) return {.data = spec.empty() ? nullptr : open_dataset(spec, chosen)};
  if (!spec.empty()) {
    const PairedData paired = open_pairs(spec, with, chosen);
    return {.data = paired.a, .with = paired.b};
  }
  chosen.split = "all";
  return {.with = open_dataset(with, chosen)};
}

// What was asked for must open; what a recipe names may have moved.
ItemData open_data(const OpenOptions& options, const std::string& trained, const std::string& paired) {
  const bool asked = !options.data.empty();
  if (!options.texts.empty()) {
    ItemData data = open_content(asked ? options.data : trained, texts_spec(options.texts), options);
    check(data.with->info().text, "[", options.texts, "] expected texts, got pictures or vectors");
    return data;
  }
  if (asked) return open_content(options.data, "", options);
  try {
    return open_content(trained, paired, options);
  } catch (const std::exception& error) {
    const std::string reason = error.what();
    if (options.warn)
      options.warn(join(paired.empty() ? "no pictures, as " : "no pictures or texts, as ", trained,
                        " does not open: ", reason.substr(0, reason.find('\n'))));
    return {};
  }
}

io::NamedLabels labels_for(const OpenOptions& options, const NamedEmbeddings& first) {
  if (options.labels.empty()) return {};
  io::NamedLabels given = io::read_labels(options.labels);
  check(std::ssize(given.labels) == first.embeddings->rows(), "[", options.labels,
        "] expected a label for each of the ", first.embeddings->rows(), " rows of ", first.name, ", got ",
        given.labels.size());
  return given;
}

std::vector<std::string> ids_for(const OpenOptions& options, const NamedEmbeddings& first) {
  std::vector<std::string> given = io::read_lines(options.ids);
  check(std::ssize(given) == first.embeddings->rows(), "[", options.ids, "] expected an id for each of the ",
        first.embeddings->rows(), " rows of ", first.name, ", got ", given.size());
  for (std::string& id : given) id = mended_utf8(id);
  return given;
}

std::shared_ptr<const Items> items_of(const OpenOptions& options, const std::vector<Opened>& all) {
  std::vector<NamedEmbeddings> named;
  std::string trained;
  std::string paired;
  for (const Opened& one : all) {
    named.push_back({one.from.file, &one.from.embeddings});
    if (trained.empty()) trained = one.data;
    if (paired.empty()) paired = one.with;
  }
  check_same_items(named);
  const ItemData data = open_data(options, trained, paired);
  Items items = make_items(named, data, labels_for(options, named.front()));
  if (!options.ids.empty()) items.ids = ids_for(options, named.front());
  const Embeddings& first = all.front().from.embeddings;
  items.spec = mended_utf8(!options.data.empty() ? options.data : !trained.empty() ? trained : how(first, "data"));
  items.split = data.data || !trained.empty() ? options.split : how(first, "split");
  return std::make_shared<const Items>(std::move(items));
}

std::string measures_for(const Opened& one, const Items& items, const OpenOptions& options,
                         const Embeddings* reference) {
  measure::EvaluationOptions measuring;
  measuring.threads = options.threads;
  measuring.sepin.seed = options.seed;
  measuring.factors.seed = options.seed;
  measuring.progress = options.progress;
  const bool usual =
      one.from.kept && options.split == "test" && options.size == 0 && options.labels.empty() && reference == nullptr;
  if (one.from.embeddings.rows() > kMostTogether) {
    std::string known = usual ? known_measures(one.record.path, one.from) : "";
    return known.empty() ? sampled_measures(one.from.embeddings, one.from.file, items.labels, kMeasured, measuring,
                                            options.warn, reference)
                         : known;
  }
  return usual ? run_measures(one.record.path, one.from, items.labels, measuring, options.warn)
               : measures_of(one.from.embeddings, one.from.file, items.labels, measuring, options.warn, reference);
}

}  // namespace

std::string texts_spec(const std::string& texts) { return fs::is_regular_file(texts) ? "text:" + texts : texts; }

std::vector<std::unique_ptr<Catalogue>> open_catalogues(const std::vector<std::string>& paths,
                                                        const OpenOptions& options) {
  check(!paths.empty(), "[catalogue] expected a run or a file of embeddings, got none");
  std::vector<Opened> all;
  for (const std::string& path : paths) {
    all.push_back(fs::is_directory(path) ? open_run(RunPaths(path).path(), options) : open_file(path));
  }
  const auto items = items_of(options, all);
  const bool compared = !options.reference.empty();
  const Embeddings reference =
      compared ? read_reference(options.reference, items->size(), paths.front()) : Embeddings{};
  std::vector<std::unique_ptr<Catalogue>> catalogues;
  for (Opened& one : all) {
    one.record.measures = measures_for(one, *items, options, compared ? &reference : nullptr);
    if (compared) {
      one.record.monosemanticity =
          disentangle::monosemanticity(one.from.embeddings, reference, {.threads = options.threads}).scores;
    }
    catalogues.push_back(
        std::make_unique<Catalogue>(std::move(one.record), std::move(one.from.embeddings), items,
                                    CatalogueOptions{.threads = options.threads, .progress = options.progress}));
  }
  return catalogues;
}

std::unique_ptr<Catalogue> open_catalogue(const std::string& path, const OpenOptions& options) {
  return std::move(open_catalogues({path}, options).front());
}

}  // namespace orthant::catalogue
