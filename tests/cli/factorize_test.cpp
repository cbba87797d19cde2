#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "orthant/core/rng.h"
#include "orthant/io/array.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/npy.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Communities of 50 nodes: edges within with probability 0.3, across with 0.01. Node "n<i>" belongs to i / 50.
std::string planted_graph(int communities) {
  Rng rng(7);
  std::string text;
  for (int i = 0; i < 50 * communities; ++i) {
    for (int j = 0; j < i; ++j) {
      if (!rng.bernoulli(i / 50 == j / 50 ? 0.3 : 0.01)) continue;
      text.append("n").append(std::to_string(i)).append("\tn").append(std::to_string(j)).append("\n");
    }
  }
  return text;
}

std::map<std::string, int64_t> read_communities(const std::string& path) {
  std::istringstream lines(test::read_bytes(path));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "node\tcommunity\tstrength");
  std::map<std::string, int64_t> all;
  std::string node;
  int64_t community = 0;
  double strength = 0;
  while (lines >> node >> community >> strength) all[node] = community;
  return all;
}

// The share of nodes in the right community under the best of all matchings.
double matched_accuracy(const std::map<std::string, int64_t>& found, int communities) {
  std::vector<int64_t> order(static_cast<size_t>(communities));
  for (size_t c = 0; c < order.size(); ++c) order[c] = static_cast<int64_t>(c);
  double best = 0;
  do {
    double right = 0;
    for (const auto& [node, community] : found) {
      right += order[static_cast<size_t>(std::stoi(node.substr(1)) / 50)] == community;
    }
    best = std::max(best, right / static_cast<double>(found.size()));
  } while (std::ranges::next_permutation(order).found);
  return best;
}

TEST(Factorize, RecoversPlantedCommunities) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder / "graph.tsv", planted_graph(4));
  for (const std::string solver : {"sym-hals", "sym-cd", "hals"}) {
    const auto finished =
        test::run_orthant({"factorize", folder / "graph.tsv", "--rank", "4", "--solver", solver, "-o",
                           folder / "w.safetensors", "--communities", folder / "c.tsv", "--json", "--overwrite"});
    ASSERT_EQ(finished.code, 0) << finished.errors;
    const auto report = nlohmann::json::parse(finished.output);
    EXPECT_EQ(report["rows"], 200);
    EXPECT_EQ(report["normalized"], true);
    const auto communities = read_communities(folder / "c.tsv");
    EXPECT_EQ(communities.size(), 200U);
    EXPECT_GE(matched_accuracy(communities, 4), 0.95) << solver;
  }
  const Embeddings embeddings = io::read_embeddings(folder / "w.safetensors");
  EXPECT_EQ(embeddings.rows(), 200);
  EXPECT_EQ(embeddings.cols(), 4);
  EXPECT_EQ(embeddings.how.at("solver"), "hals");
  EXPECT_EQ(embeddings.how.at("rank"), "4");
  EXPECT_EQ(embeddings.ids.size(), 200U);
}

TEST(Factorize, SplitsTwoTrianglesAndLeavesTheLonelyNodeAlone) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder / "edges.txt", "a b\nb c\nc a\nd e\ne f\nf d\nc d 0.1\nlonely\n");
  const auto finished = test::run_orthant(
      {"factorize", folder / "edges.txt", "--rank", "2", "-o", folder / "w.npz", "--communities", folder / "c.tsv"});
  ASSERT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(finished.output, StartsWith("7 x 7 by sym-hals at rank 2: relative error "));
  auto communities = read_communities(folder / "c.tsv");
  EXPECT_EQ(communities["lonely"], -1);
  EXPECT_EQ((std::set{communities["a"], communities["b"], communities["c"]}).size(), 1U);
  EXPECT_EQ((std::set{communities["d"], communities["e"], communities["f"]}).size(), 1U);
  EXPECT_NE(communities["a"], communities["f"]);
}

TEST(Factorize, NormalisesGraphsUnlessToldOtherwiseAndMatricesOnlyWhenTold) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder / "edges.txt", "a b 4\nb c\n");
  io::write_npy(folder / "a.npy", io::array_of<float>(std::vector<float>{4, 1, 1, 9}, {2, 2}));
  const auto normalized = [&](const std::string& input, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"factorize", folder / input,   "--rank", "1",
                                          "-o",        folder / "w.npy", "--json", "--overwrite"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return nlohmann::json::parse(test::run_orthant(arguments).output).at("normalized").get<bool>();
  };
  EXPECT_TRUE(normalized("edges.txt", {}));
  EXPECT_FALSE(normalized("edges.txt", {"--no-normalize"}));
  EXPECT_FALSE(normalized("a.npy", {}));
  EXPECT_TRUE(normalized("a.npy", {"--normalize"}));
}

