#include "learn/nn/model.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "learn/nn/gate.h"
#include "learn/nn/nonneg.h"
#include "orthant/core/retold.h"
#include "orthant/run/model_metadata.h"

namespace orthant {
namespace {

constexpr const char* kProjector = "projector.";
constexpr const char* kGate =
    "projector.gate.";  // starts anew with every run: a file has it folded into the layer before
constexpr const char* kImportance = "importance";
constexpr uint64_t kProjectorSeed = 0x9e3779b97f4a7c15;  // keeps the projector's streams apart from the encoder's

io::Tensor view_of(const at::Tensor& tensor) {
  const size_t bytes = static_cast<size_t>(tensor.nbytes());
  return {.dtype = tensor.scalar_type() == at::kLong ? "I64" : "F32",
          .shape = tensor.sizes().vec(),
          .bytes = {static_cast<const std::byte*>(tensor.data_ptr()), bytes},
          .owner = nullptr};
}

// The tensor of that name in the file, as one that fits `like`.
at::Tensor read_tensor(const io::SafeTensors& file, const std::string& name, const at::Tensor& like) {
  const io::Tensor& stored = file.tensor(name);
  check_io(stored.shape == like.sizes().vec(), "[", file.path(), "] expected ", name, " of shape ",
           io::shape_text(like.sizes().vec()), ", got ", io::shape_text(stored.shape));
  if (like.scalar_type() == at::kLong) {
    const std::vector<int64_t> values = io::to_integers(
        {io::DType::i8, {like.numel()}, stored.array(name).bytes, stored.owner}, file.path() + ": " + name);
    return at::tensor(values, at::kLong).view(like.sizes());
  }
  return at::tensor(stored.to_floats(name), at::kFloat).view(like.sizes());
}

std::vector<float> read_importance(const io::SafeTensors& file, int64_t features) {
  const io::Tensor& stored = file.tensor(kImportance);
  check_io(stored.shape == std::vector<int64_t>{features}, "[", file.path(), "] expected ", kImportance, " of shape (",
           features, "), got ", io::shape_text(stored.shape));
  std::vector<float> values = stored.to_floats(kImportance);
  for (const float value : values) {
    check_io(std::isfinite(value) && value >= 0, "[", file.path(), "] expected an ", kImportance,
             " that is finite and not negative, got ", value);
  }
  return values;
}

// The largest first, of equal ones the lower number: int64 [K].
at::Tensor falling_order(const at::Tensor& values) {
  const at::Tensor numbers = values.to(at::kDouble).contiguous();
  const double* const at = numbers.data_ptr<double>();
  at::Tensor order = at::arange(numbers.numel(), at::kLong);
  int64_t* const places = order.data_ptr<int64_t>();
  std::stable_sort(places, places + order.numel(), [&](int64_t a, int64_t b) { return at[a] > at[b]; });
  return order;
}

}  // namespace

struct Model::Parts {
  ModelOptions options;
  std::shared_ptr<Encoder> encoder;
  Projector projector;
  at::Tensor importance = {};  // as weigh() said
  std::vector<float> stated_importance = {};
  bool training = true;

