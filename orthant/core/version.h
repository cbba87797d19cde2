#pragma once

namespace orthant {

// The library's version, "MAJOR.MINOR.PATCH".
const char* version();

}  // namespace orthant
