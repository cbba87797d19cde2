#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "orthant/catalogue/run_embeddings.h"
#include "orthant/measure/evaluation.h"

namespace orthant::catalogue {

// Told one line of what is worth knowing.
using Warn = std::function<void(const std::string& line)>;

// The document of `orthant measure` for embeddings named `source`, with these labels (none: without). `warn` is told
// the warnings of the document, such as why labels count for nothing.
std::string measures_of(const Embeddings& embeddings, const std::string& source, const std::vector<int64_t>& labels,
                        const measure::EvaluationOptions& options, const Warn& warn = {});

// The same for embeddings that are kept in a run: from its measures.json if that is newer than the embeddings, of this
// version and of as many rows and features; otherwise computed and kept there, if the folder can be written.
std::string run_measures(const std::string& run, const RunEmbeddings& from, const std::vector<int64_t>& labels,
                         const measure::EvaluationOptions& options, const Warn& warn = {});

}  // namespace orthant::catalogue
