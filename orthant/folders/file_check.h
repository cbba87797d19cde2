#pragma once

#include <string>
#include <vector>

#include "orthant/folders/file_kind.h"

namespace orthant {

// Why each file `folder`/`paths[i]` of a kind cannot be read; empty where it can. Examined on `threads` threads (0: as
// many as the machine offers); the answer does not depend on them.
//
// `memory` is a folder, created if need be, that keeps what was found sound, a file for each `folder`: one whose size
// and time of change are still the same is not examined again. It is written only where that saves much (1,000 files
// or more); failing to read or write it is no error. Empty: nothing is remembered.
std::vector<std::string> check_files(const FileKind& kind, const std::string& folder,
                                     const std::vector<std::string>& paths, const std::string& memory, int threads);

}  // namespace orthant
