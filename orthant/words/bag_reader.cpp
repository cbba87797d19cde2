#include "orthant/words/bag_reader.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/io/safetensors.h"
#include "orthant/run/model_metadata.h"
#include "orthant/text/text_ids.h"
#include "orthant/text/words.h"

namespace orthant::words {
namespace {

using Row = std::vector<double>;

// y = W x + b, W [out, in].
struct Affine {
  std::vector<float> weight;
  std::vector<float> bias;
  std::vector<float> turned = {};  // W [in, out], once turn() was called

  void turn() {
    turned.resize(weight.size());
    for (size_t o = 0; o < out(); ++o) {
      for (size_t i = 0; i < in(); ++i) turned[i * out() + o] = weight[o * in() + i];
    }
  }

  // All of y, column by column: most of x is zero behind a ReLU.
  Row forward(const Row& x) const {
    Row y(bias.begin(), bias.end());
    for (size_t i = 0; i < x.size(); ++i) {
      if (x[i] == 0) continue;
      const float* column = turned.data() + i * y.size();
      for (size_t o = 0; o < y.size(); ++o) y[o] += x[i] * static_cast<double>(column[o]);
    }
    return y;
  }

  size_t out() const { return bias.size(); }
  size_t in() const { return weight.size() / bias.size(); }

  double row(size_t o, const Row& x) const {
    double sum = bias[o];
    for (size_t i = 0; i < x.size(); ++i) sum += static_cast<double>(weight[o * x.size() + i]) * x[i];
    return sum;
  }

  // x + by * row o of W.
  void add_row(size_t o, double by, Row& x) const {
    for (size_t i = 0; i < x.size(); ++i) x[i] += by * static_cast<double>(weight[o * x.size() + i]);
  }
};

std::vector<float> floats(const io::SafeTensors& file, const std::string& name, size_t count) {
  std::vector<float> values = file.tensor(name).to_floats(file.path() + ": " + name);
  check_io(values.size() == count, "[", file.path(), "] expected ", count, " values of ", name, ", got ",
           values.size());
  return values;
}

Affine read_affine(const io::SafeTensors& file, const std::string& name, size_t in, size_t out) {
  return {floats(file, name + ".weight", in * out), floats(file, name + ".bias", out)};
}

// What a batch norm in evaluation mode does to an affine layer before it.
void fold_batch_norm(const io::SafeTensors& file, const std::string& name, Affine& layer) {
  constexpr double kEps = 1e-5;
  const size_t out = layer.out();
  const size_t in = layer.in();
  const auto weight = floats(file, name + ".weight", out);
  const auto bias = floats(file, name + ".bias", out);
  const auto mean = floats(file, name + ".running_mean", out);
  const auto variance = floats(file, name + ".running_var", out);
  for (size_t o = 0; o < out; ++o) {
    const auto scale = static_cast<float>(weight[o] / std::sqrt(variance[o] + kEps));
    for (size_t i = 0; i < in; ++i) layer.weight[o * in + i] *= scale;
    layer.bias[o] = (layer.bias[o] - mean[o]) * scale + bias[o];
  }
}

// How much of each id's vector belongs to which of the different words of a text.
struct Bag {
  std::vector<std::string> words;                            // different ones, in the order of the alphabet
  std::vector<std::vector<std::pair<int32_t, double>>> ids;  // of each word, with their weights in the mean
};

Bag bag_of(std::string_view text, const TextOptions& options) {
  const std::vector<std::string> list = words_of(text, options);
  std::map<std::string, std::vector<std::pair<int32_t, double>>> parts;
  double count = 0;
  TextOptions single = options;
  single.word_ngrams = 1;
  single.normalise = "none";  // words are normalised already
  for (const std::string& word : list) {
    for (const int32_t id : text_ids(word, single)) {
      parts[word].emplace_back(id, 1);
      ++count;
    }
  }
  for (int64_t length = 2; length <= options.word_ngrams; ++length) {
    for (size_t first = 0; first + static_cast<size_t>(length) <= list.size(); ++first) {
      std::string joined = list[first];
      for (size_t k = 1; k < static_cast<size_t>(length); ++k) joined += " " + list[first + k];
      const int32_t id = word_id(joined, options);
      ++count;
      for (size_t k = 0; k < static_cast<size_t>(length); ++k) {
        parts[list[first + k]].emplace_back(id, 1 / static_cast<double>(length));
      }
    }
  }
  Bag bag;
  for (auto& [word, ids] : parts) {
    for (auto& [id, weight] : ids) weight /= count;
    bag.words.push_back(word);
    bag.ids.push_back(std::move(ids));
  }
  return bag;
}

}  // namespace

struct BagReader::Network {
  TextOptions text;
  size_t dims = 0;
  std::vector<float> table;  // [buckets, dims]
  std::vector<float> norm_weight;
  std::vector<float> norm_bias;
  std::vector<Affine> hidden;  // each with a ReLU behind it
  Affine last;                 // what enters sigma+; empty: the last hidden layer is

  size_t features() const { return last.bias.empty() ? hidden.back().out() : last.out(); }

