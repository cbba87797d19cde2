#include "orthant/sources/open.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <numeric>
#include <string_view>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/core/nearest.h"
#include "orthant/data/concatenation.h"
#include "orthant/data/corrupted.h"
#include "orthant/data/selection.h"
#include "orthant/data/split.h"
#include "orthant/data/subset.h"
#include "orthant/folders/place.h"
#include "orthant/graph/graph_source.h"
#include "orthant/graph/partition.h"
#include "orthant/pack/pack_dataset.h"
#include "orthant/sounds/sound_folder.h"
#include "orthant/sounds/spoken.h"
#include "orthant/sources/cifar.h"
#include "orthant/sources/dsprites.h"
#include "orthant/sources/fashion.h"
#include "orthant/sources/folder.h"
#include "orthant/sources/idx.h"
#include "orthant/sources/npy_dataset.h"
#include "orthant/sources/sprites.h"
#include "orthant/texts/captions.h"
#include "orthant/texts/text_source.h"
#include "orthant/texts/topics.h"

namespace orthant {
namespace {

enum class PathRule { kNone, kOptional, kRequired };

struct Opener {
  DatasetKind kind;
  PathRule path;
  std::function<DatasetPtr(const std::string& path, const DataOptions& options)> open;
};

// "FILE,REST" at the last comma, unless a file of the whole name exists.
std::pair<std::string, std::string> split_at_comma(const std::string& path) {
  const size_t comma = path.rfind(',');
  if (comma == std::string::npos || is_there(path)) return {path, ""};
  return {path.substr(0, comma), path.substr(comma + 1)};
}

DatasetPtr open_folder_kind(const std::string& path, const DataOptions& options) {
  const FolderName name = parse_folder_name(path, "folder");
  return open_folder(name.folder, {.split = options.split,
                                   .labels = name.labels,
                                   .strict = options.strict,
                                   .memory = cache_folder(),
                                   .threads = options.threads});
}

DatasetPtr open_audio_kind(const std::string& path, const DataOptions& options) {
  const FolderName name = parse_folder_name(path, "audio");
  return open_sound_folder(name.folder, {.split = options.split,
                                         .labels = name.labels,
                                         .strict = options.strict,
                                         .memory = cache_folder(),
                                         .threads = options.threads});
}

DatasetPtr open_spoken_kind(const std::string&, const DataOptions& options) {
  return open_spoken({.split = options.split, .folder = spoken_folder(), .threads = options.threads});
}

using MakeSplit = std::function<DatasetPtr(const std::string& split, int64_t size)>;

// What is generated has splits of any size.
DatasetPtr open_generated(const std::string& name, const DataOptions& options, const MakeSplit& make) {
  if (options.split != "all") return make(options.split, options.size);
  check(options.size == 0, "[", name, "] expected the split train or test with a size, got all");
  return concatenate({make("train", 0), make("test", 0)});
}

DatasetPtr open_sprites(const std::string&, const DataOptions& options) {
  return open_generated("sprites", options, [&options](const std::string& split, int64_t size) {
    return make_sprites({.size = size, .split = split, .seed = options.seed});
  });
}

DatasetPtr open_captions(const std::string&, const DataOptions& options) {
  return open_generated("captions", options, [&options](const std::string& split, int64_t size) {
    return make_captions(make_sprites({.size = size, .split = split, .seed = options.seed}), options.seed);
  });
}

DatasetPtr open_topics(const std::string&, const DataOptions& options) {
  return open_generated("topics", options, [&options](const std::string& split, int64_t size) {
    return make_topics({.size = size, .split = split, .seed = options.seed});
  });
}

DatasetPtr open_text_kind(const std::string& path, const DataOptions& options) {
  TextSource source = parse_text_source(path);
  source.labels = expand_home(source.labels);
  source.ids = expand_home(source.ids);
  return open_texts(source, options.split);
}

DatasetPtr open_edges_kind(const std::string& path, const DataOptions& options) {
  GraphSource source = parse_graph_source(path);
  source.features = expand_home(source.features);
  source.labels = expand_home(source.labels);
  return open_graph(source, options.split);
}

// "partition[:NODES]": a size is that of a random subset, as of any graph.
DatasetPtr open_partition_kind(const std::string& path, const DataOptions& options) {
  PartitionOptions partition;
  partition.seed = options.seed;
  if (!path.empty()) {
    const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), partition.nodes);
    check(error == std::errc() && end == path.data() + path.size() && partition.nodes <= 10'000'000,
          "[partition] expected partition:NODES with at most 10,000,000 nodes, got ", path);
  }
  return make_partition(partition, options.split);
}

