#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "orthant/core/embeddings.h"

namespace orthant::cli {

// The flags of `orthant select`.
struct SelectFlags {
  Common common;
  std::vector<std::string> embeddings;
  std::vector<int64_t> keep;
  std::string by = "activation";
  std::string rank = "relu";
  bool ranking_given = false;  // --by or --rank
  std::string rank_from;
  bool renormalise = false;
  std::string apply;
  bool sweep = false;
  std::vector<std::string> train;
  int64_t seeds = 3;
  bool probe_relu = false;
  double l2 = -1;
  int64_t neighbours = 20;
  std::string definition = "paper";
  std::string output;
  bool json = false;
  bool overwrite = false;
};

// `select --sweep`: prints the table or the document of docs/formats.md, and writes the latter to -o.
void run_select_sweep(const SelectFlags& flags);

// Features of a model, by number, in the order wanted.
struct KeptFeatures {
  std::vector<int64_t> numbers;
  int64_t of = 0;  // how many the model must have; 0: unknown
};

// Writes to `to` the run `from` with a model whose last layer computes only these of its features, in this order:
// model.safetensors and run.toml. Nothing of LibTorch is needed: the file's tensors are copied. std::invalid_argument
// if the model has no projector or a feature depends on the others (topk), or a feature is not among its own; IoError
// if `from` holds no model.
void write_shortened_run(const std::string& from, const std::string& to, const KeptFeatures& kept, bool overwrite);

}  // namespace orthant::cli
