#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orthant::select {

// Features of a model, by number, in the order wanted.
struct KeptFeatures {
  std::vector<int64_t> numbers;
  int64_t of = 0;  // how many the model must have; 0: unknown
};

// Writes to `to` the run `from` with a model whose last layer computes only these of its features, in this order:
// model.safetensors and run.toml. `from` is a run of pretraining, or one that adapted vectors. A classifier in the
// model keeps the weights of these features and its bias; what was learned of the features' importance stays with them.
// The model is one to embed with, not one to resume. A shortened run that was there is replaced with all that belonged
// to it, if `overwrite`; the new one is held while it is written. std::invalid_argument if `from` is another run, the
// model has no projector, a feature depends on the others (topk) or is not among the model's own, or `to` is a run that
// was trained, or one that exists without `overwrite`; IoError if `from` holds no model, or another program holds `to`.
// Nothing is removed then.
void write_shortened_run(const std::string& from, const std::string& to, const KeptFeatures& kept, bool overwrite);

}  // namespace orthant::select