TEST(Factorize, AMatrixGivesBothFactorsAndTheSameForEveryNumberOfThreads) {
  const test::TemporaryFolder folder;
  std::vector<float> values(30 * 8);
  Rng rng(1);
  for (float& value : values) value = static_cast<float>(rng.uniform());
  io::write_npy(folder / "a.npy", io::array_of<float>(values, {30, 8}));
  for (const std::string threads : {"1", "3"}) {
    const auto finished =
        test::run_orthant({"factorize", folder / "a.npy", "--rank", "3", "--init", "nndsvd", "--threads", threads, "-o",
                           folder / ("w" + threads + ".npy"), "--h", folder / "h.npy", "--quiet", "--overwrite"});
    ASSERT_EQ(finished.code, 0) << finished.errors;
    EXPECT_EQ(finished.output + finished.errors, "");
  }
  EXPECT_EQ(test::read_bytes(folder / "w1.npy"), test::read_bytes(folder / "w3.npy"));
  const Matrix w = io::read_npy_matrix(folder / "w1.npy");
  const Matrix h = io::read_npy_matrix(folder / "h.npy");
  EXPECT_EQ(w.rows(), 30);
  EXPECT_EQ(h.rows(), 8);
  EXPECT_GE(*std::ranges::min_element(w.values()), 0);
}

TEST(Factorize, RefusesInOneLine) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder / "bad.txt", "a b\nb c heavy\n");
  test::write_bytes(folder / "good.txt", "a b\nb c\n");
  io::write_npy(folder / "skew.npy", io::array_of<float>(std::vector<float>{1, 2, 3, 4}, {2, 2}));
  io::write_npy(folder / "minus.npy", io::array_of<float>(std::vector<float>{1, 2, -3, 4}, {2, 2}));
  struct Case {
    int code;
    std::vector<std::string> arguments;
    std::string message;
  };
  const std::string out = folder / "w.npz";
  const std::vector<Case> cases = {
      {1, {folder / "bad.txt", "-o", out, "--rank", "2"}, "line 2] expected a number as weight, got 'heavy'"},
      {1, {folder / "good.txt", "-o", out, "--rank", "4"}, "expected a rank from 1 to 3"},
      {1, {folder / "skew.npy", "-o", out, "--rank", "1", "--solver", "sym-cd"}, "expected a symmetric matrix"},
      {1, {folder / "minus.npy", "-o", out, "--rank", "1"}, "expected no negative entries, got -3 at (1, 0)"},
      {1, {folder / "none.npy", "-o", out}, "none.npy"},
      {1, {folder / "good.txt", "-o", folder / "good.txt", "--rank", "1"}, "--overwrite replaces it"},
      {1, {folder / "good.txt", "-o", out, "--rank", "1", "--h", folder / "h.npz"}, "second factor is the first"},
      {1, {folder / "good.txt", "-o", folder / "w.xyz", "--rank", "1"}, "w.xyz"},
      {2, {folder / "good.txt"}, "--output"},
      {2, {folder / "good.txt", "-o", out, "--rank", "0"}, "--rank"},
      {2, {folder / "good.txt", "-o", out, "--solver", "magic"}, "--solver"},
      {2, {folder / "good.txt", "-o", out, "--tolerance", "-1"}, "--tolerance"},
  };
  for (const Case& refused : cases) {
    std::vector<std::string> arguments = {"factorize"};
    arguments.insert(arguments.end(), refused.arguments.begin(), refused.arguments.end());
    const auto finished = test::run_orthant(arguments);
    EXPECT_EQ(finished.code, refused.code) << refused.message << finished.errors;
    EXPECT_THAT(finished.errors, HasSubstr(refused.message));
    EXPECT_EQ(std::ranges::count(finished.errors, '\n'), 1) << finished.errors;
    EXPECT_EQ(finished.output, "");
    EXPECT_EQ(test::read_bytes(out), "");
  }
}

}  // namespace
}  // namespace orthant
