// Makes sparse embeddings with labels, writes them as safetensors and reads them back.
//
//   $ 2-embeddings embeddings.safetensors
//   written: 4 items, 6 features, sparse, 5 of 24 values are not zero
//   read back: the same
//   item 2 is a dog: feature 4 fires with 0.50

#include <cstdio>

#include "orthant/io/embeddings_file.h"

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: 2-embeddings FILE.safetensors\n"), 2;
  orthant::Matrix features(4, 6);
  features(0, 1) = 0.9F;
  features(1, 1) = 0.7F;
  features(1, 2) = 0.1F;
  features(2, 4) = 0.5F;
  features(3, 4) = 0.8F;

  orthant::Embeddings written;
  written.features = orthant::SparseMatrix::from_dense(features);
  written.labels = {0, 0, 1, 1};
  written.class_names = {"cat", "dog"};
  written.how = {{"model", "made by hand"}};
  orthant::io::write_embeddings(argv[1], written);
  const auto& sparse = std::get<orthant::SparseMatrix>(written.features);
  std::printf("written: %lld items, %lld features, sparse, %lld of %lld values are not zero\n",
              static_cast<long long>(written.rows()), static_cast<long long>(written.cols()),
              static_cast<long long>(sparse.nnz()), static_cast<long long>(features.size()));

  const orthant::Embeddings read = orthant::io::read_embeddings(argv[1]);
  std::printf("read back: %s\n", read == written ? "the same" : "something else");
  const auto row = std::get<orthant::SparseMatrix>(read.features).row(2);
  std::printf("item 2 is a %s: feature %d fires with %.2f\n",
              read.class_names[static_cast<size_t>(read.labels[2])].c_str(), row.indices[0],
              static_cast<double>(row.values[0]));
}
