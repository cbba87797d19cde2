#include "orthant/core/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "orthant/core/error.h"

namespace orthant {

TemporaryFolder::TemporaryFolder() : TemporaryFolder(std::filesystem::temp_directory_path().string()) {}

TemporaryFolder::TemporaryFolder(const std::string& inside)
    : path_((std::filesystem::path(inside) / "orthant-XXXXXX").string()) {
  check_io(::mkdtemp(path_.data()) != nullptr, "[", path_,
           "] expected to make a temporary folder, got: ", std::generic_category().message(errno));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace orthant
