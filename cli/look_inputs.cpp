#include "cli/look_inputs.h"

#include <fmt/format.h>

#include <filesystem>
#include <mutex>
#include <optional>

#include "cli/interrupt.h"
#include "cli/look_items.h"
#include "cli/look_run.h"
#include "cli/measure_files.h"
#include "cli/progress.h"
#include "orthant/catalogue/text.h"
#include "orthant/core/error.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/sources/open.h"

namespace orthant::cli {
namespace {

namespace fs = std::filesystem;

// One bar after the other. A catalogue keeps it, since maps are drawn later, and by any thread.
class Bars {
 public:
  explicit Bars(bool quiet) : quiet_(quiet) {}

  void tell(const std::string& what, int64_t done, int64_t total) {
    stop_if_interrupted();
    const std::lock_guard lock(mutex_);
    if (what != what_) bar_.reset();
    what_ = what;
    if (total == 0) return;
    if (!bar_) bar_.emplace(what, "steps", total, quiet_);
    bar_->update(done);
    if (done == total) bar_.reset();
  }

 private:
  bool quiet_;
  std::mutex mutex_;
  std::string what_;
  std::optional<Progress> bar_;
};

// One input before it becomes a catalogue.
struct Opened {
  catalogue::RunRecord record;
  RunEmbeddings from;
  std::string data;  // that a run was trained on; empty: not known
};

std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

std::string how(const Embeddings& embeddings, const std::string& key) {
  const auto found = embeddings.how.find(key);
  return found == embeddings.how.end() ? "" : catalogue::mended_utf8(found->second);
}

Opened open_run(const std::string& path, const LookInputs& inputs, const Common& common) {
  Opened opened;
  opened.record = catalogue::read_run_record(path);
  for (const auto& [section, key, value, help] : opened.record.recipe) {
    if (section == "data" && key == "source") opened.data = value;
  }
  opened.from = run_embeddings(path, {inputs.data, inputs.split, inputs.size}, common);
  return opened;
}

Opened open_file(const std::string& path) {
  Opened opened;
  opened.from.file = path;
  opened.from.embeddings = io::read_embeddings(path);
  opened.record.name = catalogue::mended_utf8(fs::path(path).stem().string());
  opened.record.path = catalogue::mended_utf8(path);
  opened.record.method = how(opened.from.embeddings, "method");
  opened.record.names_path = path + ".names.json";
  return opened;
}

// The data set that was asked for must open; that of a recipe may have moved.
DatasetPtr open_data(const LookInputs& inputs, const std::string& spec, const Common& common) {
  DataOptions options;
  options.split = inputs.split;
  options.size = inputs.size;
  options.threads = common.threads;
  if (!inputs.data.empty()) return open_dataset(inputs.data, options);
  if (spec.empty()) return nullptr;
  try {
    return open_dataset(spec, options);
  } catch (const std::exception& error) {
    const std::string reason = error.what();
    fmt::print(stderr, "orthant: no pictures, as {} does not open: {}\n", spec, reason.substr(0, reason.find('\n')));
    return nullptr;
  }
}

NamedLabels labels_for(const LookInputs& inputs, const NamedEmbeddings& first) {
  if (inputs.labels.empty()) return {};
  NamedLabels given = read_named_labels(inputs.labels);
  check(std::ssize(given.labels) == first.embeddings->rows(), "[", inputs.labels, "] expected a label for each of the ",
        first.embeddings->rows(), " rows of ", first.name, ", got ", given.labels.size());
  return given;
}

std::shared_ptr<const catalogue::Items> items_of(const LookInputs& inputs, const std::vector<Opened>& all,
                                                 const Common& common) {
  std::vector<NamedEmbeddings> named;
  std::string trained_on;
  for (const Opened& one : all) {
    named.push_back({one.from.file, &one.from.embeddings});
    if (trained_on.empty()) trained_on = one.data;
  }
  check_same_items(named);
  const DatasetPtr data = open_data(inputs, trained_on, common);
  catalogue::Items items = make_items(named, data, labels_for(inputs, named.front()));
  const Embeddings& first = all.front().from.embeddings;
  items.spec = !inputs.data.empty() ? inputs.data : !trained_on.empty() ? trained_on : how(first, "data");
  items.spec = catalogue::mended_utf8(items.spec);
  items.split = data || !trained_on.empty() ? inputs.split : how(first, "split");
  return std::make_shared<const catalogue::Items>(std::move(items));
}

}  // namespace

void add_look_inputs(App& command, LookInputs& inputs) {
  command.add_option("inputs", inputs.inputs, "Runs, or embeddings (.safetensors, .npy, .npz) of the same items")
      ->type_name("RUN|FILE")
      ->required();
  command
      .add_option("--labels", inputs.labels, "Classes: integer .npy, or text with one per line (default: the file's)")
      ->type_name("FILE");
  command.add_option("--data", inputs.data,
                     "Data set of the pictures, KIND[:PATH]; default: what a run was trained on, none for a file");
  command.add_option("--split", inputs.split, "train, test or all")
      ->check(one_of({"train", "test", "all"}))
      ->capture_default_str();
  command.add_option("--size", inputs.size, "Items of the data set; 0: all")
      ->check(between(0, INT64_MAX))
      ->type_name("N");
}

std::vector<std::unique_ptr<catalogue::Catalogue>> open_catalogues(const LookInputs& inputs, const Common& common) {
  std::vector<Opened> all;
  for (const std::string& path : inputs.inputs) {
    all.push_back(fs::is_directory(path) ? open_run(without_slashes(path), inputs, common) : open_file(path));
  }
  const auto items = items_of(inputs, all, common);
  const auto bars = std::make_shared<Bars>(common.quiet);
  const auto progress = [bars](const std::string& what, int64_t done, int64_t total) { bars->tell(what, done, total); };
  std::vector<std::unique_ptr<catalogue::Catalogue>> catalogues;
  for (Opened& one : all) {
    const bool usual = one.from.kept && inputs.split == "test" && inputs.size == 0 && inputs.labels.empty();
    one.record.measures = usual ? run_measures(one.record.path, one.from, items->labels, common, progress)
                                : measures_of(one.from.embeddings, one.from.file, items->labels, common, progress);
    catalogues.push_back(std::make_unique<catalogue::Catalogue>(
        std::move(one.record), std::move(one.from.embeddings), items,
        catalogue::CatalogueOptions{.threads = common.threads, .progress = progress}));
  }
  return catalogues;
}

}  // namespace orthant::cli
