#pragma once

#include <string>
#include "cli/frame/app.h"

#include "cli/frame/command.h"
#include "orthant/data/dataset.h"

namespace orthant::cli {

// Which data set a command works on.
struct DataFlags {
  std::string spec;
  std::string split = "train";
  int64_t size = 0;
  bool strict = false;
  std::string corrupt;
};

// Adds the positional DATA and --split, --size, --strict, --corrupt.
void add_data_flags(App* command, DataFlags& flags);

DatasetPtr open_data(const DataFlags& flags, const Common& common);

// Tells on stderr, unless quiet, if opening the data set takes longer the first time: `spoken` is said then.
void tell_first_time(const std::string& spec, const Common& common);

// Tells on stderr, unless quiet, what notes() has to say of a data set: files left out, a split made here, ...
void tell_notes(const DatasetInfo& info, const Common& common);

}  // namespace orthant::cli
