#include "orthant/measure/listing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "orthant/fit/logistic.h"
#include "orthant/measure/evaluation.h"
#include "orthant/select/ranking.h"
#include "tests/support/message_of.h"

namespace orthant::measure {
namespace {

using ::testing::HasSubstr;

std::string text_of(const std::string& path) {
  std::ifstream in(std::string(ORTHANT_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The table of docs/measures.md that is to be there, line by line.
std::string documented() {
  std::string text = "| key | identifier | unit | better | what it says |\n|---|---|---|---|---|\n";
  for (const ListedMeasure& measure : listing()) {
    for (const ListedKey& key : measure.keys) {
      text += "| `" + key.key + "` | `" + measure.identifier() + "` | " + std::string(name_of(key.unit)) + " | " +
              std::string(name_of(key.better)) + " | " + key.words + " |\n";
    }
  }
  return text;
}

std::set<std::string> all_matches(const std::string& text, const std::regex& pattern) {
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) found.insert((*at)[1]);
  return found;
}

TEST(Listing, HasEachIdOnceAndEachKeyOnceInAMeasure) {
  std::set<std::string> ids;
  for (const ListedMeasure& measure : listing()) {
    EXPECT_TRUE(ids.insert(measure.id).second) << measure.id;
    EXPECT_GE(measure.version, 1) << measure.id;
    EXPECT_FALSE(measure.keys.empty()) << measure.id;
    std::set<std::string> keys;
    for (const ListedKey& key : measure.keys) {
      EXPECT_TRUE(keys.insert(key.key).second) << key.key;
      EXPECT_FALSE(key.words.empty()) << key.key;
      EXPECT_EQ(key.words.find_first_of("\n|"), std::string::npos) << key.key;
      EXPECT_EQ(measure.find(key.key), &key);
    }
  }
}

// The same key by another definition is still the same kind of number.
TEST(Listing, AKeyHasOneUnitAndOneDirectionWhoeverComputesIt) {
  std::map<std::string, const ListedKey*> first;
  for (const ListedMeasure& measure : listing()) {
    for (const ListedKey& key : measure.keys) {
      const ListedKey& known = *first.emplace(key.key, &key).first->second;
      EXPECT_EQ(key.unit, known.unit) << key.key;
      EXPECT_EQ(key.better, known.better) << key.key;
      EXPECT_EQ(key.name, known.name) << key.key;
    }
  }
}

TEST(Listing, RefusesWhatIsNotListed) {
  EXPECT_EQ(listed("knn-accuracy").identifier(), "knn-accuracy/1");
  EXPECT_EQ(listed("mig").expect("merged.mig").name, "mig");
  EXPECT_EQ(listed("mig").find("sap"), nullptr);
  EXPECT_EQ(listed("factor_following").expect("following.of.shape").key, "following.of.*");
  EXPECT_EQ(listed("factor_following").find("following.often"), nullptr);
  EXPECT_THAT(test::message_of([] { listed("sparseness"); }), HasSubstr("got sparseness"));
  EXPECT_THAT(test::message_of([] { listed("mig").expect("sap"); }),
              HasSubstr("[mig] expected one of its keys, got sap"));
}

TEST(Listing, IsTheTableOfTheDocumentation) {
  const std::string text = text_of("docs/measures.md");
  const size_t begin = text.find("| key | identifier | unit |");
  ASSERT_NE(begin, std::string::npos) << "expected in docs/measures.md:\n" << documented();
  EXPECT_EQ(text.substr(begin, text.find("\n\n", begin) + 1 - begin), documented());
}

// An identifier is described under a heading of its own or in a table, and none is described that does not exist.
TEST(Listing, AndAFewResultsOfOtherCommandsAreAllThatTheDocumentationKnows) {
  std::set<std::string> expected = {fit::kLogisticIdentifier, select::kRankingIdentifier, "linear-probe/1",
                                    "finetune/1"};
  for (const ListedMeasure& measure : listing()) expected.insert(measure.identifier());
  const std::string text = text_of("docs/measures.md");
  EXPECT_EQ(all_matches(text, std::regex("`([a-z_.-]+/[0-9]+)`")), expected);
}

// Beyond the table, every key is explained where its formula is.
TEST(Listing, EveryKeyIsExplainedBelowTheTableToo) {
  std::string text = text_of("docs/measures.md");
  text.erase(0, text.find("\n\n", text.find("| key | identifier | unit |")));
  for (const ListedMeasure& measure : listing()) {
    for (const ListedKey& key : measure.keys) {
      if (key.key.starts_with("merged.") || key.key.starts_with("chance.")) continue;  // one section says what that is
      EXPECT_THAT(text, HasSubstr("`" + key.key + "`"));
    }
  }
}

// The page's own table: an entry reaches to the next, and names its key, and its unit and direction if it has any.
TEST(Listing, AgreesWithThePage) {
  const std::string text = text_of("web/src/measures.js");
  const std::string table = text.substr(0, text.find("kTerms"));
  const std::regex entry(R"re(key: '([a-z0-9_.]+)')re");
  std::map<std::string, std::string> found;
  std::string key;
  size_t from = 0;
  for (std::sregex_iterator at(table.begin(), table.end(), entry), end; at != end; ++at) {
    if (!key.empty()) found[key] = table.substr(from, static_cast<size_t>(at->position()) - from);
    key = (*at)[1];
    from = static_cast<size_t>(at->position());
  }
  found[key] = table.substr(from);
  EXPECT_GE(found.size(), 29U);
  for (const auto& [shown, words] : found) {
    const auto has = [&shown = shown](const ListedMeasure& measure) { return measure.find(shown) != nullptr; };
    const auto measure = std::ranges::find_if(listing(), has);
    ASSERT_NE(measure, listing().end()) << shown;
    const ListedKey& listed = measure->expect(shown);
    const bool more = words.find("good: 'more'") != std::string::npos;
    const bool less = words.find("good: 'less'") != std::string::npos;
    EXPECT_EQ(more, listed.better == Better::higher) << shown;
    EXPECT_EQ(less, listed.better == Better::lower) << shown;
    EXPECT_EQ(words.find("unit: 'nats'") != std::string::npos, listed.unit == Unit::nats) << shown;
  }
}

}  // namespace
}  // namespace orthant::measure
