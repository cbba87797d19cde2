#include "orthant/io/sparse_npz.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "orthant/core/retold.h"
#include "orthant/io/npy_header.h"
#include "orthant/io/npz_entry.h"

namespace orthant::io {
namespace {

// SciPy stores the form as a 0-d array of bytes ("|S3") or text ("<U3"): in both the letters are the non-zero bytes.
std::string read_format(const Npz& archive) {
  const std::string where = archive.path() + ": format";
  const std::vector<std::byte> content = archive.read_raw("format", kMaxNpyHeader);
  const NpyHeader header = parse_npy_header(content, where);
  const bool is_text = header.descr.starts_with("|S") || header.descr.starts_with("<U");
  const size_t length = content.size() - header.data_offset;
  check_io(is_text && header.shape.empty() && length <= 64, "[", where, "] expected a short word, got '", header.descr,
           "' of ", length, " bytes");
  std::string format;
  for (const std::byte byte : std::span(content).subspan(header.data_offset)) {
    const char letter = static_cast<char>(byte);
    if (letter != '\0') format += letter >= ' ' && letter <= '~' ? letter : '?';
  }
  return format;
}

std::vector<float> to_floats(const Array& array, const std::string& where) {
  check_io(array.shape.size() == 1, "[", where, "] expected a 1-D array, got shape ", shape_text(array.shape));
  const auto converted = [](auto values) {
    std::vector<float> result(values.size());
    std::ranges::transform(values, result.begin(), [](auto x) { return static_cast<float>(x); });
    return result;
  };
  switch (array.dtype) {
    case DType::u1:
      return converted(array.as<uint8_t>());
    case DType::i4:
      return converted(array.as<int32_t>());
    case DType::i8:
      return converted(array.as<int64_t>());
    case DType::f4:
      return converted(array.as<float>());
    case DType::f8:
      return converted(array.as<double>());
  }
  return {};
}

std::vector<int32_t> to_indices(const Array& array, int64_t cols, const std::string& where) {
  const std::vector<int64_t> wide = to_integers(array, where);
  std::vector<int32_t> indices(wide.size());
  for (size_t i = 0; i < wide.size(); ++i) {
    check_io(wide[i] >= 0 && wide[i] < cols, "[", where, "] expected column indices from 0 to ", cols, " - 1, got ",
             wide[i]);
    indices[i] = static_cast<int32_t>(wide[i]);
  }
  return indices;
}

// Sorts one row's indices and its values with them.
void sort_row(std::span<int32_t> indices, std::span<float> values) {
  if (std::ranges::is_sorted(indices)) return;
  std::vector<std::pair<int32_t, float>> row(indices.size());
  for (size_t k = 0; k < row.size(); ++k) row[k] = {indices[k], values[k]};
  std::ranges::sort(row, {}, &std::pair<int32_t, float>::first);
  for (size_t k = 0; k < row.size(); ++k) std::tie(indices[k], values[k]) = row[k];
}

}  // namespace

bool is_sparse_npz(const Npz& archive) { return archive.contains("format") && archive.contains("shape"); }

SparseMatrix read_sparse_npz(const std::string& path) { return read_sparse_npz(Npz::open(path)); }

SparseMatrix read_sparse_npz(const Npz& archive) {
  const std::string& path = archive.path();
  const std::string format = read_format(archive);
  check_io(format == "csr", "[", path, "] expected a sparse matrix in csr form, got '", format,
           "'; save it with scipy.sparse.save_npz(file, matrix.tocsr())");
  const auto shape = to_integers(archive.read("shape"), path + ": shape");
  check_io(shape.size() == 2 && shape[0] >= 0 && shape[1] >= 0 && shape[1] <= INT32_MAX, "[", path,
           ": shape] expected rows and up to 2^31-1 columns, got ", shape_text(shape));

  std::vector<int64_t> indptr = to_integers(archive.read("indptr"), path + ": indptr");
  std::vector<int32_t> indices = to_indices(archive.read("indices"), shape[1], path + ": indices");
  std::vector<float> values = to_floats(archive.read("data"), path + ": data");
  const auto nnz = static_cast<int64_t>(values.size());
  check_io(indices.size() == values.size(), "[", path, "] expected as many indices as values (", nnz, "), got ",
           indices.size());
  check_io(!indptr.empty() && static_cast<int64_t>(indptr.size()) - 1 == shape[0], "[", path, ": indptr] expected ",
           shape[0], " + 1 entries, got ", indptr.size());
  check_io(indptr.front() == 0 && indptr.back() == nnz && std::ranges::is_sorted(indptr), "[", path,
           ": indptr] expected entries that rise from 0 to ", nnz, ", got others");
  for (size_t i = 0; i + 1 < indptr.size(); ++i) {
    const auto begin = static_cast<size_t>(indptr[i]);
    const auto count = static_cast<size_t>(indptr[i + 1]) - begin;
    sort_row(std::span(indices).subspan(begin, count), std::span(values).subspan(begin, count));
  }
  try {
    return {shape[0], shape[1], std::move(indptr), std::move(indices), std::move(values)};
  } catch (const std::invalid_argument& error) {
    fail_io("[", path, "] expected every column at most once in a row, got: ", without_where(error.what()),
            "; call matrix.sum_duplicates() before saving");
  }
}

void write_sparse_npz(const std::string& path, const SparseMatrix& matrix,
                      const std::vector<std::pair<std::string, Array>>& extra) {
  const std::vector<int64_t> shape = {matrix.rows(), matrix.cols()};
  const std::string_view format = "csr";
  const auto wide = matrix.indptr();
  const bool fits = matrix.nnz() <= INT32_MAX;
  const auto narrow = fits ? std::vector<int32_t>(wide.begin(), wide.end()) : std::vector<int32_t>();
  const auto column = []<class T>(std::span<const T> values) {
    return array_of(values, {static_cast<int64_t>(values.size())});
  };
  const Array indptr = fits ? column(std::span<const int32_t>(narrow)) : column(wide);
  std::vector<NpzEntry> entries = {npz_entry("indices", column(matrix.indices())),
                                   npz_entry("indptr", indptr),
                                   {"format", npy_header_text("|S3", {}), std::as_bytes(std::span(format))},
                                   npz_entry("shape", column(std::span<const int64_t>(shape))),
                                   npz_entry("data", column(matrix.values()))};
  for (const auto& [name, array] : extra) entries.push_back(npz_entry(name, array));
  write_npz_entries(path, entries, {.deflate = true});
}

}  // namespace orthant::io
