#include "orthant/catalogue/measure_input.h"

#include <string>
#include <unordered_map>

#include "orthant/core/error.h"
#include "orthant/core/importance.h"
#include "orthant/data/class_match.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/labels_file.h"
#include "orthant/sources/open.h"

namespace orthant::catalogue {
namespace {

Features features_of(const std::variant<Matrix, SparseMatrix>& matrix) {
  return std::visit([](const auto& held) { return Features(held); }, matrix);
}

// The edges between the rows, if these are nodes of a graph that can still be read.
std::vector<measure::Edge> edges_of(const Embeddings& embeddings) {
  const auto data = embeddings.how.find("data");
  const auto split = embeddings.how.find("split");
  std::vector<measure::Edge> edges;
  if (data == embeddings.how.end() || split == embeddings.how.end() || !is_graph(data->second)) return edges;
  try {
    const DatasetPtr graph = open_dataset(data->second, {.split = split->second});
    std::unordered_map<std::string, int64_t> row_of;
    for (size_t i = 0; i < embeddings.ids.size(); ++i) row_of.emplace(embeddings.ids[i], static_cast<int64_t>(i));
    for (int64_t i = 0; i < graph->size(); ++i) {
      const auto first = row_of.find(graph->id(i));
      for (const Linked& other : graph->links(i)) {
        const auto second = row_of.find(graph->id(other.item));
        if (other.item < i || first == row_of.end() || second == row_of.end()) continue;
        edges.push_back({first->second, second->second, other.weight});
      }
    }
  } catch (const std::exception&) {  // moved or changed since: measured without
    edges.clear();
  }
  return edges;
}

}  // namespace

Embeddings read_reference(const std::string& path, int64_t rows, const std::string& embeddings) {
  Embeddings reference = io::read_embeddings(path);
  check_finite(reference, path);
  check(reference.rows() == rows, "[", path, "] expected the ", rows, " items of ", embeddings, ", got ",
        reference.rows());
  return reference;
}

MeasureInput::MeasureInput(const MeasureFiles& files) : MeasureInput(io::read_embeddings(files.embeddings), files) {}

MeasureInput::MeasureInput(Embeddings embeddings, const MeasureFiles& files)
    : embeddings_(std::move(embeddings)), input_{.name = files.embeddings, .features = embeddings_} {
  labels_ = files.labels.empty() ? embeddings_.labels : io::read_labels(files.labels).labels;
  check(labels_.empty() || std::ssize(labels_) == embeddings_.rows(), "[", files.labels,
        "] expected a label for each of the ", embeddings_.rows(), " rows of ", files.embeddings, ", got ",
        labels_.size());
  factors_ = files.factors.empty() ? embeddings_.factors : io::read_factors(files.factors);
  for (const Factor& factor : factors_) {
    check(std::ssize(factor.classes) == embeddings_.rows(), "[", files.factors, "] expected factors of the ",
          embeddings_.rows(), " rows of ", files.embeddings, ", got ", factor.classes.size());
  }
  input_.labels = labels_;
  input_.factors = factors_;
  importance_ = importance_of(embeddings_);
  input_.importance = importance_;
  edges_ = edges_of(embeddings_);
  input_.edges = edges_;
  if (!files.views.empty()) read_views(files.views);
  if (!files.bank.empty()) read_bank(files);
  if (!files.reference.empty()) {
    reference_ = read_reference(files.reference, embeddings_.rows(), files.embeddings);
    input_.reference = Features(reference_);
  }
  if (files.compare.empty()) return;
  other_ = io::read_embeddings(files.compare);
  check(other_.rows() == embeddings_.rows(), "[", files.compare, "] expected the ", embeddings_.rows(), " items of ",
        files.embeddings, ", got ", other_.rows());
  input_.other = Features(other_);
}

MeasureInput::MeasureInput(std::string name, const Embeddings& embeddings, std::vector<int64_t> labels,
                           const Embeddings* reference)
    : labels_(std::move(labels)), input_{.name = std::move(name), .features = embeddings} {
  input_.labels = labels_;
  input_.factors = embeddings.factors;
  importance_ = importance_of(embeddings);
  input_.importance = importance_;
  if (reference != nullptr) input_.reference = Features(*reference);
  edges_ = edges_of(embeddings);
  input_.edges = edges_;
}

void MeasureInput::read_views(const std::string& path) {
  views_ = read_view_pair(path, embeddings_.rows(), embeddings_.cols());
  input_.first_view = views_.first_is_features ? Features(embeddings_) : features_of(views_.first);
  input_.second_view = features_of(views_.second);
}

void MeasureInput::read_bank(const MeasureFiles& files) {
  bank_ = io::read_embeddings(files.bank);
  check_finite(bank_, files.bank);
  check(bank_.cols() == embeddings_.cols(), "[", files.bank, "] expected ", embeddings_.cols(), " features, as ",
        files.embeddings, " has, got ", bank_.cols());
  input_.bank = Features(bank_);
  input_.bank_labels = bank_.labels;
  const bool named = files.labels.empty() && !embeddings_.class_names.empty() && !bank_.class_names.empty();
  if (!named || embeddings_.class_names == bank_.class_names) return;
  const std::vector<int64_t> numbers =
      match_classes({files.embeddings, embeddings_.class_names}, {files.bank, bank_.class_names});
  for (int64_t& label : labels_) label = label < 0 ? label : numbers[static_cast<size_t>(label)];
}

std::optional<double> MeasureInput::temperature() const {
  return views_.file ? measure::stated_temperature(*views_.file) : std::nullopt;
}

}  // namespace orthant::catalogue
