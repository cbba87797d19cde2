#pragma once

#include <string>

namespace orthant::io {

// True if both are there and the first was written later.
bool is_newer(const std::string& file, const std::string& than);

// True if files can be made in the folder, which is made if it is not there.
bool can_write_into(const std::string& folder);

}  // namespace orthant::io
