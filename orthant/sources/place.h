#pragma once

#include <string>

namespace orthant {

// Whether there is anything at `path`; false also where the question is not permitted. Never throws.
bool is_there(const std::string& path);
bool is_folder(const std::string& path);

// IoError "[folder] expected a folder WITH, got ..." unless `folder` is one.
void check_folder(const std::string& folder, const std::string& with = "");

}  // namespace orthant
