#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "orthant/core/matrix.h"
#include "orthant/io/file_descriptor.h"

namespace orthant::adapt {

// Vectors [N, D] in a file, read in pieces, so that they may be larger than memory. A .npy of float16, float32 or
// float64 in C order and the floats of a .safetensors are read from the disk piece by piece; anything else that
// io::read_embeddings() takes (.npz, sparse features, Fortran order) is held in memory. Reading from several
// threads is safe.
class Vectors {
 public:
  // Opens the file, without reading its rows. IoError naming it if it has no 2-D floats, or too few bytes;
  // std::invalid_argument if it has no rows or no columns.
  explicit Vectors(const std::string& path);

  const std::string& path() const { return path_; }
  int64_t rows() const { return rows_; }
  int64_t dims() const { return dims_; }
  bool streamed() const { return file_.get() >= 0; }

  // What the file says of its rows; both may be empty.
  const std::vector<int64_t>& labels() const { return labels_; }
  const std::vector<std::string>& class_names() const { return class_names_; }
  const std::vector<std::string>& ids() const { return ids_; }

  // Rows `begin` to begin + count into out [count, D]. IoError if the file cannot be read any more.
  void read(int64_t begin, int64_t count, float* out) const;

  // Tells the system that these rows will be wanted soon. Advice: nothing fails.
  void announce(int64_t begin, int64_t count) const;

 private:
  bool open_npy();
  bool open_safetensors();
  void open_whole();

  std::string path_;
  int64_t rows_ = 0;
  int64_t dims_ = 0;
  int64_t item_ = 4;
  std::string dtype_ = "F32";
  int64_t offset_ = 0;       // of the first element in the file
  io::FileDescriptor file_;  // none: held
  Matrix held_;
  std::vector<int64_t> labels_;
  std::vector<std::string> class_names_;
  std::vector<std::string> ids_;
};

}  // namespace orthant::adapt
