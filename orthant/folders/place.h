#pragma once

#include <string>

namespace orthant {

// Whether there is anything at `path`; false also where the question is not permitted. Never throws.
bool is_there(const std::string& path);
bool is_folder(const std::string& path);

// The path with a leading ~ or ~/ replaced by the home folder, as a shell would have it behind no colon; unchanged
// where $HOME is not set.
std::string expand_home(const std::string& path);

// Where a program may keep what it can find out again: $XDG_CACHE_HOME/orthant, or else ~/.cache/orthant; empty if the
// environment names neither.
std::string cache_folder();

// IoError "[folder] expected a folder WITH, got ..." unless `folder` is one.
void check_folder(const std::string& folder, const std::string& with = "");

}  // namespace orthant
