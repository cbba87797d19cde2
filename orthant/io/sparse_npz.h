#pragma once

#include <string>

#include "orthant/core/sparse_matrix.h"
#include "orthant/io/npz.h"

namespace orthant::io {

// SciPy's sparse .npz in CSR form: arrays indices, indptr, format, shape and data, plus any others, which SciPy
// ignores.

// Reads what scipy.sparse.save_npz wrote: int32 or int64 indices, values of any type that npy.h reads, as float32.
// Rows whose column indices are not sorted are sorted; a column that occurs twice in a row is IoError, as is any other
// form (csc, coo, bsr, dia), with advice, and every inconsistency of the arrays.
SparseMatrix read_sparse_npz(const std::string& path);
SparseMatrix read_sparse_npz(const Npz& archive);

// True if the archive holds a sparse matrix, of whatever form.
bool is_sparse_npz(const Npz& archive);

// Writes a deflated archive, atomically, with `extra` arrays behind the matrix. Opens with scipy.sparse.load_npz.
// indptr is int32 if that is enough, as SciPy has it.
void write_sparse_npz(const std::string& path, const SparseMatrix& matrix,
                      const std::vector<std::pair<std::string, Array>>& extra = {});

}  // namespace orthant::io
