#include "orthant/data/loader.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <utility>

#include "orthant/core/checked.h"
#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/core/share.h"
#include "orthant/core/threads.h"
#include "orthant/data/image_cache.h"
#include "orthant/data/order.h"
#include "orthant/data/vector_statistics.h"
#include "orthant/views/view.h"

namespace orthant {
namespace {

using Clock = std::chrono::steady_clock;

// Items that a worker takes at a time: enough to make the lock cheap, few enough to share one batch.
constexpr int64_t kPiece = 8;

// Room for one batch; batch n lives in slot n mod slots. It belongs to the workers from prepare() until pieces_left is
// 0, then to next(), which lends it to the user until its next call. Workers with different pieces write different
// items' parts of buffer and labels, without the lock; the rest of a slot changes under the lock only.
struct Slot {
  AlignedBuffer buffer;
  Batch batch;
  int64_t pieces_left = 0;   // not yet filled; the lock that brings it to 0 publishes what the workers wrote
  int64_t failed_item = -1;  // position in the batch; the first one counts, whichever thread found it
  std::exception_ptr failure;
};

// The exception in flight with the item's name before its message.
std::exception_ptr named(const Dataset& dataset, int64_t item) {
  std::string where = "[" + dataset.info().name + "] item " + std::to_string(item);
  try {
    where += " (" + dataset.id(item) + ")";
  } catch (...) {
    where += " (no name)";
  }
  try {
    throw;
  } catch (const IoError& error) {
    return std::make_exception_ptr(IoError(where + ": " + error.what()));
  } catch (const std::invalid_argument& error) {
    return std::make_exception_ptr(std::invalid_argument(where + ": " + error.what()));
  } catch (const std::exception& error) {
    return std::make_exception_ptr(std::runtime_error(where + ": " + error.what()));
  } catch (...) {
    return std::make_exception_ptr(std::runtime_error(where + ": an unknown failure"));
  }
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

void LoaderOptions::validate() const {
  for_each_field(*this, [](const Field& field, const auto& value) {
    const auto number = static_cast<double>(value);
    check(number >= field.limits.min && number <= field.limits.max, "[loader] expected ", field.name, " from ",
          field.limits.min, " to ", field.limits.max, ", got ", value);
  });
  check(parts >= 1 && part >= 0 && part < parts, "[loader] expected a part from 0 to ", parts - 1, ", got ", part);
  check(parts <= batch, "[loader] expected batches of at least an item for each of ", parts, " parts, got ", batch);
  check(parts == 1 || drop_last, "[loader] expected full batches where they are made in parts");
  check(threads >= 0 && threads <= 1024, "[loader] expected 0 to 1024 threads, got ", threads);
}

// Two kinds of thread meet here: the user's one, which calls start_epoch(), next() and the destructor, and the workers,
// which run work(). Everything they share is guarded by one mutex, which is never held while pictures are read or
// views made. Who waits for what, and who wakes them:
//   has_room   workers, for a piece to take: woken by start_epoch(), by next() when a batch comes back, and to stop
//   is_ready   next(), for the last piece of its batch: woken by the worker that put it down
//   idle       halt(), for all pieces to be put down: woken by the last worker that did
// Within an epoch oldest <= wanted <= next_batch <= oldest + slots, where oldest = wanted - (lent ? 1 : 0) is the first
// batch that did not come back. Pieces of next_batch are taken only while it is below oldest + slots: no two batches
// that are in the making, ready or lent share a slot.
struct Loader::State {
  // What a batch holds in one place: an item, or two that belong together, under the number that its random choices go
  // by.
  struct Entry {
    int64_t number = 0;
    std::array<int64_t, 2> items = {};

    int64_t item(int64_t view) const { return items[static_cast<size_t>(view % 2)]; }
  };

  State(DatasetPtr data, ViewOptions view_options, LoaderOptions loader_options, PositivesPtr positives_)
      : dataset(std::move(data)),
        options(std::move(loader_options)),
        positives(std::move(positives_)),
        maker(std::move(view_options)),
        cache(dataset, maker.options().size, options.cache_bytes, maker.options().sound),
        order(static_cast<size_t>(entries())) {}

  ~State() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
    }
    has_room.notify_all();
    for (auto& worker : workers) worker.join();
  }

