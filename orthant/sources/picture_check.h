#pragma once

#include <string>
#include <vector>

namespace orthant {

// Why each picture `folder`/`paths[i]` cannot be read, see why_unreadable(); empty where it can. Examined on `threads`
// threads (0: as many as the machine offers); the answer does not depend on them.
//
// `memory` is a folder, created if need be, that keeps what was found sound, a file for each `folder`: a picture whose
// size and time of change are still the same is not examined again. It is written only where that saves much (1,000
// pictures or more); failing to read or write it is no error. Empty: nothing is remembered.
std::vector<std::string> check_pictures(const std::string& folder, const std::vector<std::string>& paths,
                                        const std::string& memory, int threads);

}  // namespace orthant
