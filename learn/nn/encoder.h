#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "learn/nn/tensors.h"
#include "orthant/run/backbone_options.h"
#include "orthant/text/text_options.h"

namespace orthant {

class Group;

// Buffers of an mlp with `standardise`: what is taken from every element of a vector, and what it is divided by; 0 and
// 1 in a new network.
constexpr const char* kInputMean = "input.mean";
constexpr const char* kInputDeviation = "input.deviation";

// Parameter of the text networks: a vector for each bucket, [text.buckets, dims].
constexpr const char* kWordTable = "words.weight";
// Parameter of text-transformer: a vector for each place in a text, [text.max_words, dims].
constexpr const char* kPlaceTable = "positions.weight";
// Parameter of a table: a vector for each row, [dims, hidden].
constexpr const char* kNodeTable = "rows.weight";

// A network from images, vectors or texts to features. Not safe from several threads at once: the layers themselves use
// the OpenMP pool, as many threads as at::set_num_threads says.
class Encoder {
 public:
  virtual ~Encoder() = default;

  // [N, C, H, W] float32 images (any memory format), [N, D] vectors or int32 [N, L] ids of texts, padded with -1 at the
  // end of each row, to features [N, features()], connected to autograd unless gradients are off. In training mode
  // batch norm uses the batch and updates its running statistics, otherwise it uses those. std::invalid_argument for
  // input of another shape.
  virtual at::Tensor forward(const at::Tensor& input) = 0;

  // Of a network that ends in a mean over places: what that mean is taken of, [N, features(), h, w], so that
  // forward(input) is grid(input).mean({2, 3}). Undefined of one that ends otherwise.
  virtual at::Tensor grid(const at::Tensor& input);

  // What is learned, in the order of torchvision's state dict and under its names where torchvision has the network:
  // "conv1.weight", "layer2.0.downsample.0.weight".
  virtual void visit_parameters(const TensorVisitor& visit) = 0;
  // What is kept but not learned: "bn1.running_mean", "bn1.running_var", "bn1.num_batches_tracked" (int64).
  virtual void visit_buffers(const TensorVisitor& visit) = 0;

  // Training mode (the state after construction) or evaluation mode.
  virtual void train(bool on) = 0;
  // From here on, in training, the rows of a batch are spread over the ranks of `rows`, and batch norm takes its
  // statistics over those of `norms` (learn/group/group.h); a new network works on its own.
  virtual void join(const Group& rows, const Group& norms) = 0;

  virtual int64_t features() const = 0;
  // Shape of one input item as far as it is fixed: {C, -1, -1} for images, {D} for vectors, {-1} for
  // texts.
  virtual std::vector<int64_t> input_shape() const = 0;
  // Floating-point operations (two per multiply-add) of the forward pass of one item whose side is `image_size`;
  // convolutions and matrix products only. A text counts as one of text.max_words words. Training costs three times
  // that.
  virtual double flops(int64_t image_size) const = 0;
};

// Parameters are drawn as torchvision initialises them, by Rng keyed by (seed, position of the tensor): the same seed
// gives the same network on any number of threads. `text` matters to text networks alone. std::invalid_argument for
// options that make no network.
std::shared_ptr<Encoder> make_encoder(const BackboneOptions& options, uint64_t seed = 0, const TextOptions& text = {});

}  // namespace orthant
