#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/architecture/texts.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;

// The string literals of our own sources below these folders, as "FILE: TEXT"; comments and includes are passed over.
std::vector<std::string> literals_in(const std::vector<std::string>& folders) {
  std::vector<std::string> found;
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(ORTHANT_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      const std::string file = fs::relative(entry.path(), ORTHANT_SOURCE_DIR).string();
      const std::string pattern = R"re(//.*|#include.*|'(?:[^'\\]|\\.)'|"((?:[^"\\\n]|\\.)*)")re";
      for (const std::string& text : test::all_matches(test::text_of(file), pattern)) {
        if (!text.empty()) found.push_back(file + ": " + text);
      }
    }
  }
  return found;
}

TEST(Literals, OnlyRunSpellsThePathsOfARun) {
  const std::regex names(R"re(.*: (\{\})?/?(run\.toml|(model|classifier)\.safetensors|metrics\.jsonl|)re"
                         R"re((measures|selection|names|result)\.json|)re"
                         R"re(/(checkpoint|embeddings|lock)|(\{\}/)?seed-.*|/?events\.out\..*))re");
  const auto literals = literals_in({"cli", "learn", "orthant"});
  ASSERT_GT(literals.size(), 1000U);
  size_t of_run = 0;
  for (const std::string& literal : literals) {
    const bool spells = std::regex_match(literal, names);
    if (literal.starts_with("orthant/run/")) {
      of_run += spells ? 1 : 0;
    } else {
      EXPECT_FALSE(spells) << literal;
    }
  }
  EXPECT_GE(of_run, 10U) << "the names that are looked for are those of orthant/run/run_paths.h";
}

// A flag or a command is a word of the program's; whoever links the library has neither.
TEST(Literals, TheLibraryGivesReasonsAndTheProgramAdvice) {
  // What goes into files that the program writes for itself and for people may say how to repeat it.
  const std::regex advice(R"re(.*[ ']--[a-z][a-z-]+.*|.*'orthant (?!explore')[a-z]+.*)re");
  for (const std::string& literal : literals_in({"learn", "orthant"})) {
    if (literal.find("' repeats it.") != std::string::npos) continue;
    EXPECT_FALSE(std::regex_match(literal, advice)) << literal;
  }
}

}  // namespace
}  // namespace orthant