  void work();
  void fill(Slot& slot, int64_t first, int64_t last, ViewScratch& scratch, Image& room) const;
  void fill_vector(const Entry& entry, int64_t view, std::span<float> out) const;
  std::string text_of(const Entry& entry, int64_t view) const;
  void prepare(Slot& slot, int64_t number) const;
  int64_t entries() const { return positives ? positives->size() : dataset->size(); }
  Entry entry(int64_t number) const {
    return positives ? Entry{number, positives->draw(number, key(number, 0))} : Entry{number, {number, number}};
  }
  StreamKey key(int64_t number, int64_t view) const {
    return {.seed = static_cast<uint64_t>(options.seed),
            .epoch = static_cast<uint32_t>(epoch),
            .sample = static_cast<uint64_t>(number),
            .view = static_cast<uint16_t>(options.first_view + view)};
  }
  Slot& slot_of(int64_t number) { return slots[static_cast<size_t>(number) % slots.size()]; }
  // Ends the epoch: no worker holds a piece afterwards, and none takes one before start_epoch() raises end_batch.
  void halt(std::unique_lock<std::mutex>& lock) {
    next_batch = end_batch = 0;
    idle.wait(lock, [&] { return working == 0; });
  }

  // Set before the first worker starts and constant from then on; the cache is safe from several threads.
  const DatasetPtr dataset;
  const LoaderOptions options;
  const PositivesPtr positives;
  const ViewMaker maker;
  VectorStatistics vectors;  // if there is noise to scale
  mutable ImageCache cache;
  int64_t batches = 0;
  int64_t view_size = 0;
  std::vector<std::thread> workers;

  // Written by start_epoch() after halt(), when no worker has a piece; workers read them while they have one.
  int64_t epoch = 0;
  std::vector<int64_t> order;
  // The user's thread alone.
  Clock::time_point epoch_start = Clock::now();
  double waited = 0;
  int64_t views_out = 0;

