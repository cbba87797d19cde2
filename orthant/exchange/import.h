#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "orthant/core/embeddings.h"

namespace orthant::exchange {

struct ImportOptions {
  int64_t dims = 0;  // features; 0: as the file says, or as many as it uses
  std::function<void(int64_t done, int64_t total)> progress = nullptr;  // may throw
};

// Sparse vectors of other programs, whose kind is told by content: BigANN's .csr (also gzipped), a SciPy CSR .npz, JSON
// lines (see json_lines.h). Where rows are many they lie in a temporary file, so that more than memory holds is read.
// IoError naming the file for anything else; for files that every command reads as they are, it says so.
Embeddings import_file(const std::string& path, const ImportOptions& options = {});

}  // namespace orthant::exchange
