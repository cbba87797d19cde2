#pragma once

#include <string>

namespace orthant {

// A new folder of this program's own, removed with everything in it at the end; files of it that are mapped or open
// stay readable. IoError if none can be made.
class TemporaryFolder {
 public:
  TemporaryFolder();                                    // where the system keeps such
  explicit TemporaryFolder(const std::string& inside);  // in this folder, which is there
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace orthant
