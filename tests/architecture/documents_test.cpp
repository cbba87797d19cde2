#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/architecture/texts.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;
using test::all_matches;
using test::text_of;

const fs::path kRoot = ORTHANT_SOURCE_DIR;

// Headers that are installed must not include one that is not.
TEST(Documents, PublicHeadersIncludeOnlyPublicOnes) {
  const auto listed = all_matches(text_of("cmake/PublicHeaders.cmake"), R"(^  (\S+\.h)\)?$)");
  const std::set<std::string> headers(listed.begin(), listed.end());
  ASSERT_GT(headers.size(), 50U);
  EXPECT_EQ(headers.size(), listed.size()) << "listed twice";
  for (const std::string& header : headers) {
    for (const std::string& include : all_matches(text_of(header), R"re(^#include "([^"]+)")re")) {
      EXPECT_TRUE(headers.contains(include)) << header << " includes " << include << ", which is not installed";
    }
  }
}

// docs/architecture.md follows each command from file to file: "1. `cli/embed.cpp`: ...".
TEST(Documents, TheWalkNamesFilesThatAreThereAndNeverGoesBack) {
  const std::string text = text_of("docs/architecture.md");
  const auto from = text.find("## A walk");
  ASSERT_NE(from, std::string::npos);
  std::map<std::string, std::vector<std::string>> walks;
  std::string command;
  static const std::regex kHeading(R"re(^### `orthant (\w+)`.*)re");
  static const std::regex kHop(R"re(^\d+\. `([^`]+)`.*)re");
  std::istringstream lines(text.substr(from));
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ") && !line.starts_with("## A walk")) break;
    if (std::regex_match(line, match, kHeading)) command = match[1];
    if (std::regex_match(line, match, kHop)) walks[command].push_back(match[1]);
  }
  for (const char* wanted : {"pretrain", "embed", "measure", "report", "explore"}) {
    EXPECT_GE(walks[wanted].size(), 4U) << wanted;
  }
  for (const auto& [name, hops] : walks) {
    std::set<std::string> seen;
    for (const std::string& hop : hops) {
      EXPECT_TRUE(fs::exists(kRoot / hop)) << name << ": " << hop;
      EXPECT_TRUE(seen.insert(hop).second) << name << " goes back to " << hop;
    }
  }
}

// The table of modules in docs/architecture.md names every folder.
TEST(Documents, TheTableNamesEveryModule) {
  const std::string text = text_of("docs/architecture.md");
  for (const char* library : {"orthant", "learn"}) {
    for (const auto& entry : fs::directory_iterator(kRoot / library)) {
      if (!entry.is_directory()) continue;
      const std::string name = entry.path().filename();
      const std::string cell = std::string(library) == "learn" ? "| `learn/" + name + "` |" : "| `" + name + "` |";
      EXPECT_NE(text.find(cell), std::string::npos) << cell;
    }
  }
}

}  // namespace
}  // namespace orthant
