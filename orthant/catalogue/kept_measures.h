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

// The document of `orthant measure` for embeddings named `source`, with these labels (none: without) and a reference of
// the same items (null: none), but for the values of single features. `warn` is told the warnings of the document, such
// as why labels count for nothing.
std::string measures_of(const Embeddings& embeddings, const std::string& source, const std::vector<int64_t>& labels,
                        const measure::EvaluationOptions& options, const Warn& warn = {},
                        const Embeddings* reference = nullptr);

// The same of an even sample of so many items, for embeddings of more than can be compared all with all; the document
// and `warn` say so.
std::string sampled_measures(const Embeddings& embeddings, const std::string& source,
                             const std::vector<int64_t>& labels, int64_t items,
                             const measure::EvaluationOptions& options, const Warn& warn = {},
                             const Embeddings* reference = nullptr);

// The measures.json of a run, if it is newer than the embeddings, of this version and of as many rows and features;
// else nothing.
std::string known_measures(const std::string& run, const RunEmbeddings& from);

// measures_of() embeddings that are kept in a run: known_measures() if there are any; otherwise computed and kept
// there, if the folder can be written.
std::string run_measures(const std::string& run, const RunEmbeddings& from, const std::vector<int64_t>& labels,
                         const measure::EvaluationOptions& options, const Warn& warn = {});

}  // namespace orthant::catalogue