DatasetPtr open_dsprites_kind(const std::string& path, const DataOptions& options) {
  return path.empty() ? make_dsprites(options.split) : open_dsprites(path, options.split);
}

DatasetPtr open_cifar100_kind(const std::string& path, const DataOptions& options) {
  const auto [folder, labels] = split_at_comma(path);
  check(labels.empty() || labels == "coarse", "[cifar100] expected DIR or DIR,coarse, got ", path);
  return open_cifar100(folder, options.split, {.coarse = labels == "coarse"});
}

DatasetPtr open_npy_kind(const std::string& path, const DataOptions& options) {
  const auto [file, labels] = split_at_comma(path);
  return open_npy(file, expand_home(labels), options.split);
}

const std::vector<Opener>& openers() {
  static const std::vector<Opener> all = {
      {{"sprites", "sprites", "Built in: 16 figures in colour, 32x32, nine known factors; no files",
        "train and test, of any size"},
       PathRule::kNone,
       open_sprites},
      {{"captions", "captions", "Built in: three to five captions of each of sprites; no files",
        "train and test, of any size"},
       PathRule::kNone,
       open_captions},
      {{"topics", "topics", "Built in: short documents about one of 12 planted topics; no files",
        "train and test, of any size"},
       PathRule::kNone,
       open_topics},
      {{"spoken", "spoken", "Built in: 20 words said by 20 voices at 3 speeds and pitches, made once by espeak-ng",
        "16 voices for train, 2,880 sounds; 4 others for test, 720"},
       PathRule::kNone,
       open_spoken_kind},
      {{"fashion", "fashion", "Fashion-MNIST from Debian's package dataset-fashion-mnist: 10 classes, 28x28 grey",
        "published: train 60,000, test 10,000"},
       PathRule::kNone,
       [](const std::string&, const DataOptions& options) { return open_fashion(options.split); }},
      {{"dsprites", "dsprites[:FILE.npz]",
        "dSprites: 737,280 binary pictures of 3 shapes, 64x64, five known factors; rendered, or the original file",
        "90/10 of each class"},
       PathRule::kOptional,
       open_dsprites_kind},
      {{"cifar10", "cifar10:DIR", "CIFAR-10, official binary version: 10 classes, 32x32 RGB",
        "published: train 50,000, test 10,000"},
       PathRule::kRequired,
       [](const std::string& path, const DataOptions& options) { return open_cifar10(path, options.split); }},
      {{"cifar100", "cifar100:DIR[,coarse]",
        "CIFAR-100, official binary version: 100 classes or 20 coarse ones, 32x32 RGB",
        "published: train 50,000, test 10,000"},
       PathRule::kRequired,
       open_cifar100_kind},
      {{"idx", "idx:DIR", "The MNIST family in IDX files, also gzipped", "published: train-* and t10k-*"},
       PathRule::kRequired,
       [](const std::string& path, const DataOptions& options) { return open_idx(path, options.split); }},
      {{"folder", "folder:DIR[,labels=FILE]",
        "JPEG, PNG, WebP, BMP and PPM pictures of any size; folders are classes, or a CSV file says",
        "the folders or lists train and test (or val) if there are, else 90/10 of each class"},
       PathRule::kRequired,
       open_folder_kind},
      {{"audio", "audio:DIR[,labels=FILE]",
        "WAV, FLAC, OGG, MP3 and AIFF sounds of any length; folders are classes, or a CSV file says",
        "the folders or lists train and test (or val) if there are, else 90/10 of each class"},
       PathRule::kRequired,
       open_audio_kind},
      {{"pack", "pack:FILE",
        "The pictures of a folder in one file, fast to open and to read in any order; see data pack",
        "those of the folder"},
       PathRule::kRequired,
       [](const std::string& path, const DataOptions& options) {
         return open_pack(path, {.split = options.split, .strict = options.strict});
       }},
      {{"npy", "npy:FILE[,LABELS]", "NumPy arrays: uint8 images, or float vectors", "90/10 of each class"},
       PathRule::kRequired,
       open_npy_kind},
      {{"partition", "partition[:NODES]",
        "Built in: a graph of 10 planted groups, 20 edges a node, with noisy features of the nodes; no files",
        "90/10 of each group; all is learned from"},
       PathRule::kOptional,
       open_partition_kind},
      {{"edges", "edges:FILE[,FEATURES][,LABELS]",
        "A graph: an edge in each line (node node [weight]); features and labels of its nodes",
        "the labels' column of splits if there is one, else 90/10 of each class; all is learned from"},
       PathRule::kRequired,
       open_edges_kind},
      {{"text", "text:FILE[,...]",
        "Texts: one in each line (FILE[,LABELS]), or a column of a table with tabs (FILE,column=NAME,label=NAME,...)",
        "the table's column of splits if it has one, else 90/10 of each class"},
       PathRule::kRequired,
       open_text_kind},
  };
  return all;
}