  // A word's part of the mean of the vectors.
  Row part(const std::vector<std::pair<int32_t, double>>& ids) const {
    Row sum(dims, 0);
    for (const auto& [id, weight] : ids) {
      const float* vector = table.data() + static_cast<size_t>(id) * dims;
      for (size_t j = 0; j < dims; ++j) sum[j] += weight * static_cast<double>(vector[j]);
    }
    return sum;
  }
};

namespace {

double mean_of(const Row& x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return sum / static_cast<double>(x.size());
}

}  // namespace

BagReader::BagReader() = default;
BagReader::~BagReader() = default;

std::shared_ptr<const BagReader> BagReader::open(const std::string& path) {
  const io::SafeTensors file = io::SafeTensors::open(path);
  const auto name = file.metadata().find("backbone.name");
  if (name == file.metadata().end() || name->second != "text-bag") return nullptr;
  const ModelOptions model = parse_model_metadata(file.metadata(), path);
  auto network = std::make_unique<Network>();
  network->text = model.text;
  network->dims = static_cast<size_t>(model.backbone.dims > 0 ? model.backbone.dims : 128);
  const auto hidden = static_cast<size_t>(model.backbone.hidden);
  const auto inner = static_cast<size_t>(model.projector.hidden);
  network->table = floats(file, "words.weight", static_cast<size_t>(model.text.buckets) * network->dims);
  network->norm_weight = floats(file, "norm.weight", network->dims);
  network->norm_bias = floats(file, "norm.bias", network->dims);
  size_t width = network->dims;
  for (int64_t i = 0; i < model.backbone.depth; ++i) {
    network->hidden.push_back(read_affine(file, join("layers.", i), width, hidden));
    width = hidden;
  }
  int64_t position = 0;
  for (int64_t i = 0; i < model.projector.depth; ++i) {
    const bool is_last = i + 1 == model.projector.depth;
    const size_t out = is_last ? static_cast<size_t>(model.projector.out) : inner;
    Affine layer = read_affine(file, join("projector.", position++), width, out);
    width = out;
    if (is_last) {
      network->last = std::move(layer);
      break;
    }
    if (model.projector.batch_norm) fold_batch_norm(file, join("projector.", position++), layer);
    ++position;
    network->hidden.push_back(std::move(layer));
  }
  for (Affine& layer : network->hidden) layer.turn();
  std::shared_ptr<BagReader> reader(new BagReader());
  reader->network_ = std::move(network);
  return reader;
}

int64_t BagReader::features() const { return static_cast<int64_t>(network_->features()); }

std::vector<FeatureParts> BagReader::take_apart(std::string_view text, std::span<const int64_t> features) const {
  constexpr double kNormEps = 1e-6;
  const Network& net = *network_;
  const Bag bag = bag_of(text, net.text);
  std::vector<Row> parts;
  Row mean(net.dims, 0);
  for (const auto& ids : bag.ids) {
    parts.push_back(net.part(ids));
    for (size_t j = 0; j < net.dims; ++j) mean[j] += parts.back()[j];
  }
  const double centre = mean_of(mean);
  double variance = 0;
  for (const double x : mean) variance += (x - centre) * (x - centre) / static_cast<double>(net.dims);
  const double deviation = std::sqrt(variance + kNormEps);

  std::vector<Row> layers(1, Row(net.dims));  // what enters each layer
  for (size_t j = 0; j < net.dims; ++j) {
    layers[0][j] = (mean[j] - centre) / deviation * net.norm_weight[j] + net.norm_bias[j];
  }
  for (const Affine& layer : net.hidden) {
    Row next = layer.forward(layers.back());
    for (double& x : next) x = std::max(x, 0.0);
    layers.push_back(std::move(next));
  }

  std::vector<FeatureParts> all;
  for (const int64_t feature : features) {
    check(feature >= 0 && feature < this->features(), "[words] expected a feature from 0 to ", this->features() - 1,
          ", got ", feature);
    const auto f = static_cast<size_t>(feature);
    // How the feature follows what enters a layer, from the last layer to the first.
    Row slope(layers.back().size(), 0);
    FeatureParts found{.feature = feature};
    if (net.last.bias.empty()) {
      slope[f] = 1;
      found.value = layers.back()[f];
    } else {
      net.last.add_row(f, 1, slope);
      found.value = net.last.row(f, layers.back());
    }
    for (size_t l = net.hidden.size(); l-- > 0;) {
      Row before(layers[l].size(), 0);
      for (size_t o = 0; o < slope.size(); ++o) {
        if (layers[l + 1][o] > 0 && slope[o] != 0) net.hidden[l].add_row(o, slope[o], before);
      }
      slope = std::move(before);
    }
    for (size_t j = 0; j < net.dims; ++j) slope[j] *= net.norm_weight[j] / deviation;
    found.rest = found.value;
    for (size_t w = 0; w < parts.size(); ++w) {
      const double own = mean_of(parts[w]);
      double share = 0;
      for (size_t j = 0; j < net.dims; ++j) share += slope[j] * (parts[w][j] - own);
      found.words.push_back({bag.words[w], share});
      found.rest -= share;
    }
    std::ranges::stable_sort(found.words, std::ranges::greater(), &WordShare::share);
    all.push_back(std::move(found));
  }
  return all;
}

}  // namespace orthant::words
