#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/architecture/texts.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;
using Arrows = std::map<std::string, std::set<std::string>>;

constexpr size_t kLargestModule = 45;  // files

// What each module may include besides itself: the table of docs/architecture.md. Modules are named without "orthant/".
const Arrows kAllowed = {
    {"core", {}},
    {"codec", {"core"}},
    {"io", {"core", "codec"}},
    {"linalg", {"core"}},
    {"views", {"core"}},
    {"corrupt", {"core", "io"}},
    {"sound", {"core", "io", "views"}},
    {"data", {"core", "views", "corrupt", "text", "sound"}},
    {"text", {"core"}},
    {"texts", {"core", "io", "data", "text"}},
    {"folders", {"core", "io", "data"}},
    {"sounds", {"core", "io", "data", "sound", "folders"}},
    {"pack", {"core", "io", "data"}},
    {"graph", {"core", "io", "data", "text"}},
    {"sources", {"core", "io", "data", "folders", "sounds", "texts", "pack", "graph"}},
    {"shards", {"core", "io"}},
    {"exchange", {"core", "io", "shards", "search"}},
    {"pairs", {"core", "corrupt", "data", "sources"}},
    {"fit", {"core"}},
    {"search", {"core"}},
    {"clean", {"core", "fit", "search"}},
    {"disentangle", {"core", "linalg", "fit", "search"}},
    {"measure", {"core", "linalg", "search", "disentangle"}},
    {"pairing", {"core", "linalg", "measure"}},
    {"classify", {"core", "io", "text"}},
    {"query", {"core"}},
    {"index", {"core", "io", "search", "query"}},
    {"select", {"core", "io", "fit", "measure", "run", "adapt"}},
    {"factorize", {"core", "linalg"}},
    {"decompose", {"core", "shards"}},
    {"naming", {"core", "search", "decompose", "words"}},
    {"theory", {"core", "linalg", "factorize"}},
    {"layout", {"core", "linalg", "search"}},
    {"labels", {"core", "data"}},
    {"run", {"core", "io", "views", "corrupt", "data", "sources", "labels", "search", "text"}},
    {"launch", {"core", "io"}},
    {"adapt", {"core", "io", "linalg", "shards", "search", "measure", "run"}},
    {"words", {"core", "io", "text", "run"}},
    {"catalogue",
     {"core", "io", "linalg", "data", "sources", "pairs", "search", "disentangle", "measure", "words", "classify",
      "layout", "run", "adapt"}},
    {"report", {"core", "io", "views", "sound", "data", "search", "clean", "words", "classify", "heat", "catalogue"}},
    {"serve", {"core", "io", "views", "text", "heat", "catalogue", "report"}},
    {"heat", {"core", "views"}},
    {"towers", {"core", "io", "text", "pairs", "run"}},
    {"learn/group", {"core", "io", "launch"}},
    {"learn/tiles", {"core"}},
    {"learn/nn", {"core", "io", "run", "text", "learn/group", "learn/tiles"}},
    {"learn/text", {"core", "io", "run", "text", "learn/nn"}},
    {"learn/loss", {"core", "run", "towers", "learn/group", "learn/nn"}},
    {"learn/task",
     {"core", "data", "pairs", "fit", "measure", "pairing", "run", "towers", "learn/group", "learn/tiles", "learn/nn",
      "learn/text", "learn/loss"}},
    {"learn/train",
     {"core", "io", "views", "corrupt", "data", "shards", "labels", "run", "text", "learn/group", "learn/nn",
      "learn/task"}},
    {"learn/explain", {"core", "run", "views", "heat", "learn/nn", "learn/task"}},
};

