#include "orthant/io/embeddings_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "orthant/core/retold.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/csv.h"
#include "orthant/io/embeddings_parts.h"
#include "orthant/io/mapped_file.h"
#include "orthant/io/npy.h"
#include "orthant/io/npy_header.h"
#include "orthant/io/npz.h"
#include "orthant/io/safetensors.h"
#include "orthant/io/sparse_npz.h"

namespace orthant::io {
namespace {

constexpr const char* kFeatures = "features";
constexpr const char* kLabels = "labels";

// The one name for which `is_candidate` holds.
template <class Predicate>
std::string only_one(const std::vector<std::string>& names, const std::string& path, Predicate is_candidate) {
  std::vector<std::string> found;
  std::ranges::copy_if(names, std::back_inserter(found), is_candidate);
  check_io(found.size() == 1, "[", path, "] expected 'features' or exactly one 2-D array of floats, got ",
           found.empty() ? std::string("none") : found[0] + " and " + std::to_string(found.size() - 1) + " more");
  return found[0];
}

Matrix dense_matrix(const Tensor& tensor, const std::string& where) {
  if (tensor.dtype == "F32" || tensor.dtype == "F64") return to_matrix(tensor.array(where), where);
  check_io(tensor.shape.size() == 2, "[", where, "] expected two dimensions, got shape ", shape_text(tensor.shape));
  return {tensor.shape[0], tensor.shape[1], tensor.to_floats(where)};
}

// Stays in the mapped file.
SparseMatrix sparse_matrix(const SafeTensors& file) {
  const auto column = [&]<Element T>(const std::string& name, T) {
    const std::string where = file.path() + ": " + name;
    Array array = file.tensor(name).array(where);
    check_io(array.dtype == dtype_of<T>() && array.shape.size() == 1, "[", where, "] expected a 1-D tensor of ",
             dtype_name(dtype_of<T>()), ", got ", dtype_name(array.dtype), " of shape ", shape_text(array.shape));
    return array;
  };
  const Array size = column("features.shape", int64_t{});
  const auto shape = size.as<int64_t>();
  check_io(shape.size() == 2, "[", file.path(), ": features.shape] expected rows and columns, got ", shape.size(),
           " numbers");
  const auto held = std::make_shared<const std::array<Array, 3>>(std::array<Array, 3>{
      column("features.indptr", int64_t{}), column("features.indices", int32_t{}), column("features.values", float{})});
  const auto& [indptr, indices, values] = *held;
  try {
    return SparseMatrix::borrow(shape[0], shape[1], indptr.as<int64_t>(), indices.as<int32_t>(), values.as<float>(),
                                held);
  } catch (const std::invalid_argument& error) {
    fail_io("[", file.path(), ": features] ", without_where(error.what()));
  }
}

Embeddings read_safetensors(const SafeTensors& file) {
  Embeddings embeddings;
  const auto is_candidate = [&](const std::string& name) {
    const Tensor& tensor = file.tensor(name);
    return tensor.shape.size() == 2 &&
           (tensor.dtype == "F32" || tensor.dtype == "F64" || tensor.dtype == "F16" || tensor.dtype == "BF16");
  };
  if (file.contains("features.indptr")) {
    embeddings.features = sparse_matrix(file);
  } else {
    const std::string name = file.contains(kFeatures) ? kFeatures : only_one(file.names(), file.path(), is_candidate);
    embeddings.features = dense_matrix(file.tensor(name), file.path() + ": " + name);
  }
  EmbeddingsParts parts;
  parts.metadata = file.metadata();
  const auto format = parts.metadata.find("format");
  const bool ours = format != parts.metadata.end() && format->second == kEmbeddingsFormat;
  for (const std::string& name : file.names()) {
    if (name == kLabels || (ours && is_embeddings_part(name)))
      parts.arrays[name] = file.tensor(name).array(file.path() + ": " + name);
  }
  put_parts(embeddings, parts, file.path());
  return embeddings;
}

Embeddings read_npz(const Npz& archive) {
  Embeddings embeddings;
  const auto where = [&](const std::string& name) { return archive.path() + ": " + name; };
  EmbeddingsParts parts;
  const bool ours = archive.contains(kMetadataArray);
  for (const std::string& name : archive.names()) {
    if (name == kLabels || (ours && is_embeddings_part(name))) parts.arrays[name] = archive.read(name);
  }
  if (is_sparse_npz(archive)) {
    embeddings.features = read_sparse_npz(archive);
  } else if (archive.contains(kFeatures)) {
    embeddings.features = to_matrix(archive.read(kFeatures), where(kFeatures));
  } else {
    const std::string name = only_one(archive.names(), archive.path(), [&](const std::string& candidate) {
      const NpyHeader header = archive.header(candidate);
      return header.shape.size() == 2 && (header.descr == "<f4" || header.descr == "<f8");
    });
    embeddings.features = to_matrix(archive.read(name), where(name));
  }
  put_parts(embeddings, parts, archive.path());
  return embeddings;
}

Embeddings read_by_content(const std::string& path) {
  const auto file = MappedFile::open(path);
  const std::span<const std::byte> bytes = file->bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (looks_like_npy(bytes)) {
    Embeddings embeddings;
    embeddings.features = to_matrix(parse_npy(bytes, path, file), path);
    return embeddings;
  }
  if (text.starts_with("PK")) return read_npz(Npz::parse(bytes, path, file));
  if (looks_like_safetensors(bytes)) return read_safetensors(SafeTensors::parse(bytes, path, file));
  fail_io("[", path, "] expected embeddings as .safetensors, .npz or .npy, got ",
          bytes.empty() ? "an empty file" : "other content");
}

// Row by row: a sparse matrix may be larger than memory when dense.
void write_dense_npy(const std::string& path, const SparseMatrix& matrix) {
  AtomicFile file(path);
  const int64_t shape[] = {matrix.rows(), matrix.cols()};
  file.write(npy_header_text(dtype_descr(DType::f4), shape));
  std::vector<float> dense(static_cast<size_t>(matrix.cols()));
  for (int64_t i = 0; i < matrix.rows(); ++i) {
    std::ranges::fill(dense, 0.0F);
    const auto row = matrix.row(i);
    for (size_t k = 0; k < row.indices.size(); ++k) dense[static_cast<size_t>(row.indices[k])] = row.values[k];
    file.write(std::as_bytes(std::span(dense)));
  }
  file.commit();
}

}  // namespace

Embeddings read_embeddings(const std::string& path) {
  Embeddings embeddings = read_by_content(path);
  try {
    embeddings.validate();
  } catch (const std::invalid_argument& error) {
    fail_io("[", path, "] ", without_where(error.what()));
  }
  return embeddings;
}

bool is_embeddings_ending(std::string_view ending) {
  return ending == ".safetensors" || ending == ".npz" || ending == ".npy" || ending == ".csv";
}

void write_embeddings(const std::string& path, const Embeddings& embeddings) {
  const std::string extension = std::filesystem::path(path).extension().string();
  check(is_embeddings_ending(extension), "[embeddings] expected a file name that ends in ", kEmbeddingsEndings,
        ", got ", path);
  embeddings.validate();
  if (extension == ".csv") return write_embeddings_csv(path, embeddings);
  const auto* dense = std::get_if<Matrix>(&embeddings.features);
  const auto* sparse = std::get_if<SparseMatrix>(&embeddings.features);
  const auto matrix_array = [&] { return array_of(dense->values(), {dense->rows(), dense->cols()}); };

  if (extension == ".npy") {
    if (dense != nullptr) return write_npy(path, matrix_array());
    return write_dense_npy(path, *sparse);
  }

  const EmbeddingsParts parts = take_parts(embeddings);
  if (extension == ".npz") {
    std::vector<std::pair<std::string, Array>> arrays(parts.arrays.begin(), parts.arrays.end());
    arrays.emplace_back(kMetadataArray, metadata_array(parts.metadata));
    if (sparse != nullptr) return write_sparse_npz(path, *sparse, arrays);
    arrays.emplace(arrays.begin(), kFeatures, matrix_array());
    return write_npz(path, arrays);
  }

  std::map<std::string, Tensor> tensors;
  for (const auto& [name, array] : parts.arrays) tensors[name] = tensor_of(array);
  if (dense != nullptr) {
    tensors[kFeatures] = tensor_of(matrix_array());
    return write_safetensors(path, tensors, parts.metadata);
  }
  const auto column = []<Element T>(std::span<const T> values) {
    return tensor_of(array_of(values, {static_cast<int64_t>(values.size())}));
  };
  const std::vector<int64_t> shape = {sparse->rows(), sparse->cols()};
  tensors["features.shape"] = column(std::span<const int64_t>(shape));
  tensors["features.indptr"] = column(sparse->indptr());
  tensors["features.indices"] = column(sparse->indices());
  tensors["features.values"] = column(sparse->values());
  write_safetensors(path, tensors, parts.metadata);
}

}  // namespace orthant::io