  mutable std::mutex mutex;  // guards everything below
  std::condition_variable has_room;
  std::condition_variable is_ready;
  std::condition_variable idle;
  bool stopping = false;
  int64_t next_batch = 0;  // the batch whose pieces are handed out, and the first item of the next piece
  int64_t next_item = 0;
  int64_t end_batch = 0;
  int64_t wanted = 0;   // the batch that next() gives next
  bool lent = false;    // the batch before it is in use
  int64_t working = 0;  // workers with a piece in their hands
  std::vector<Slot> slots;
};

void Loader::State::prepare(Slot& slot, int64_t number) const {
  Batch& batch = slot.batch;
  batch.number = number;
  batch.views = options.views;
  batch.all_items = std::min(options.batch, entries() - number * options.batch);
  const Share own = share_of(batch.all_items, options.part, options.parts);
  const int64_t first = number * options.batch + own.first;
  batch.items = own.count;
  batch.values = {slot.buffer.data(), static_cast<size_t>(batch.views * batch.items * view_size)};
  batch.indices.assign(order.begin() + first, order.begin() + first + batch.items);
  batch.labels.resize(static_cast<size_t>(batch.items));
  if (dataset->info().text) batch.texts.resize(static_cast<size_t>(batch.views * batch.items));
  slot.pieces_left = (batch.items + kPiece - 1) / kPiece;
  slot.failed_item = -1;
  slot.failure = nullptr;
}

void Loader::State::fill_vector(const Entry& entry, int64_t view, std::span<float> out) const {
  const auto from = dataset->vector(entry.item(view));
  check(from.size() == out.size(), "[loader] expected a vector of ", out.size(), " elements, got ", from.size());
  std::ranges::copy(from, out.begin());
  if (options.vector_noise == 0 && options.vector_dropout == 0) return;
  Rng rng(key(entry.number, view));
  for (size_t j = 0; j < out.size(); ++j) {
    double x = out[j];
    if (options.vector_noise > 0) x += options.vector_noise * vectors.deviation[j] * rng.normal();
    if (options.vector_dropout > 0 && rng.bernoulli(options.vector_dropout)) x = vectors.mean[j];
    out[j] = static_cast<float>(x);
  }
}

std::string Loader::State::text_of(const Entry& entry, int64_t view) const {
  const std::vector<std::string> texts = dataset->texts(entry.item(view));
  const StreamKey own = key(entry.number, view);
  return text_view(texts[options.texts.draw ? drawn_text(texts.size(), own) : 0], options.texts, own);
}

void Loader::State::fill(Slot& slot, int64_t first, int64_t last, ViewScratch& scratch, Image& room) const {
  Batch& batch = slot.batch;
  for (int64_t position = first; position < last; ++position) {
    int64_t item = 0;
    try {
      const Entry each = entry(batch.indices[static_cast<size_t>(position)]);
      item = each.item(0);
      batch.indices[static_cast<size_t>(position)] = item;
      batch.labels[static_cast<size_t>(position)] = dataset->label(item);
      const Image* image = nullptr;
      for (int64_t view = 0; view < batch.views; ++view) {
        const bool same = view > 0 && each.item(view) == item;
        item = each.item(view);
        const auto place = static_cast<size_t>(view * batch.items + position);
        const auto size = static_cast<size_t>(view_size);
        const auto out = batch.values.subspan(place * size, size);
        if (dataset->info().text) {
          batch.texts[place] = text_of(each, view);
        } else if (dataset->info().dims > 0) {
          fill_vector(each, view, out);
        } else {
          if (!same) image = &cache.get(item, room);
          maker(*image, key(each.number, view), scratch, out);
        }
      }
    } catch (...) {
      const auto failure = named(*dataset, item);
      const std::lock_guard lock(mutex);
      if (slot.failed_item < 0 || position < slot.failed_item) {
        slot.failed_item = position;
        slot.failure = failure;
      }
      return;
    }
  }
}

void Loader::State::work() {
  ViewScratch scratch;
  Image room;
  std::unique_lock lock(mutex);
  for (;;) {
    // A slot is free when the batch it held, `slots` earlier, has been given back.
    has_room.wait(lock, [&] {
      return stopping ||
             (next_batch < end_batch && next_batch - (wanted - (lent ? 1 : 0)) < static_cast<int64_t>(slots.size()));
    });
    if (stopping) return;
    Slot& slot = slot_of(next_batch);
    if (next_item == 0) prepare(slot, next_batch);
    const int64_t first = next_item;
    const int64_t last = std::min(first + kPiece, slot.batch.items);
    next_item = last;
    if (last == slot.batch.items) {
      ++next_batch;
      next_item = 0;
    }
    ++working;
    lock.unlock();
    fill(slot, first, last, scratch, room);
    lock.lock();
    if (--slot.pieces_left == 0) is_ready.notify_all();
    if (--working == 0) idle.notify_all();
  }
}

Loader::Loader(DatasetPtr dataset, ViewOptions views, LoaderOptions options, PositivesPtr positives) {
  check(dataset != nullptr, "[loader] expected a data set, got none");
  check(dataset->info().dims > 0 || dataset->info().text || dataset->info().sound == views.of_sound(),
        "[loader] expected views of ",
        dataset->info().sound ? "sounds, got those of pictures (sound.seconds is 0)" : "pictures, got those of sounds");
  options.validate();
  state_ = std::make_unique<State>(std::move(dataset), std::move(views), options, std::move(positives));
  State& s = *state_;
  const int64_t size = s.entries();
  s.batches = size / options.batch + (!options.drop_last && size % options.batch > 0 ? 1 : 0);
  check(s.batches > 0, "[loader] expected at least one batch of ", options.batch, " items, got ", size,
        " items in all; ask for smaller batches or keep the last");
  const int64_t dims = s.dataset->info().dims;
  const bool text = s.dataset->info().text;
  const ViewOptions& view = s.maker.options();
  s.view_size = text ? 0 : dims > 0 ? dims : view.view_size();
  const auto floats = checked_product(std::array{options.batch, options.views, s.view_size, int64_t{sizeof(float)}});
  check(floats.has_value(), "[loader] expected batches that fit in memory, got ", options.batch, " items");
  if (dims > 0 && (options.vector_noise > 0 || options.vector_dropout > 0)) s.vectors = vector_statistics(*s.dataset);
  s.slots.resize(static_cast<size_t>(options.prefetch) + 1);
  for (Slot& slot : s.slots) {
    const int64_t most = share_of(std::min(options.batch, size), options.parts - 1, options.parts).count;
    slot.buffer.grow(most * options.views * s.view_size);
    slot.batch.indices.reserve(static_cast<size_t>(most));
    slot.batch.labels.reserve(static_cast<size_t>(most));
    if (text) continue;
    slot.batch.channels = dims > 0 ? dims : view.channels;
    slot.batch.height = slot.batch.width = dims > 0 ? 1 : view.size;
  }
  const int workers = resolve_threads(static_cast<int>(options.threads));
  for (int i = 0; i < workers; ++i) s.workers.emplace_back([&s] { s.work(); });
}

Loader::~Loader() = default;

int64_t Loader::batches() const { return state_->batches; }

void Loader::start_epoch(int64_t epoch, int64_t first_batch) {
  State& s = *state_;
  check(epoch >= 0 && epoch <= UINT32_MAX, "[loader] expected an epoch from 0 to 2^32-1, got ", epoch);
  check(first_batch >= 0 && first_batch <= s.batches, "[loader] expected a first batch from 0 to ", s.batches, ", got ",
        first_batch);
  std::unique_lock lock(s.mutex);
  s.halt(lock);
  s.epoch = epoch;
  if (s.options.shuffle) {
    s.order = epoch_order(s.entries(), s.options.seed, epoch);
  } else {
    std::iota(s.order.begin(), s.order.end(), int64_t{0});
  }
  s.next_batch = s.wanted = first_batch;
  s.next_item = 0;
  s.end_batch = s.batches;
  s.lent = false;
  s.epoch_start = Clock::now();
  s.waited = 0;
  s.views_out = 0;
  s.has_room.notify_all();
}

const Batch* Loader::next() {
  State& s = *state_;
  std::unique_lock lock(s.mutex);
  if (s.lent) {
    s.lent = false;
    s.has_room.notify_all();
  }
  if (s.wanted >= s.end_batch) return nullptr;
  Slot& slot = s.slot_of(s.wanted);
  const auto begin = Clock::now();
  s.is_ready.wait(lock, [&] {
    const bool handed_out = s.next_batch > s.wanted;
    return handed_out && slot.pieces_left == 0;
  });
  s.waited += seconds_since(begin);
  if (slot.failure) {
    const auto failure = slot.failure;
    s.halt(lock);
    std::rethrow_exception(failure);
  }
  ++s.wanted;
  s.lent = true;
  s.views_out += slot.batch.views * slot.batch.items;
  return &slot.batch;
}

double Loader::wait_share() const {
  const double elapsed = seconds_since(state_->epoch_start);
  return elapsed > 0 ? std::min(state_->waited / elapsed, 1.0) : 0.0;
}

double Loader::views_per_second() const {
  const double elapsed = seconds_since(state_->epoch_start);
  return elapsed > 0 ? static_cast<double>(state_->views_out) / elapsed : 0.0;
}

}  // namespace orthant
