#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace orthant {
namespace {

using Arrows = std::map<std::string, std::set<std::string>>;

// What each module may include besides itself: the table of docs/architecture.md.
const Arrows kAllowed = {
    {"orthant/core", {}},
    {"orthant/io", {"orthant/core"}},
    {"orthant/views", {"orthant/core"}},
    {"orthant/theory", {"orthant/core"}},
    {"orthant/data", {"orthant/core", "orthant/io", "orthant/views"}},
    {"orthant/report", {"orthant/core", "orthant/io", "orthant/data"}},
};

std::set<std::string> included_modules(const std::filesystem::path& file) {
  static const std::regex kInclude(R"re(^\s*#\s*include\s+"((orthant|learn|cli|tests)/?[^/"]*)/.*")re");
  std::set<std::string> modules;
  std::ifstream in(file);
  std::string line;
  std::smatch match;
  while (std::getline(in, line)) {
    if (std::regex_match(line, match, kInclude)) modules.insert(match[1]);
  }
  return modules;
}

TEST(Architecture, ModulesIncludeOnlyWhatTheyMay) {
  const std::filesystem::path root = ORTHANT_SOURCE_DIR;
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "orthant")) {
    const auto extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp") continue;
    ++files;
    const std::string module = std::filesystem::relative(entry.path().parent_path(), root).string();
    ASSERT_TRUE(kAllowed.contains(module)) << module << " is not in the table of modules";
    for (const std::string& included : included_modules(entry.path())) {
      EXPECT_TRUE(included == module || kAllowed.at(module).contains(included))
          << entry.path().string() << " includes " << included;
    }
  }
  EXPECT_GT(files, 20);
}

TEST(Architecture, HeadersOfTheLibraryNeedNothingBeyondTheStandard) {
  static const std::regex kForeign(
      R"re(^\s*#\s*include\s+<(hwy|cblas|lapacke|fmt|nlohmann|toml|CLI|zip|spng|torch).*)re");
  const std::filesystem::path root = ORTHANT_SOURCE_DIR;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "orthant")) {
    if (entry.path().extension() != ".h" || entry.path().string().ends_with("-inl.h")) continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      EXPECT_FALSE(std::regex_match(line, kForeign)) << entry.path().string() << ": " << line;
    }
  }
}

}  // namespace
}  // namespace orthant
