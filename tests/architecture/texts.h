#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

namespace orthant::test {

// The text of a file, named from the top of the repository.
inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(std::filesystem::path(ORTHANT_SOURCE_DIR) / file);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

// What the first group of the pattern is in each of its matches; ^ and $ are those of a line.
inline std::vector<std::string> all_matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern, std::regex::ECMAScript | std::regex::multiline);
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) {
    found.push_back((*match)[1]);
  }
  return found;
}

}  // namespace orthant::test
