#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "orthant/io/atomic_file.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/image_file.h"
#include "orthant/io/npy.h"
#include "orthant/io/npz.h"
#include "orthant/io/sparse_npz.h"
#include "tests/support/temporary_folder.h"

namespace orthant::io {
namespace {

using test::TemporaryFolder;

template <class T>
Array counting() {
  return array_from(std::vector<T>{1, 2, 3, 4, 5, 6}, {2, 3});
}

TEST(Python, OpensEverythingThatIsWritten) {
  const TemporaryFolder folder;
  write_npy(folder / "u1.npy", counting<uint8_t>());
  write_npy(folder / "i4.npy", counting<int32_t>());
  write_npy(folder / "i8.npy", counting<int64_t>());
  write_npy(folder / "f4.npy", counting<float>());
  write_npy(folder / "f8.npy", counting<double>());

  const std::vector<std::pair<std::string, Array>> arrays = {{"b", array_from(std::vector<float>(), {0, 4})},
                                                             {"a", counting<int64_t>()}};
  write_npz(folder / "stored.npz", arrays);
  write_npz(folder / "deflated.npz", arrays, {.deflate = true});

  const Matrix dense(2, 3, {0, 1.5F, 0, 2, 0, -3});
  const auto sparse = SparseMatrix::from_dense(dense);
  write_sparse_npz(folder / "csr.npz", sparse);
  Embeddings embeddings;
  embeddings.features = sparse;
  embeddings.labels = {1, 0};
  embeddings.class_names = {"né", "b"};
  embeddings.ids = {"first", "second"};
  embeddings.how = {{"model", "m"}};
  for (const std::string extension : {".npy", ".npz", ".safetensors"}) {
    write_embeddings(folder / ("embeddings" + extension), embeddings);
  }
  embeddings.features = dense;
  write_embeddings(folder / "dense.safetensors", embeddings);

  Image rgb(1, 2, 3);
  rgb.pixels = {1, 2, 3, 4, 5, 6};
  write_png(folder / "rgb.png", rgb);
  write_file(folder / "rgb.jpg", encode_jpeg(rgb, 90));
  Image grey(1, 2, 1);
  grey.pixels = {7, 8};
  write_png(folder / "grey.png", grey);

  const std::string command =
      "/usr/bin/python3 " ORTHANT_SOURCE_DIR "/tests/io/check_outputs.py '" + folder.path().string() + "' 2>&1";
  const int status = std::system(command.c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == 77 || code == 127) GTEST_SKIP() << "Python with NumPy, SciPy and Pillow is not installed";
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace orthant::io
