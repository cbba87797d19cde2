#include "learn/text/word_vectors.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/io/npy.h"
#include "orthant/io/text_lines.h"
#include "orthant/text/text_ids.h"
#include "orthant/text/utf8.h"
#include "orthant/text/words.h"

namespace orthant {
namespace {

struct Files {
  std::string vectors;
  std::string words;
};

Files parse(const std::string& source) {
  const std::string kind = "npy:";
  const size_t comma = source.rfind(',');
  check(source.starts_with(kind) && comma != std::string::npos && comma + 1 < source.size(),
        "[word vectors] expected npy:FILE.npy,WORDS.txt, got ", source);
  return {.vectors = source.substr(kind.size(), comma - kind.size()), .words = source.substr(comma + 1)};
}

at::Tensor word_table(Model& model) {
  at::Tensor table;
  model.visit_parameters([&](const std::string& name, at::Tensor& tensor) {
    if (name == kWordTable) table = tensor.detach();
  });
  check(table.defined(), "[word vectors] expected a text network, got ", model.options().backbone.name);
  return table;
}

// The row of a line's word, or -1 if it is not one word.
int64_t row_of(const std::string& line, const TextOptions& options) {
  if (first_invalid_utf8(line) != std::string_view::npos) return -1;
  const std::vector<std::string> words = words_of(line, options);
  return words.size() == 1 ? word_id(words.front(), options) : -1;
}

bool is_finite(std::span<const float> vector) {
  return std::ranges::all_of(vector, [](float value) { return std::isfinite(value); });
}

// What makes the root of the vectors' mean square that of the table.
float scale_to(const at::Tensor& table, const Matrix& vectors) {
  double sum = 0;
  int64_t count = 0;
  for (int64_t i = 0; i < vectors.rows(); ++i) {
    if (!is_finite(vectors.row(i))) continue;
    for (const float value : vectors.row(i)) sum += static_cast<double>(value) * value;
    count += vectors.cols();
  }
  if (sum == 0) return 1;
  const double mean = table.square().mean(at::kDouble).item<double>();
  return static_cast<float>(std::sqrt(mean * static_cast<double>(count) / sum));
}

}  // namespace

int64_t word_vector_dims(const std::string& source) { return io::read_npy_matrix(parse(source).vectors).cols(); }

int64_t start_from_word_vectors(Model& model, const std::string& source) {
  const Files files = parse(source);
  at::Tensor table = word_table(model);
  const Matrix vectors = io::read_npy_matrix(files.vectors);
  const std::vector<std::string> words = io::read_lines(files.words);
  check_io(std::ssize(words) == vectors.rows(), "[", files.words, "] expected ", vectors.rows(),
           " words, one for each vector of ", files.vectors, ", got ", words.size());
  check(vectors.cols() == table.size(1), "[", files.vectors, "] expected vectors of ", table.size(1),
        " dimensions, as the network has (backbone.dims), got ", vectors.cols());

  const float scale = scale_to(table, vectors);
  std::vector<int64_t> shared(static_cast<size_t>(table.size(0)));  // how many words each row has so far
  int64_t taken = 0;
  for (int64_t i = 0; i < vectors.rows(); ++i) {
    const auto vector = vectors.row(i);
    const int64_t row = row_of(words[static_cast<size_t>(i)], model.options().text);
    if (row < 0 || !is_finite(vector)) continue;
    float* place = table.data_ptr<float>() + row * table.size(1);
    const auto count = static_cast<float>(++shared[static_cast<size_t>(row)]);
    for (size_t k = 0; k < vector.size(); ++k) {
      const float value = scale * vector[k];
      place[k] = count == 1 ? value : place[k] + (value - place[k]) / count;
    }
    ++taken;
  }
  return taken;
}

}  // namespace orthant
