#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "learn/nn/encoder.h"
#include "learn/nn/projector.h"
#include "orthant/io/safetensors.h"
#include "orthant/run/model_options.h"

namespace orthant {

// What a model file may hold besides the model: tensors such as a classifier's "fc.weight", and more notes.
struct ModelExtras {
  std::map<std::string, io::Tensor> tensors = {};
  std::map<std::string, std::string> notes = {};
};

// encoder -> projector -> sigma+. Not safe from several threads at once.
class Model {
 public:
  // A new network; see make_encoder() for what `seed` means.
  explicit Model(const ModelOptions& options, uint64_t seed = 0);
  ~Model();
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;

  const ModelOptions& options() const;
  Encoder& encoder();
  Projector& projector();

  // From here on feature k counts importance_k [K], positive: finish() gives it times the root of that, so that it is
  // in inner products once, and save() writes a model that does so, with the most important features first. For sigma+
  // with sigma+(a y) = a sigma+(y) alone. std::invalid_argument for another shape, or without a layer to scale.
  void weigh(const at::Tensor& importance);
  // What the file of a loaded model says of it, feature by feature; empty where it was not learned.
  const std::vector<float>& stated_importance() const;

  // Images [N, C, H, W], vectors [N, D] or ids of texts [N, L] to backbone features [N, F].
  at::Tensor backbone(const at::Tensor& input);
  // Backbone features [N, F] to the projector's output before sigma+ [N, K], where a warm-up can blend it.
  at::Tensor project(const at::Tensor& features);
  // Backbone features [N, F] to sigma+ of that [N, K], weighed if weigh() said so.
  at::Tensor finish(const at::Tensor& features);
  // All of it: input to sigma+(projector(backbone(input))) [N, K], not normalised; weighed if weigh() said so.
  at::Tensor forward(const at::Tensor& input);

  // Every parameter and buffer, the encoder's as named there and the projector's with "projector." in front: the names
  // in the file.
  void visit_parameters(const TensorVisitor& visit);
  void visit_buffers(const TensorVisitor& visit);
  void train(bool on);
  bool training() const;
  // Encoder::join() of all of it.
  void join(const Group& rows, const Group& norms);

  int64_t parameter_count();
  // Of the forward pass of one item of preprocessing.size, projector included; see Encoder::flops().
  double flops() const;

  // Writes model.safetensors: weights and buffers under their names, the options as metadata ("backbone.name",
  // "activation.name", "notes.data", ...), and the extras. What weigh() said is part of the last layer there, and
  // "importance" [K] tells it. The same model gives the same bytes. IoError if it cannot be
  // written.
  void save(const std::string& path, const ModelExtras& extras = {});

  // The model that save() wrote, in evaluation mode. IoError naming the file if it is no such file: metadata missing
  // or with a value that is not allowed, a tensor missing, unknown or of another shape.
  static Model load(const std::string& path);

  // Takes the weights of a safetensors file, keeping the options: of save(), or of a torchvision backbone, whose
  // "fc.*" are passed over, as is the importance of features. Without any "projector.*" in the file the projector keeps
  // its weights. IoError that names the first tensor that is missing, unknown or of another shape; nothing is changed
  // then.
  void load_weights(const std::string& path);
  // The same of the encoder alone: the projector keeps its weights, and what the file has of another is passed over.
  void load_backbone(const std::string& path);

 private:
  void load_tensors(const std::string& path, bool with_projector);

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// For as long as it lives: `model` in evaluation mode and no gradients; afterwards as before.
class EvalScope {
 public:
  explicit EvalScope(Model& model);
  ~EvalScope();
  EvalScope(const EvalScope&) = delete;
  EvalScope& operator=(const EvalScope&) = delete;

 private:
  Model& model_;
  bool was_training_;
  bool had_gradients_;
};

}  // namespace orthant
