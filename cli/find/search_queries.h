#pragma once

#include <string>
#include <vector>

#include "cli/frame/command.h"
#include "orthant/index/search.h"

namespace orthant::cli {

struct SearchFlags {
  Common common;
  std::string index;
  std::vector<std::string> items;
  std::string query;
  std::string features;
  std::string image;
  std::string text;
  std::string model;
  std::string filter;
  std::string output;
  int64_t k = 10;
  double recall = 1;
  int64_t explained = 5;
  bool explain = false;
  bool overwrite = false;
  bool json = false;
};

// A query and what it is called: an id, a file, the words of the flag.
struct NamedQuery {
  std::string name;
  index::Query query;
};

// Whatever was asked for, in the order of the flags. Misuse if that is nothing, or several things.
std::vector<NamedQuery> read_queries(const index::Index& index, const SearchFlags& flags);

}  // namespace orthant::cli
