// Measures the features in a file: the one that 2-embeddings writes, or any that `orthant embed` or NumPy wrote.
//
//   $ 3-measure embeddings.safetensors
//   4 items, 6 features, 2 classes
//   sparsity 0.792
//   class_consistency.positive 1.000
//   active_per_sample 1.250
//   not measured: sepin, because no second view

#include <cstdio>

#include "orthant/io/embeddings_file.h"
#include "orthant/measure/evaluation.h"

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: 3-measure FILE\n"), 2;
  const orthant::Embeddings embeddings = orthant::io::read_embeddings(argv[1]);
  const orthant::measure::MeasureReport report =
      orthant::measure::evaluate({.name = argv[1], .features = embeddings, .labels = embeddings.labels});

  std::printf("%lld items, %lld features, %lld classes\n", static_cast<long long>(report.rows),
              static_cast<long long>(report.cols), static_cast<long long>(report.classes));
  for (const char* key : {"sparsity", "class_consistency.positive", "active_per_sample"}) {
    if (const auto value = report.find(key)) std::printf("%s %.3f\n", key, *value);
  }
  for (const auto& [id, reason] : report.skipped) {
    if (id == "sepin") std::printf("not measured: %s, because %s\n", id.c_str(), reason.c_str());
  }
}
