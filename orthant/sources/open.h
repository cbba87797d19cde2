#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/data/dataset.h"

namespace orthant {

struct DataOptions {
  std::string split = "train";  // train, test or all
  // 0: all. For sprites, how many to paint; for others, a random subset of that many, or all where there are fewer,
  // which info().asked_for tells.
  int64_t size = 0;
  uint64_t seed = 0;    // of the pictures of sprites, and of the random subset; never of a split
  bool strict = false;  // for folder: refuse it if a file in it cannot be read
  int threads = 0;      // for examining the files of a folder; 0: as many as the machine offers
  std::string corrupt =
      {};  // NAME[:SEVERITY] of orthant/corrupt/corrupt.h, with `seed`; empty: the pictures as they are
};

// A kind of data set, for a listing.
struct DatasetKind {
  std::string name;         // "cifar10"
  std::string usage;        // "cifar10:DIR"
  std::string description;  // one line, no full stop
  std::string splits;       // where its splits come from, one line
};

// All kinds, in the order in which to show them.
const std::vector<DatasetKind>& dataset_kinds();

// Opens the data set that a user calls KIND[:PATH]; docs/data.md explains each. A ~ at the front of a path is the home
// folder. What was examined of large folders of pictures is remembered in cache_folder(). std::invalid_argument if
// there is no such kind, its path is missing or superfluous, or an option does not fit it; IoError for what is wrong
// with files.
DatasetPtr open_dataset(const std::string& spec, const DataOptions& options = {});

// Where the words of `spoken` are kept once they were said; empty: nowhere, since there is no cache_folder().
std::string spoken_folder();

// Whether the name is that of a graph, which is learned from as a whole.
bool is_graph(const std::string& spec);

// The split of a data set to test a model on that was trained on `trained_on` (empty: not known): "test", but "all" of
// other data that came without a split, since the model has seen none of them, and "all" of a graph, which is learned
// from as a whole. Throws as open_dataset().
std::string unseen_split(const std::string& spec, const std::string& trained_on, const DataOptions& options = {});

// The same data set by a name that holds in every working folder: its paths made absolute. What is no data set stays.
std::string absolute_spec(const std::string& spec);

}  // namespace orthant
