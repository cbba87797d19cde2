#include "orthant/catalogue/measure_input.h"

#include "orthant/core/error.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/labels_file.h"

namespace orthant::catalogue {
namespace {

Features features_of(const std::variant<Matrix, SparseMatrix>& matrix) {
  return std::visit([](const auto& held) { return Features(held); }, matrix);
}

}  // namespace

MeasureInput::MeasureInput(const MeasureFiles& files)
    : embeddings_(io::read_embeddings(files.embeddings)), input_{.name = files.embeddings, .features = embeddings_} {
  labels_ = files.labels.empty() ? embeddings_.labels : io::read_labels(files.labels).labels;
  check(labels_.empty() || std::ssize(labels_) == embeddings_.rows(), "[", files.labels,
        "] expected a label for each of the ", embeddings_.rows(), " rows of ", files.embeddings, ", got ",
        labels_.size());
  factors_ = files.factors.empty() ? embeddings_.factors : io::read_factors(files.factors);
  input_.labels = labels_;
  input_.factors = factors_;
  if (!files.views.empty()) read_views(files.views);
  if (!files.bank.empty()) read_bank(files.bank);
  if (files.compare.empty()) return;
  other_ = io::read_embeddings(files.compare);
  input_.other = Features(other_);
}

MeasureInput::MeasureInput(std::string name, const Embeddings& embeddings, std::vector<int64_t> labels)
    : labels_(std::move(labels)), input_{.name = std::move(name), .features = embeddings} {
  input_.labels = labels_;
  input_.factors = embeddings.factors;
}

void MeasureInput::read_views(const std::string& path) {
  views_ = read_view_pair(path, embeddings_.rows(), embeddings_.cols());
  input_.first_view = views_.first_is_features ? Features(embeddings_) : features_of(views_.first);
  input_.second_view = features_of(views_.second);
}

void MeasureInput::read_bank(const std::string& path) {
  bank_ = io::read_embeddings(path);
  check_finite(bank_, path);
  input_.bank = Features(bank_);
  input_.bank_labels = bank_.labels;
}

std::optional<double> MeasureInput::temperature() const {
  return views_.file ? measure::stated_temperature(*views_.file) : std::nullopt;
}

}  // namespace orthant::catalogue
