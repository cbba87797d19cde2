#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"
#include "orthant/core/embeddings.h"

namespace orthant::cli {

// The flags of `orthant select`.
struct SelectFlags {
  Common common;
  std::vector<std::string> embeddings;
  std::string labels;
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
  int64_t iterations = 1000;
  int64_t neighbours = 20;
  std::string definition = "paper";
  std::string output;
  bool json = false;
  bool overwrite = false;
};

// Embeddings of a file or of a run's split, with the classes of --labels if there are any given.
Embeddings read_selected(const SelectFlags& flags, const std::string& path);

// std::invalid_argument, naming the file, if nothing was learned of how much its features count.
void check_importance(const std::vector<float>& importance, const std::string& path);

// `select --sweep`: prints the table or the document of docs/formats.md, and writes the latter to -o.
void run_select_sweep(const SelectFlags& flags);

}  // namespace orthant::cli
