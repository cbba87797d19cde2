#pragma once

#include <string>
#include <string_view>

#include "orthant/core/embeddings.h"

namespace orthant::io {

// Reads embeddings from a file, whose kind is told by its content, never by its name:
//  - .safetensors: ours with everything (docs/formats.md has the layout), or any file with exactly one 2-D float
//    tensor, and "labels" if there is a 1-D integer tensor of that name;
//  - .npy: a 2-D float array;
//  - .npz: a SciPy CSR matrix, "features", or exactly one 2-D float array; "labels" and what write_embeddings() adds.
// Dense float32 features of .npy and .safetensors, and sparse ones of .safetensors, stay in the mapped file. Throws
// IoError naming the file if it is none of these or its parts do not fit together.
Embeddings read_embeddings(const std::string& path);

// The endings of the files that write_embeddings() writes, and whether this, with its dot, is one.
inline constexpr const char* kEmbeddingsEndings = ".safetensors, .npz, .npy or .csv";
bool is_embeddings_ending(std::string_view ending);

// Writes embeddings atomically, in the form that the extension of `path` says: .safetensors and .npz keep everything
// (sparse features in .npz open with scipy.sparse.load_npz), .npy keeps the features only, dense. Names that are not
// UTF-8 are mended with U+FFFD, ids are kept byte by byte. .csv is a table to look at or to take elsewhere, which is
// not read back: see write_embeddings_csv(). std::invalid_argument for another extension or embeddings that are not
// valid.
void write_embeddings(const std::string& path, const Embeddings& embeddings);

}  // namespace orthant::io
