#pragma once

#include <string>

#include "orthant/core/embeddings.h"

namespace orthant::io {

// Writes a table of comma-separated values, atomically and row by row: a line of titles, then for each item "id" if
// there are ids, "label" if there are labels (the name of the class where there are names; nothing for none), one
// column per factor under its name, and "f0", "f1", ... : the features, with as many digits as give the same float
// back.
void write_embeddings_csv(const std::string& path, const Embeddings& embeddings);

}  // namespace orthant::io
