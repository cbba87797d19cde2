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
    {"orthant/corrupt", {"orthant/core", "orthant/io"}},
    {"orthant/theory", {"orthant/core"}},
    {"orthant/measure", {"orthant/core"}},
    {"orthant/select", {"orthant/core", "orthant/measure"}},
    {"orthant/layout", {"orthant/core", "orthant/measure"}},
    {"orthant/data", {"orthant/core", "orthant/io", "orthant/views", "orthant/corrupt"}},
    {"orthant/report",
     {"orthant/core", "orthant/io", "orthant/views", "orthant/data", "orthant/measure", "orthant/layout"}},
    {"orthant/serve",
     {"orthant/core", "orthant/io", "orthant/views", "orthant/data", "orthant/measure", "orthant/select",
      "orthant/report"}},
    {"learn/nn", {"orthant/core", "orthant/io"}},
    {"learn/loss", {"orthant/core", "orthant/io", "learn/nn"}},
    {"learn/train",
     {"orthant/core", "orthant/io", "orthant/views", "orthant/corrupt", "orthant/data", "orthant/measure", "learn/nn",
      "learn/loss"}},
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
  for (const auto& [module, allowed] : kAllowed) {
    for (const auto& entry : std::filesystem::directory_iterator(root / module)) {
      ASSERT_FALSE(entry.is_directory()) << entry.path() << " is deeper than two levels";
      const auto extension = entry.path().extension();
      if (extension != ".h" && extension != ".cpp") continue;
      ++files;
      for (const std::string& included : included_modules(entry.path())) {
        EXPECT_TRUE(included == module || allowed.contains(included)) << entry.path() << " includes " << included;
      }
    }
  }
  EXPECT_GT(files, 100);
}

TEST(Architecture, EveryFolderIsAModuleOfTheTable) {
  const std::filesystem::path root = ORTHANT_SOURCE_DIR;
  for (const char* library : {"orthant", "learn"}) {
    for (const auto& entry : std::filesystem::directory_iterator(root / library)) {
      const std::string module = std::string(library) + "/" + entry.path().filename().string();
      EXPECT_TRUE(!entry.is_directory() || kAllowed.contains(module)) << module;
    }
  }
}

TEST(Architecture, HeadersOfTheLibraryNeedNothingBeyondTheStandard) {
  static const std::regex kForeign(
      R"re(^\s*#\s*include\s+<(hwy|cblas|lapacke|fmt|nlohmann|toml|CLI|zip|spng|httplib|torch).*)re");
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
