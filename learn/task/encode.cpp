#include "learn/task/encode.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "learn/text/text_input.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

// Copies rows of view v, items first .. first + count - 1, from a tensor [V*count, D] of one batch.
void copy_rows(const at::Tensor& source, int64_t views, int64_t first, int64_t items, Matrix& target) {
  const at::Tensor rows = source.contiguous();
  const int64_t count = rows.size(0) / views;
  const int64_t cols = rows.size(1);
  if (target.size() == 0) target = Matrix(views * items, cols);
  for (int64_t v = 0; v < views; ++v) {
    const float* from = rows.data_ptr<float>() + v * count * cols;
    std::copy_n(from, count * cols, target.mutable_data() + (v * items + first) * cols);
  }
}

// What the model makes of rows [V*count, ...], whose items are first .. first + count - 1 of `items`.
void encode_rows(Model& model, const at::Tensor& rows, int64_t views, int64_t first, int64_t items,
                 const EncodeOptions& options, Encoded& encoded) {
  const at::Tensor features = model.backbone(rows);
  if (options.features) copy_rows(features, views, first, items, encoded.features);
  if (!options.z) return;
  copy_rows(model.finish(features), views, first, items, encoded.z);
}

void hand_on(Model& model, const at::Tensor& rows, bool z, const RowSink& sink) {
  at::Tensor made = model.backbone(rows);
  if (z) made = model.finish(made);
  made = made.contiguous();
  sink({made.data_ptr<float>(), static_cast<size_t>(made.numel())}, made.size(0));
}

}  // namespace

at::Tensor batch_tensor(const Batch& batch, const ModelOptions& model) {
  if (!batch.texts.empty()) return text_tensor(batch.texts, model);
  const int64_t rows = batch.views * batch.items;
  const bool vectors = batch.height == 1 && batch.width == 1;
  const std::vector<int64_t> shape = vectors ? std::vector<int64_t>{rows, batch.channels}
                                             : std::vector<int64_t>{rows, batch.channels, batch.height, batch.width};
  return at::from_blob(batch.values.data(), shape);
}

Encoded encode(Model& model, Loader& loader, int64_t items, const EncodeOptions& options) {
  const EvalScope eval(model);
  Encoded encoded;
  loader.start_epoch(0);
  int64_t done = 0;
  while (const Batch* batch = loader.next()) {
    encode_rows(model, batch_tensor(*batch, model.options()), batch->views, done, items, options, encoded);
    encoded.labels.insert(encoded.labels.end(), batch->labels.begin(), batch->labels.end());
    done += batch->items;
    if (options.progress) options.progress(done);
  }
  check(done == items, "[encode] expected a loader of ", items, " items, got ", done);
  return encoded;
}

void encode_batches(Model& model, Loader& loader, int64_t first_batch, int64_t batches, bool z, const RowSink& sink,
                    const std::function<void(int64_t items)>& progress) {
  const EvalScope eval(model);
  loader.start_epoch(0, first_batch);
  int64_t done = 0;
  for (int64_t i = 0; i < batches; ++i) {
    const Batch* batch = loader.next();
    check(batch != nullptr, "[encode] expected a loader of ", first_batch + batches, " batches, got ", first_batch + i);
    hand_on(model, batch_tensor(*batch, model.options()), z, sink);
    done += batch->items;
    if (progress) progress(done);
  }
}

void encode_text_batches(Model& model, std::span<const std::string> texts, int64_t batch, bool z, const RowSink& sink,
                         const std::function<void(int64_t texts)>& progress) {
  const EvalScope eval(model);
  for (size_t first = 0; first < texts.size(); first += static_cast<size_t>(batch)) {
    const auto some = texts.subspan(first, std::min(static_cast<size_t>(batch), texts.size() - first));
    hand_on(model, text_tensor(some, model.options()), z, sink);
    if (progress) progress(static_cast<int64_t>(first + some.size()));
  }
}

ItemTexts item_texts(const Dataset& data, bool all) {
  ItemTexts found;
  for (int64_t i = 0; i < data.size(); ++i) {
    std::vector<std::string> texts = data.texts(i);
    if (!all) texts.resize(1);
    for (std::string& text : texts) {
      found.texts.push_back(std::move(text));
      found.items.push_back(i);
    }
  }
  return found;
}

Encoded encode_texts(Model& model, std::span<const std::string> texts, int64_t batch, const EncodeOptions& options) {
  const EvalScope eval(model);
  Encoded encoded;
  const auto count = static_cast<int64_t>(texts.size());
  for (int64_t first = 0; first < count; first += batch) {
    const int64_t rows = std::min(batch, count - first);
    const auto some = texts.subspan(static_cast<size_t>(first), static_cast<size_t>(rows));
    encode_rows(model, text_tensor(some, model.options()), 1, first, count, options, encoded);
    if (options.progress) options.progress(first + rows);
  }
  return encoded;
}

ViewOptions plain_views(const Preprocessing& preprocessing) {
  ViewOptions views = view_preset("eval", preprocessing.size);
  views.channels = preprocessing.channels;
  views.crop = preprocessing.crop;
  views.centre_fraction = preprocessing.centre_fraction;
  views.set_mean(preprocessing.mean);
  views.set_std(preprocessing.std);
  views.sound = preprocessing.sound;
  return views;
}

LoaderOptions plain_loader(int64_t items, int64_t batch, int threads) {
  LoaderOptions options;
  options.batch = std::clamp<int64_t>(batch, 1, std::max<int64_t>(items, 1));
  options.views = 1;
  options.shuffle = false;
  options.drop_last = false;
  options.cache_bytes = 0;
  options.threads = threads;
  return options;
}

}  // namespace orthant