// Foreign headers that the sources of each module may include (the first folder, or the file), besides the standard
// library's and POSIX's. Modules that are not listed need none.
const Arrows kForeign = {
    {"core", {"cpuid.h", "hwy", "omp.h"}},
    {"codec", {"jerror.h", "jpeglib.h", "spng.h", "webp"}},
    {"io", {"nlohmann", "toml++", "zip.h", "zlib.h"}},
    {"linalg", {"cblas.h", "lapacke.h"}},
    {"views", {"hwy"}},
    {"sound", {"fftw3.h", "samplerate.h", "sndfile.h"}},
    {"text", {"utf8proc.h"}},
    {"pack", {"zlib.h"}},
    {"fit", {"cblas.h"}},
    {"decompose", {"cblas.h"}},
    {"search", {"hwy"}},
    {"index", {"hwy"}},
    {"measure", {"cblas.h", "hwy", "nlohmann"}},
    {"classify", {"nlohmann"}},
    {"clean", {"fmt", "nlohmann"}},
    {"heat", {"fmt"}},
    {"factorize", {"hwy"}},
    {"exchange", {"fmt", "nlohmann"}},
    {"theory", {"fmt", "nlohmann"}},
    {"run", {"fmt", "nlohmann"}},
    {"adapt", {"cblas.h", "fmt", "hwy", "nlohmann"}},
    {"catalogue", {"nlohmann"}},
    {"report", {"fmt", "nlohmann"}},
    {"serve", {"nlohmann"}},
    {"learn/group", {"ATen", "linux", "torch"}},
    {"learn/tiles", {"ATen", "immintrin.h", "torch"}},
    {"learn/nn", {"ATen", "hwy", "torch"}},
    {"learn/text", {"ATen"}},
    {"learn/loss", {"ATen", "cblas.h", "hwy", "omp.h", "torch"}},
    {"learn/task", {"ATen", "fmt"}},
    {"learn/train", {"ATen", "fmt", "malloc.h", "torch"}},
    {"learn/explain", {"ATen", "torch"}},
};

// A program that links orthant::orthant needs no other package's headers; one that links orthant::learn needs LibTorch.
const std::set<std::string> kPosix = {"arpa",     "fcntl.h", "netdb.h", "netinet", "poll.h",
                                      "signal.h", "spawn.h", "stdio.h", "sys",     "unistd.h"};

const fs::path kRoot = ORTHANT_SOURCE_DIR;

fs::path folder_of(const std::string& module) {
  return module.starts_with("learn/") ? kRoot / module : kRoot / "orthant" / module;
}

std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    if (extension == ".h" || extension == ".cpp") found.push_back(entry.path());
  }
  return found;
}

// What a file includes, as written between the quotes or the brackets.
std::vector<std::string> includes_of(const fs::path& file, char open) {
  static const std::regex kInclude(R"re(^\s*#\s*include\s+(["<])([^">]+)[">].*)re");
  std::vector<std::string> found;
  std::ifstream in(file);
  std::string line;
  std::smatch match;
  while (std::getline(in, line)) {
    if (std::regex_match(line, match, kInclude) && match[1].str()[0] == open) found.push_back(match[2]);
  }
  return found;
}

// "orthant/measure/knn.h" is of measure, "learn/nn/model.h" of learn/nn; of other files (cli/, tests/) the first
// folder.
std::string module_of(const std::string& include) {
  const auto first = include.find('/');
  const auto second = include.find('/', first + 1);
  if (second == std::string::npos) return include.substr(0, first);
  return include.starts_with("orthant/") ? include.substr(first + 1, second - first - 1) : include.substr(0, second);
}

TEST(Architecture, ModulesIncludeWhatTheyMayAndNothingIsAllowedInVain) {
  for (const auto& [module, allowed] : kAllowed) {
    std::set<std::string> used;
    for (const fs::path& file : sources_in(folder_of(module))) {
      for (const std::string& include : includes_of(file, '"')) {
        const std::string other = module_of(include);
        if (other == module) continue;
        used.insert(other);
        EXPECT_TRUE(allowed.contains(other)) << file << " includes " << include;
      }
    }
    for (const std::string& other : allowed) {
      EXPECT_TRUE(used.contains(other)) << module << " may include " << other << " and does not";
    }
  }
}

// "hwy" of <hwy/highway.h>, "zip.h" of <zip.h>, "" of the standard library's.
std::string foreign_of(const std::string& include) {
  const bool standard = include.find('.') == std::string::npos;
  const std::string first = include.substr(0, include.find('/'));
  return standard || kPosix.contains(first) ? "" : first;
}