  Parts(const ModelOptions& o, uint64_t seed)
      : options(o),
        encoder(make_encoder(o.backbone, seed, o.text)),
        projector(encoder->features(), o.projector, seed ^ kProjectorSeed, o.activation) {
    is_nonnegative(o.activation);
  }
};

Model::Model(const ModelOptions& options, uint64_t seed) : parts_(std::make_unique<Parts>(options, seed)) {}
Model::~Model() = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;

const ModelOptions& Model::options() const { return parts_->options; }
Encoder& Model::encoder() { return *parts_->encoder; }
Projector& Model::projector() { return parts_->projector; }
const std::vector<float>& Model::stated_importance() const { return parts_->stated_importance; }

void Model::weigh(const at::Tensor& importance) {
  const int64_t features = projector().out();
  check(options().projector.depth > 0, "[model] expected a projector, whose last layer takes importance in, got none");
  check(importance.dim() == 1 && importance.size(0) == features, "[model] expected an importance for each of ",
        features, " features, got ", importance.numel(), " numbers");
  parts_->importance = importance.detach().clone();
}

at::Tensor Model::backbone(const at::Tensor& input) { return parts_->encoder->forward(input); }
at::Tensor Model::project(const at::Tensor& features) { return parts_->projector.forward(features); }
at::Tensor Model::forward(const at::Tensor& input) { return finish(backbone(input)); }

at::Tensor Model::finish(const at::Tensor& features) {
  const at::Tensor z = nonneg(project(features), options().activation);
  return parts_->importance.defined() ? z * parts_->importance.sqrt() : z;
}

void Model::visit_parameters(const TensorVisitor& visit) {
  parts_->encoder->visit_parameters(visit);
  parts_->projector.visit_parameters([&](const std::string& name, at::Tensor& t) { visit(kProjector + name, t); });
}

void Model::visit_buffers(const TensorVisitor& visit) {
  parts_->encoder->visit_buffers(visit);
  parts_->projector.visit_buffers([&](const std::string& name, at::Tensor& t) { visit(kProjector + name, t); });
}

void Model::train(bool on) {
  parts_->training = on;
  parts_->encoder->train(on);
  parts_->projector.train(on);
}

bool Model::training() const { return parts_->training; }

void Model::join(const Group& rows, const Group& norms) {
  parts_->encoder->join(rows, norms);
  parts_->projector.join(rows, norms);
}

int64_t Model::parameter_count() {
  int64_t count = 0;
  visit_parameters([&](const std::string&, at::Tensor& tensor) { count += tensor.numel(); });
  return count;
}

double Model::flops() const {
  return parts_->encoder->flops(parts_->options.preprocessing.size) + parts_->projector.flops();
}

void Model::save(const std::string& path, const ModelExtras& extras) {
  std::map<std::string, io::Tensor> tensors = extras.tensors;
  std::vector<at::Tensor> alive;
  const auto add = [&](const std::string& name, at::Tensor& tensor) {
    alive.push_back(tensor.detach().cpu().contiguous());
    tensors[name] = view_of(alive.back());
  };
  parts_->encoder->visit_parameters(add);
  parts_->encoder->visit_buffers(add);
  const at::Tensor& importance = parts_->importance;
  const at::Tensor order = importance.defined() ? falling_order(importance) : at::Tensor();
  const at::Tensor scales = importance.defined() ? importance.sqrt() : at::Tensor();
  const auto add_layer = [&](const std::string& name, at::Tensor& t) { add(kProjector + name, t); };
  parts_->projector.visit_folded(add_layer, scales, order);
  if (importance.defined()) {
    at::Tensor ordered = importance.index_select(0, order);
    add(kImportance, ordered);
  }
  ModelOptions described = options();
  described.activation = without_gate(described.activation);
  for (const auto& [key, value] : extras.notes) described.notes[key] = value;
  io::write_safetensors(path, tensors, model_metadata(described));
}

Model Model::load(const std::string& path) {
  const auto file = io::SafeTensors::open(path);
  const ModelOptions options = parse_model_metadata(file.metadata(), path);
  try {
    Model model(options);
    model.load_weights(path);
    if (file.contains(kImportance)) model.parts_->stated_importance = read_importance(file, model.projector().out());
    model.train(false);
    return model;
  } catch (const std::invalid_argument& error) {
    fail_io("[", path, "] expected a model that can be built, got one that cannot: ", without_where(error.what()));
  }
}

void Model::load_weights(const std::string& path) {
  const auto names = io::SafeTensors::open(path).names();
  load_tensors(path, std::ranges::any_of(names, [](const std::string& name) { return name.starts_with(kProjector); }));
}

void Model::load_backbone(const std::string& path) { load_tensors(path, false); }

void Model::load_tensors(const std::string& path, bool with_projector) {
  const auto file = io::SafeTensors::open(path);
  const auto passed_over = [&](const std::string& name) {
    return name.starts_with("fc.") || name == kImportance || name.starts_with(kGate) ||
           (!with_projector && name.starts_with(kProjector));
  };
  std::map<std::string, std::pair<at::Tensor*, at::Tensor>> found;  // name: where it goes, what it becomes
  const auto read = [&](const std::string& name, at::Tensor& tensor) {
    if (passed_over(name)) return;
    check_io(file.contains(name), "[", path, "] expected the tensor ", name, " of ", options().backbone.name,
             ", got none of that name");
    found[name] = {&tensor, read_tensor(file, name, tensor)};
  };
  visit_parameters(read);
  visit_buffers(read);
  for (const std::string& name : file.names()) {
    check_io(found.contains(name) || passed_over(name), "[", path, "] expected tensors of ", options().backbone.name,
             " and its projector, got ", name);
  }
  for (auto& [name, tensor] : found) tensor.first->detach().copy_(tensor.second);
}

EvalScope::EvalScope(Model& model)
    : model_(model), was_training_(model.training()), had_gradients_(at::GradMode::is_enabled()) {
  model_.train(false);
  at::GradMode::set_enabled(false);
}

EvalScope::~EvalScope() {
  model_.train(was_training_);
  at::GradMode::set_enabled(had_gradients_);
}

}  // namespace orthant
