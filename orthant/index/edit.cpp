#include "orthant/index/edit.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "orthant/core/error.h"
#include "orthant/index/edit_lock.h"
#include "orthant/index/recall.h"
#include "orthant/index/segment_writer.h"

namespace orthant::index {
namespace {

std::vector<std::string> ids_of(const Embeddings& embeddings, int64_t& next_number) {
  if (!embeddings.ids.empty()) return embeddings.ids;
  std::vector<std::string> ids;
  for (int64_t i = 0; i < embeddings.rows(); ++i) ids.push_back(std::to_string(next_number++));
  return ids;
}

// The labels of the embeddings by the classes of the directory, which gains those it did not have.
std::vector<int64_t> labels_of(const Embeddings& embeddings, Directory& directory) {
  if (embeddings.labels.empty()) return {};
  const query::Vocabulary words = query::vocabulary_of(embeddings);
  std::vector<int64_t> mapped;
  for (const std::string& name : words.class_names) {
    auto found = std::ranges::find(directory.class_names, name);
    mapped.push_back(found - directory.class_names.begin());
    if (found == directory.class_names.end()) directory.class_names.push_back(name);
  }
  std::vector<int64_t> labels;
  for (const int64_t label : embeddings.labels) labels.push_back(label < 0 ? -1 : mapped[static_cast<size_t>(label)]);
  return labels;
}

void write_new_segment(io::AtomicFile& file, Directory& directory, const Embeddings& embeddings,
                       const std::string& name, int threads, const Progress& progress) {
  const std::vector<std::string> ids = ids_of(embeddings, directory.next_number);
  const std::vector<int64_t> labels = labels_of(embeddings, directory);
  const SegmentSource source{Features(embeddings), ids, labels, name};
  directory.segments.push_back(write_segment(file, directory, source, threads, progress));
}

// The directory behind everything, once recall has been measured on what was written.
void finish(io::AtomicFile& file, Directory directory, int threads, const Progress& progress) {
  if (progress) progress("measure", 0, 1);
  directory.curve = measure_recall(Index(file.mapped(), directory, file.path()), threads);
  if (progress) progress("measure", 1, 1);
  const std::string text = directory_text(directory);
  const Section place = write_section(file, std::as_bytes(std::span(text)));
  const std::string header = header_text(file.size(), place);
  file.write_at(0, std::as_bytes(std::span(header)));
  file.commit();
}

// All sections of the old file, where they were.
void copy_sections(io::AtomicFile& file, const std::string& path) {
  const auto old = io::MappedFile::open(path);
  const Directory directory = parse_directory(old->bytes(), path);
  int64_t end = kHeaderBytes;
  const auto reach = [&](const Section& section) { end = std::max(end, section.begin + section.bytes); };
  for (const SegmentEntry& segment : directory.segments) {
    for (const Section* section : {&segment.tops, &segment.steps, &segment.bounds, &segment.positions, &segment.labels,
                                   &segment.id_ends, &segment.id_bytes, &segment.gone}) {
      reach(*section);
    }
    for (const WindowEntry& window : segment.windows) {
      reach(window.lists);
      reach(window.rows);
    }
  }
  file.write(old->bytes().first(static_cast<size_t>(end)));
}

// Marks the items of these ids in the segments of the directory; the number of each id that was there.
std::unordered_map<std::string_view, int64_t> mark_removed(io::AtomicFile& file, Directory& directory,
                                                           const Index& index, std::span<const std::string> ids) {
  std::unordered_map<std::string_view, int64_t> found;
  for (const std::string& id : ids) found[id] = 0;
  for (size_t s = 0; s < index.segments().size(); ++s) {
    const Segment& segment = index.segments()[s];
    std::vector<uint64_t> gone(segment.gone().begin(), segment.gone().end());
    gone.resize(static_cast<size_t>((segment.items() + 63) / 64));
    int64_t marked = 0;
    for (int64_t i = 0; i < segment.items(); ++i) {
      const auto one = found.find(segment.id(i));
      if (one == found.end()) continue;
      const int64_t position = segment.position(i);
      uint64_t& word = gone[static_cast<size_t>(position / 64)];
      const uint64_t bit = uint64_t{1} << (position % 64);
      if ((word & bit) != 0) continue;
      word |= bit;
      ++one->second;
      ++marked;
    }
    if (marked == 0) continue;
    directory.segments[s].removed += marked;
    directory.segments[s].gone = write_section(file, std::as_bytes(std::span(gone)));
  }
  return found;
}

}  // namespace

void build_index(const std::string& path, const Embeddings& embeddings, const std::string& name,
                 const BuildOptions& options) {
  embeddings.validate();
  check(embeddings.rows() > 0 && embeddings.cols() > 0 && embeddings.cols() <= kMaxFeatures, "[", name,
        "] expected items with 1 to ", kMaxFeatures, " features to index, got ", embeddings.rows(), " x ",
        embeddings.cols());
  Directory directory;
  directory.metric = options.metric;
  directory.values = options.values;
  directory.features = embeddings.cols();
  directory.class_names = embeddings.class_names;
  directory.feature_names = embeddings.feature_names;
  directory.how = embeddings.how;
  std::optional<EditLock> lock;
  if (std::filesystem::exists(path)) lock.emplace(path, options.waiting);
  io::AtomicFile file(path);
  file.write(std::string(kHeaderBytes, '\0'));
  write_new_segment(file, directory, embeddings, name, options.threads, options.progress);
  check_io(lock || !std::filesystem::exists(path), "[", path,
           "] expected to write a new file, got one that another program has written meanwhile");
  finish(file, std::move(directory), options.threads, options.progress);
}

void add_to_index(const std::string& path, const Embeddings& embeddings, const std::string& name,
                  const EditOptions& options) {
  embeddings.validate();
  const EditLock lock(path, options.waiting);
  const Index index = Index::open(path);
  Directory directory = index.directory();
  check(embeddings.cols() == directory.features, "[", name, "] expected ", directory.features, " features, as in ",
        path, ", got ", embeddings.cols());
  check(embeddings.feature_names.empty() || directory.feature_names.empty() ||
            embeddings.feature_names == directory.feature_names,
        "[", name, "] expected features with the names they have in ", path, ", got others");
  check(embeddings.rows() > 0, "[", name, "] expected items to add, got none");
  const auto held =
      std::ranges::find_if(embeddings.ids, [&, seen = std::unordered_set<std::string_view>()](
                                               const std::string& id) mutable { return !seen.insert(id).second; });
  check(held == embeddings.ids.end(), "[", name, "] expected each id once among the items to add, got '",
        held == embeddings.ids.end() ? "" : *held, "' again");
  io::AtomicFile file(path);
  copy_sections(file, path);
  const std::vector<std::string> ids = ids_of(embeddings, directory.next_number);
  const auto removed = mark_removed(file, directory, index, ids);
  if (!options.replace) {
    const auto there = std::ranges::find_if(ids, [&](const std::string& id) { return removed.at(id) > 0; });
    check(there == ids.end(), "[", name, "] expected new ids, got '", there == ids.end() ? "" : *there,
          "', which is in ", path, " already");
  }
  const std::vector<int64_t> labels = labels_of(embeddings, directory);
  const SegmentSource source{Features(embeddings), ids, labels, name};
  directory.segments.push_back(write_segment(file, directory, source, options.threads, options.progress));
  if (directory.feature_names.empty()) directory.feature_names = embeddings.feature_names;
  finish(file, std::move(directory), options.threads, options.progress);
}

int64_t remove_from_index(const std::string& path, std::span<const std::string> ids, const EditOptions& options) {
  const EditLock lock(path, options.waiting);
  const Index index = Index::open(path);
  Directory directory = index.directory();
  io::AtomicFile file(path);
  copy_sections(file, path);
  const auto removed = mark_removed(file, directory, index, ids);
  int64_t count = 0;
  for (const std::string& id : ids) {
    check(removed.at(id) > 0, "[", path, "] expected ids of items to remove, got '", id, "', which is not there");
  }
  for (const auto& [id, many] : removed) count += many;
  finish(file, std::move(directory), options.threads, options.progress);
  return count;
}

Embeddings embeddings_of(const Index& index) {
  Embeddings all;
  const Directory& directory = index.directory();
  all.class_names = directory.class_names;
  all.feature_names = directory.feature_names;
  all.how = directory.how;
  std::vector<int64_t> starts = {0};
  std::vector<int32_t> columns;
  std::vector<float> values;
  for (const Segment& segment : index.segments()) {
    for (int64_t i = 0; i < segment.items(); ++i) {
      const int64_t position = segment.position(i);
      if (segment.removed(position)) continue;
      segment.visit_row(position, [&](int64_t column, float x) {
        columns.push_back(static_cast<int32_t>(column));
        values.push_back(x);
      });
      starts.push_back(std::ssize(columns));
      all.ids.emplace_back(segment.id(i));
      all.labels.push_back(segment.label(i));
    }
  }
  const auto rows = std::ssize(starts) - 1;
  all.features = SparseMatrix(rows, directory.features, std::move(starts), std::move(columns), std::move(values));
  if (std::ranges::all_of(all.labels, [](int64_t label) { return label < 0; })) all.labels.clear();
  return all;
}

void merge_index(const std::string& path, const EditOptions& options) {
  const EditLock lock(path, options.waiting);
  const Index index = Index::open(path);
  index.verify(options.threads);
  const Embeddings all = embeddings_of(index);
  check(all.rows() > 0, "[", path, "] expected items that are left to merge, got none");
  Directory directory = index.directory();
  directory.segments.clear();
  io::AtomicFile file(path);
  file.write(std::string(kHeaderBytes, '\0'));
  write_new_segment(file, directory, all, path, options.threads, options.progress);
  finish(file, std::move(directory), options.threads, options.progress);
}

}  // namespace orthant::index
