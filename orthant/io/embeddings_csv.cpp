#include "orthant/io/embeddings_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "orthant/io/atomic_file.h"

namespace orthant::io {
namespace {

// RFC 4180: quoted where it has to be.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string titles(const Embeddings& embeddings) {
  std::vector<std::string> names;
  if (!embeddings.ids.empty()) names.emplace_back("id");
  if (!embeddings.labels.empty()) names.emplace_back("label");
  for (const Factor& factor : embeddings.factors) names.push_back(cell(factor.name));
  for (int64_t j = 0; j < embeddings.cols(); ++j) names.push_back(fmt::format("f{}", j));
  return fmt::format("{}\n", fmt::join(names, ","));
}

std::string label_text(const Embeddings& embeddings, int64_t label) {
  if (label < 0) return "";
  const bool named = static_cast<size_t>(label) < embeddings.class_names.size();
  return named ? cell(embeddings.class_names[static_cast<size_t>(label)]) : std::to_string(label);
}

void copy_row(const Embeddings& embeddings, int64_t i, std::vector<float>& dense) {
  if (const auto* matrix = std::get_if<Matrix>(&embeddings.features)) {
    std::ranges::copy(matrix->row(i), dense.begin());
    return;
  }
  std::ranges::fill(dense, 0.0F);
  const auto row = std::get<SparseMatrix>(embeddings.features).row(i);
  for (size_t k = 0; k < row.indices.size(); ++k) dense[static_cast<size_t>(row.indices[k])] = row.values[k];
}

}  // namespace

void write_embeddings_csv(const std::string& path, const Embeddings& embeddings) {
  AtomicFile file(path);
  file.write(titles(embeddings));
  std::vector<float> dense(static_cast<size_t>(embeddings.cols()));
  for (int64_t i = 0; i < embeddings.rows(); ++i) {
    const auto item = static_cast<size_t>(i);
    std::string line;
    if (!embeddings.ids.empty()) line += cell(embeddings.ids[item]) + ",";
    if (!embeddings.labels.empty()) line += label_text(embeddings, embeddings.labels[item]) + ",";
    for (const Factor& factor : embeddings.factors) {
      line += fmt::format("{},", factor.values[static_cast<size_t>(factor.classes[item])]);
    }
    copy_row(embeddings, i, dense);
    fmt::format_to(std::back_inserter(line), "{}\n", fmt::join(dense, ","));
    file.write(line);
  }
  file.commit();
}

}  // namespace orthant::io
