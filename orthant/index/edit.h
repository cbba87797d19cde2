#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "orthant/core/embeddings.h"
#include "orthant/index/callbacks.h"
#include "orthant/index/index.h"

// Making and changing index files. Each writes a new file beside the old one and puts it in place all at once: whatever
// happens in between, the old one is there as it was, and whoever has it open keeps it. One process changes an index at
// a time, the others wait. Recall is measured anew each time. `progress` and `waiting` may be null.
namespace orthant::index {

struct BuildOptions {
  Metric metric = Metric::cosine;
  Values values = Values::f32;
  int threads = 0;
  Progress progress = nullptr;
  Waiting waiting = nullptr;
};

// An index of embeddings. Items without ids are called by their number. std::invalid_argument for features that are
// negative, not finite or too large, or none at all; `name` is what they are called then.
void build_index(const std::string& path, const Embeddings& embeddings, const std::string& name,
                 const BuildOptions& options = {});

struct EditOptions {
  bool replace = false;  // add: items whose ids are there already take their place; otherwise they are refused
  int threads = 0;
  Progress progress = nullptr;
  Waiting waiting = nullptr;
};

// Adds items as a segment of their own. Classes are matched by name, new ones come behind those there are. IoError if
// the index is damaged, std::invalid_argument if the embeddings do not fit it: another number of features, other names.
void add_to_index(const std::string& path, const Embeddings& embeddings, const std::string& name,
                  const EditOptions& options = {});

// Marks the items with these ids as removed; returns how many there were. std::invalid_argument that names the first id
// that is not there.
int64_t remove_from_index(const std::string& path, std::span<const std::string> ids, const EditOptions& options = {});

// Writes all items that are there as one segment. The result is the same as building it from them at once.
void merge_index(const std::string& path, const EditOptions& options = {});

// Everything an index holds of its items, in their order.
Embeddings embeddings_of(const Index& index);

}  // namespace orthant::index