// What a file or folder may be, by its name.
std::string kind_of_file(const std::string& path) {
  const auto ends = [&path](std::initializer_list<const char*> endings) {
    return std::ranges::any_of(endings, [&path](const char* ending) { return path.ends_with(ending); });
  };
  if (ends({".npy", ".npz"})) return "npy:";
  if (ends({".pack"})) return "pack:";
  if (ends({".wav", ".flac", ".ogg", ".opus", ".mp3", ".aiff"})) return "audio:";
  return ends({".txt", ".tsv", ".txt.gz", ".tsv.gz"}) ? "text:" : "folder:";
}

// What a person may have meant by a data set that is not known.
std::string advice(const std::string& kind, const std::string& spec) {
  if (spec.starts_with('/') || spec.starts_with('.') || spec.starts_with('~') || is_there(spec)) {
    return "; did you mean " + kind_of_file(spec) + spec + "?";
  }
  std::vector<std::string> names;
  for (const Opener& opener : openers()) names.push_back(opener.kind.name);
  const std::string* meant = nearest(kind, names);
  return meant ? "; did you mean " + *meant + spec.substr(kind.size()) + "?" : "";
}

const Opener& find_opener(const std::string& kind, const std::string& spec) {
  std::string known;
  for (const Opener& opener : openers()) {
    if (opener.kind.name == kind) return opener;
    known += (known.empty() ? "" : ", ") + opener.kind.usage;
  }
  fail("[data] expected one of ", known, ", got ", spec.empty() ? "nothing" : spec, advice(kind, spec));
}

std::string absolute_path(const std::string& given) {
  const std::string path = expand_home(given);
  if (path.empty() || path.starts_with('/')) return path;
  return (std::filesystem::current_path() / path).lexically_normal().string();
}

std::string absolute_folder(const std::string& path) {
  const size_t at = labels_at(path);
  const std::string place = absolute_path(path.substr(0, at));
  if (at == std::string::npos) return place;
  const std::string labels = expand_home(path.substr(at + kFolderLabels.size()));
  return place + std::string(kFolderLabels) + (is_there(labels) ? absolute_path(labels) : labels);
}

std::string absolute_edges(const std::string& path) {
  GraphSource source = parse_graph_source(path);
  source.file = absolute_path(source.file);
  source.features = absolute_path(source.features);
  source.labels = absolute_path(source.labels);
  return to_string(source);
}

