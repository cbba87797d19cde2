#include "learn/task/supervised_classifier.h"

#include "orthant/core/error.h"

namespace orthant {
namespace {

constexpr const char* kFormat = "orthant-classifier-1";
constexpr const char* kNotes = "notes.";
constexpr const char* kWeight = "fc.weight";
constexpr const char* kBias = "fc.bias";

io::Tensor owned_tensor(std::vector<float> values, std::vector<int64_t> shape) {
  const io::Array array = io::array_from<float>(std::move(values), std::move(shape));
  io::Tensor tensor = io::tensor_of(array);
  tensor.owner = array.owner;
  return tensor;
}

}  // namespace

ModelExtras classifier_extras(const TrainedClassifier& classifier) {
  const Matrix& weights = classifier.model.weights;
  ModelExtras extras{.notes = classifier.facts};
  extras.tensors[kWeight] =
      owned_tensor({weights.values().begin(), weights.values().end()}, {weights.rows(), weights.cols()});
  std::vector<float> bias;
  for (const double value : classifier.model.bias) bias.push_back(static_cast<float>(value));
  extras.tensors[kBias] = owned_tensor(std::move(bias), {weights.rows()});
  return extras;
}

void write_classifier(const std::string& path, const TrainedClassifier& classifier) {
  const ModelExtras extras = classifier_extras(classifier);
  std::map<std::string, std::string> metadata = {{"format", kFormat}};
  for (const auto& [key, value] : extras.notes) metadata[kNotes + key] = value;
  io::write_safetensors(path, extras.tensors, metadata);
}

TrainedClassifier read_classifier(const std::string& path) {
  const io::SafeTensors file = io::SafeTensors::open(path);
  check_io(file.contains(kWeight) && file.contains(kBias), "[", path, "] expected a classifier, got none");
  TrainedClassifier classifier;
  const io::Tensor& weights = file.tensor(kWeight);
  const std::vector<float> bias = file.tensor(kBias).to_floats(kBias);
  check_io(weights.shape.size() == 2 && weights.shape[0] == static_cast<int64_t>(bias.size()), "[", path,
           "] expected weights [C, D] and bias [C], got ", io::shape_text(weights.shape), " and ", bias.size());
  classifier.model.weights = Matrix(weights.shape[0], weights.shape[1], weights.to_floats(kWeight));
  classifier.model.bias.assign(bias.begin(), bias.end());
  const std::string notes = kNotes;
  for (const auto& [key, value] : file.metadata()) {
    if (key.starts_with(notes)) classifier.facts[key.substr(notes.size())] = value;
  }
  return classifier;
}

}  // namespace orthant
