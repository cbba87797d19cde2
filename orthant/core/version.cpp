#include "orthant/core/version.h"

namespace orthant {

const char* version() { return ORTHANT_VERSION; }

}  // namespace orthant
