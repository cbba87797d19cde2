#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "orthant/core/fields.h"
#include "orthant/data/dataset.h"
#include "orthant/views/options.h"

namespace orthant {

struct LoaderOptions {
  int64_t batch = 256;                     // items per batch
  int64_t views = 2;                       // views of each item
  int64_t first_view = 0;                  // their numbers begin here: loaders that differ in it make other views
  int64_t prefetch = 3;                    // batches that are ready or in the making while one is in use
  bool shuffle = true;                     // a new order every epoch
  bool drop_last = true;                   // leave out the last batch if it is not full
  int64_t cache_bytes = int64_t{1} << 30;  // for decoded pictures
  // Views of vectors, which have no pictures to crop: Gaussian noise on every element, this many times as strong as the
  // element deviates over the data (see vector_statistics()), and every element dropped with this probability: set to
  // its mean over the data.
  double vector_noise = 0.0;
  double vector_dropout = 0.0;
  int64_t seed = 1;
  int64_t threads = 0;  // workers; 0: as many as the machine offers
  // Which part of every batch is made here; see share_of(). All parts together are the batches that one loader makes.
  int64_t part = 0;
  int64_t parts = 1;

  void validate() const;  // std::invalid_argument that names the first setting outside its range
};

// Lists every setting but seed and threads, which every command has anyway, and the part; see orthant/core/fields.h.
template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, LoaderOptions>
void for_each_field(Options& o, Visitor&& visit) {
  visit(Field{"batch", "Items per batch", {.min = 1, .max = 1 << 24}}, o.batch);
  visit(Field{"views", "Views of each item", {.min = 1, .max = 64}}, o.views);
  visit(Field{"first_view", "Number of the first view", {.min = 0, .max = 1024}}, o.first_view);
  visit(Field{"prefetch", "Batches made ahead", {.min = 1, .max = 64}}, o.prefetch);
  visit(Field{"shuffle", "A new order every epoch"}, o.shuffle);
  visit(Field{"drop_last", "Leave out a last batch that is not full"}, o.drop_last);
  visit(Field{"cache_bytes", "Memory for decoded pictures", {.min = 0}}, o.cache_bytes);
  visit(Field{"vector_noise", "Noise on vectors, in deviations of the data", {.min = 0}}, o.vector_noise);
  visit(Field{"vector_dropout", "Share of a vector's elements that are dropped", {.min = 0, .max = 0.999}},
        o.vector_dropout);
}

// A batch of views, owned by the loader.
struct Batch {
  int64_t number = 0;  // in its epoch, from 0
  int64_t views = 0;
  int64_t items = 0;
  int64_t all_items = 0;  // of all parts together
  // Of one view: pictures are [channels, height, width], vectors [channels = dims, 1, 1].
  int64_t channels = 0;
  int64_t height = 0;
  int64_t width = 0;
  // [views, items, channels, height, width]: first the first views of all items, then the second, ... On a 64-byte
  // boundary. Mutable, so that a tensor can borrow it; the loader does not read it again.
  std::span<float> values;
  std::vector<int64_t> indices;  // of the items in the data set
  std::vector<int64_t> labels;   // -1: unknown
};

// Makes batches of random views ahead of their use, on threads of its own.
//
// What a batch holds depends on the data set, the options but for threads, prefetch and cache_bytes, the epoch and the
// batch's number, and on nothing else: an epoch that is resumed in the middle goes on with the same bytes. The order
// of an epoch is epoch_order() of (seed, epoch), a view a function of (seed, epoch, item, view).
//
// One thread uses a loader. It may be destroyed, or a new epoch started, at any time.
class Loader {
 public:
  // Throws std::invalid_argument if an option is not valid or there is not a single batch. `views` is not used for a
  // data set of vectors.
  Loader(DatasetPtr dataset, ViewOptions views, LoaderOptions options = {});
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  // Batches in an epoch.
  int64_t batches() const;

  // Begins an epoch with its batch `first_batch`; what is left of another is abandoned. std::invalid_argument if
  // either is out of range.
  void start_epoch(int64_t epoch, int64_t first_batch = 0);

  // The next batch of the epoch, or null when there is none left. It is valid until the next call of next() or
  // start_epoch(). What a worker threw is rethrown here, at the batch it belongs to, as an exception of the same kind
  // (IoError, std::invalid_argument or else std::runtime_error) that names the item; the epoch is over then.
  const Batch* next();

  // Of the time since start_epoch(), the share that next() spent waiting: 0 for a trainer that is always fed.
  double wait_share() const;
  // Views handed out per second since start_epoch().
  double views_per_second() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orthant
