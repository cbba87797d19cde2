#include "orthant/decompose/dictionary.h"

#include <cblas.h>

#include <new>
#include <unordered_map>

#include "orthant/core/error.h"
#include "orthant/core/one_thread.h"
#include "orthant/core/threads.h"
#include "orthant/decompose/centre.h"

namespace orthant::decompose {
namespace {

constexpr int64_t kRowBlock = 256;

Matrix products(const Matrix& atoms, int threads) {
  const int64_t words = atoms.rows();
  Matrix gram(words, words);
  float* const out = gram.mutable_data();
  const int width = static_cast<int>(atoms.cols());
  parallel_for(words, kRowBlock, threads, [&](int64_t begin, int64_t end) {
    const OneThread one;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(end - begin), static_cast<int>(words), width,
                1.0F, atoms.data() + begin * width, width, atoms.data(), width, 0.0F, out + begin * words,
                static_cast<int>(words));
  });
  return gram;
}

}  // namespace

void check_names(const std::vector<std::string>& names, int64_t words, const std::string& names_name,
                 const std::string& vectors_name) {
  check(std::ssize(names) == words, "[", names_name, "] expected ", words, " words, one for each row of ", vectors_name,
        ", got ", names.size());
  std::unordered_map<std::string, size_t> lines;
  for (size_t i = 0; i < names.size(); ++i) {
    check(!names[i].empty(), "[", names_name, "] expected a word in every line, got none in line ", i + 1);
    const auto [first, added] = lines.emplace(names[i], i);
    check(added, "[", names_name, "] expected every word once, got \"", names[i], "\" in lines ", first->second + 1,
          " and ", i + 1);
  }
}

Dictionary make_dictionary(const Features& vectors, std::vector<std::string> names, const std::string& vectors_name,
                           const std::string& names_name, const DictionaryOptions& options) {
  const int64_t words = vectors.rows();
  check_names(names, words, names_name, vectors_name);
  check(words <= INT32_MAX && vectors.cols() <= INT32_MAX, "[", vectors_name, "] expected fewer than 2^31 words, got ",
        words);
  std::vector<double> mean = mean_direction(vectors, vectors_name, options.threads);
  if (!options.centre) mean.clear();
  try {
    Dictionary dictionary{.atoms = Matrix(words, vectors.cols()), .gram = {}, .names = std::move(names)};
    for (int64_t i = 0; i < words; ++i) {
      check(centred_row(vectors, i, mean, dictionary.atoms.mutable_row(i)), "[", vectors_name,
            "] expected words that "
            "differ from their mean, got \"",
            dictionary.names[static_cast<size_t>(i)], "\" (row ", i, ") equal to it");
    }
    dictionary.gram = products(dictionary.atoms, options.threads);
    return dictionary;
  } catch (const std::bad_alloc&) {
    fail("[", vectors_name, "] expected a dictionary whose products fit in memory, got ", words, " words, which take ",
         4 * words * words / 1000000, " MB; fewer words take less");
  }
}

}  // namespace orthant::decompose