TEST(Architecture, ForeignHeadersStayWhereTheyAreListed) {
  for (const auto& [module, allowed] : kAllowed) {
    const auto listed = kForeign.find(module);
    std::set<std::string> used;
    for (const fs::path& file : sources_in(folder_of(module))) {
      const bool public_header = file.extension() == ".h" && !file.string().ends_with("-inl.h");
      for (const std::string& include : includes_of(file, '<')) {
        const std::string foreign = foreign_of(include);
        if (foreign.empty()) continue;
        used.insert(foreign);
        EXPECT_TRUE(listed != kForeign.end() && listed->second.contains(foreign)) << file << " includes " << include;
        EXPECT_TRUE(!public_header || (module.starts_with("learn/") && foreign == "ATen"))
            << file << " brings " << include << " to whoever includes it";
      }
    }
    if (listed == kForeign.end()) continue;
    for (const std::string& foreign : listed->second) {
      EXPECT_TRUE(used.contains(foreign)) << module << " may include " << foreign << " and does not";
    }
  }
}

// "| `io` | files of every format | core, codec |"; what follows a semicolon is foreign.
TEST(Architecture, TheTableOfTheDocumentsAllowsTheSame) {
  const std::string text = test::text_of("docs/architecture.md");
  for (const auto& [module, allowed] : kAllowed) {
    const auto cells = test::all_matches(text, "^\\| `" + module + "` \\|[^|]*\\| ([^|;]*)[^|]*\\|$");
    ASSERT_EQ(cells.size(), 1U) << module;
    const auto names = test::all_matches(cells.front(), "([a-z/]+)(?:, | *$)");
    const bool none = cells.front() == "the standard library ";
    EXPECT_EQ(none ? std::set<std::string>() : std::set<std::string>(names.begin(), names.end()), allowed) << module;
  }
}

TEST(Architecture, ModulesDoNotIncludeEachOtherInCircles) {
  std::set<std::string> done;
  std::vector<std::string> path;
  const std::function<void(const std::string&)> visit = [&](const std::string& module) {
    for (const std::string& above : path) ASSERT_NE(above, module) << "a circle through " << module;
    if (done.contains(module)) return;
    path.push_back(module);
    for (const std::string& other : kAllowed.at(module)) visit(other);
    path.pop_back();
    done.insert(module);
  };
  for (const auto& [module, allowed] : kAllowed) visit(module);
}

// Headers that include each other are one that was cut in the wrong place, and `#pragma once` hides it. A source is in
// no circle: it may well call parts whose headers use the types of its own.
TEST(Architecture, FilesOfAModuleDoNotIncludeEachOtherInCircles) {
  for (const auto& [module, allowed] : kAllowed) {
    Arrows arrows;
    for (const fs::path& file : sources_in(folder_of(module))) {
      if (file.extension() != ".h") continue;
      for (const std::string& include : includes_of(file, '"')) {
        if (module_of(include) == module) arrows[file.stem()].insert(fs::path(include).stem());
      }
    }
    std::set<std::string> done;
    std::set<std::string> above;
    const std::function<void(const std::string&)> visit = [&](const std::string& file) {
      ASSERT_FALSE(above.contains(file)) << "a circle through " << module << "/" << file << ".h";
      if (done.contains(file)) return;
      above.insert(file);
      for (const std::string& other : arrows[file]) visit(other);
      above.erase(file);
      done.insert(file);
    };
    std::vector<std::string> files;
    for (const auto& [file, others] : arrows) files.push_back(file);
    for (const std::string& file : files) visit(file);
  }
}

TEST(Architecture, EveryFolderIsAModuleOfTheTableTwoLevelsDeepAndNotTooLarge) {
  for (const char* library : {"orthant", "learn"}) {
    for (const auto& entry : fs::directory_iterator(kRoot / library)) {
      if (!entry.is_directory()) continue;
      const std::string name = entry.path().filename();
      EXPECT_TRUE(kAllowed.contains(std::string(library) == "learn" ? "learn/" + name : name)) << entry.path();
    }
  }
  std::vector<fs::path> folders = {kRoot / "cli",          kRoot / "cli/classify", kRoot / "cli/clean",
                                   kRoot / "cli/exchange", kRoot / "cli/frame",    kRoot / "cli/towers",
                                   kRoot / "cli/where"};
  for (const auto& [module, allowed] : kAllowed) folders.push_back(folder_of(module));
  for (const fs::path& folder : folders) {
    size_t files = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
      EXPECT_FALSE(entry.is_directory() && folder.filename() != "cli") << entry.path() << " is deeper than two levels";
      if (entry.is_regular_file()) ++files;
    }
    EXPECT_LE(files, kLargestModule) << folder;
  }
}

}  // namespace
}  // namespace orthant