std::string absolute_text(const std::string& path) {
  TextSource source = parse_text_source(path);
  source.file = absolute_path(source.file);
  source.labels = absolute_path(source.labels);
  source.ids = absolute_path(source.ids);
  return to_string(source);
}

DatasetPtr all_of_fewer(DatasetPtr dataset, int64_t asked_for) {
  DatasetInfo info = dataset->info();
  info.asked_for = asked_for;
  std::vector<int64_t> items(static_cast<size_t>(dataset->size()));
  std::iota(items.begin(), items.end(), int64_t{0});
  return std::make_shared<Selection>(std::move(dataset), std::move(items), std::move(info));
}

}  // namespace

std::string spoken_folder() {
  const std::string cache = cache_folder();
  return cache.empty() ? "" : cache + "/data/spoken-1";
}

const std::vector<DatasetKind>& dataset_kinds() {
  static const std::vector<DatasetKind> kinds = [] {
    std::vector<DatasetKind> all;
    for (const Opener& opener : openers()) all.push_back(opener.kind);
    return all;
  }();
  return kinds;
}

DatasetPtr open_dataset(const std::string& spec, const DataOptions& options) {
  const size_t colon = spec.find(':');
  const std::string path = colon == std::string::npos ? "" : expand_home(spec.substr(colon + 1));
  const Opener& opener = find_opener(spec.substr(0, colon), spec);
  const std::string& name = opener.kind.name;
  check(opener.path != PathRule::kRequired || !path.empty(), "[", name, "] expected ", opener.kind.usage, ", got ",
        spec);
  check(opener.path != PathRule::kNone || colon == std::string::npos, "[", name, "] expected ", opener.kind.usage,
        " without a path, got ", spec);
  check_split(options.split, name);
  check(options.size >= 0, "[", name, "] expected a size of 0 (all) or more, got ", options.size);

  DatasetPtr dataset = opener.open(path, options);
  // Before the subset, so that an item is the same picture in any subset.
  if (!options.corrupt.empty()) dataset = corrupted(std::move(dataset), corrupt::parse(options.corrupt), options.seed);
  if (options.size == 0 || options.size == dataset->size()) return dataset;
  if (options.size < dataset->size()) return subset(std::move(dataset), options.size, options.seed);
  return all_of_fewer(std::move(dataset), options.size);
}

bool is_graph(const std::string& spec) {
  const std::string kind = spec.substr(0, spec.find(':'));
  return kind == "edges" || kind == "partition";
}

std::string unseen_split(const std::string& spec, const std::string& trained_on, const DataOptions& options) {
  if (is_graph(spec)) return "all";
  if (absolute_spec(spec) == absolute_spec(trained_on)) return "test";
  return open_dataset(spec, {.split = "all", .strict = options.strict, .threads = options.threads})
                 ->info()
                 .split_made_here
             ? "all"
             : "test";
}

std::string absolute_spec(const std::string& spec) {
  const size_t colon = spec.find(':');
  const std::string kind = spec.substr(0, colon);
  const auto opener = std::ranges::find(openers(), kind, [](const Opener& each) { return each.kind.name; });
  const bool has_path = colon != std::string::npos && colon + 1 < spec.size();
  if (!has_path || opener == openers().end() || opener->path == PathRule::kNone) return spec;
  const std::string path = expand_home(spec.substr(colon + 1));
  if (kind == "folder" || kind == "audio") return kind + ":" + absolute_folder(path);
  if (kind == "text") return kind + ":" + absolute_text(path);
  if (kind == "edges") return kind + ":" + absolute_edges(path);
  if (kind == "partition") return spec;
  if (kind != "npy" && kind != "cifar100") return kind + ":" + absolute_path(path);
  const auto [file, rest] = split_at_comma(path);
  const std::string more = kind == "npy" ? absolute_path(rest) : rest;
  return kind + ":" + absolute_path(file) + (more.empty() ? "" : "," + more);
}

}  // namespace orthant
