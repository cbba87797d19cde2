#pragma once

#include <string>

namespace orthant::test {

// A file that tests/golden/io/generate.py wrote.
inline std::string golden(const std::string& name) { return std::string(ORTHANT_GOLDEN_DIR "/io/") + name; }

}  // namespace orthant::test
