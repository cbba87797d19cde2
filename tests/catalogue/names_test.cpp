#include "orthant/catalogue/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "orthant/catalogue/text.h"
#include "orthant/core/error.h"
#include "orthant/report/documents.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::catalogue {
namespace {

using test::message_of;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;
using ::testing::HasSubstr;

const std::string kHostile = "</script><img src=x onerror=alert(1)> \"'\\ \xF0\x9F\x90\xB6 \n\t\x01";

TEST(Names, SurviveTheProgram) {
  const TemporaryFolder folder;
  const std::string path = folder / "names.json";
  {
    Names names(path, 20);
    EXPECT_EQ(names.get(12), FeatureLabel{});
    EXPECT_EQ(names.set(12, {"wheels", kHostile}), (FeatureLabel{"wheels", kHostile}));
    names.set(3, {"", "only a note"});
  }
  const Names names(path, 20);
  EXPECT_EQ(names.get(12), (FeatureLabel{"wheels", kHostile}));
  EXPECT_EQ(names.get(3).note, "only a note");
  EXPECT_EQ(names.all().size(), 2);
  const auto json = nlohmann::json::parse(read_bytes(path));
  EXPECT_EQ(json["format"], "orthant.names.1");
  EXPECT_EQ(json["features"]["12"]["name"], "wheels");
  EXPECT_EQ(nlohmann::json::parse(names_document(names)), json);
}

TEST(Names, EmptyNameAndNoteForgetTheFeature) {
  const TemporaryFolder folder;
  Names names(folder / "names.json", 5);
  names.set(1, {"a", "b"});
  names.set(1, {});
  EXPECT_TRUE(names.all().empty());
  EXPECT_TRUE(Names(folder / "names.json", 5).all().empty());
}

TEST(Names, AreMendedIfTheyAreNotUtf8) {
  Names names("", 5);
  EXPECT_EQ(names
                .set(0, {"a\xFF"
                         "b",
                         ""})
                .name,
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(names.get(0).name,
            "a\xEF\xBF\xBD"
            "b");
}

TEST(Names, OfAnyLengthUpToTheLimitAreKept) {
  const TemporaryFolder folder;
  Names names(folder / "names.json", 5);
  std::string name;
  for (int i = 0; i < 200; ++i) name += "\xF0\x9F\x90\xB6";
  const std::string note(10'000, '<');
  names.set(0, {name, note});
  EXPECT_EQ(Names(folder / "names.json", 5).get(0), (FeatureLabel{name, note}));
  EXPECT_THAT(message_of([&] {
                names.set(0, {name + "x", ""});
              }),
              HasSubstr("expected a name of at most 200 characters, got 201"));
  EXPECT_THAT(message_of([&] {
                names.set(0, {"", note + "x"});
              }),
              HasSubstr("expected a note of at most 10000 characters, got 10001"));
  EXPECT_EQ(names.get(0).name, name);
}

TEST(Names, OfFeaturesThatAreNotThereAreRefused) {
  Names names("", 5);
  EXPECT_THAT(message_of([&] { names.get(5); }), HasSubstr("expected a feature from 0 to 4, got 5"));
  EXPECT_THAT(message_of([&] { names.set(-1, {}); }), HasSubstr("got -1"));
}

TEST(Names, AMalformedFileIsRefusedByItsPath) {
  const TemporaryFolder folder;
  const std::string path = folder / "names.json";
  const auto refusal = [&](const std::string& text) {
    write_bytes(path, text);
    EXPECT_THROW(Names(path, 5), IoError) << text;
    const std::string message = message_of([&] { Names names(path, 5); });
    EXPECT_THAT(message, HasSubstr("[" + path + "]"));
    return message;
  };
  for (const char* text :
       {"", "{", "[]", "{}", R"({"format":"orthant.names.2","features":{}})", R"({"format":"orthant.names.1"})",
        R"({"format":"orthant.names.1","features":[]})", R"({"format":"orthant.names.1","features":{"1":3}})",
        R"({"format":"orthant.names.1","features":{"1":{"name":3}}})"}) {
    EXPECT_THAT(refusal(text), HasSubstr("expected "));
  }
  for (const char* key : {"5", "-1", "x", "", "1.5", "99999999999999999999"}) {
    const std::string text = std::string(R"({"format":"orthant.names.1","features":{")") + key + R"(":{"name":"a"}}})";
    EXPECT_THAT(refusal(text), HasSubstr("expected features from 0 to 4, got '" + std::string(key) + "'"));
  }
  const std::string deep(1'000'000, '[');
  EXPECT_THAT(refusal(R"({"format":"orthant.names.1","features":{"1":)" + deep + std::string(deep.size(), ']') + "}}"),
              HasSubstr("expected JSON of the format"));
  const std::string longer =
      R"({"format":"orthant.names.1","features":{"1":{"name":")" + std::string(201, 'x') + "\"}}}";
  EXPECT_THAT(refusal(longer), HasSubstr("at most 200 characters, got 201"));
}

TEST(Names, NothingChangesIfTheFileCannotBeWritten) {
  const TemporaryFolder folder;
  Names names(folder / "missing/names.json", 5);
  EXPECT_THROW(names.set(1, {"a", ""}), IoError);
  EXPECT_EQ(names.get(1), FeatureLabel{});
}

TEST(Names, OfTwoProgramsAreMergedByFeature) {
  const TemporaryFolder folder;
  const std::string path = folder / "names.json";
  Names one(path, 5);
  Names other(path, 5);
  one.set(1, {"a", ""});
  other.set(2, {"b", ""});
  one.set(3, {"c", ""});
  EXPECT_EQ(Names(path, 5).all().size(), 3);
  EXPECT_EQ(other.get(3).name, "c");
  EXPECT_EQ(one.get(2).name, "b");
  other.set(1, {});
  EXPECT_EQ(one.get(1), FeatureLabel{});
}

TEST(Names, OfTwoProgramsAtOnceAreAllKept) {
  const TemporaryFolder folder;
  const std::string path = folder / "names.json";
  std::vector<std::thread> threads;
  for (int64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&path, t] {
      Names names(path, 40);
      for (int64_t f = 10 * t; f < 10 * t + 10; ++f) names.set(f, {"feature " + std::to_string(f), ""});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Names(path, 40).all().size(), 40);
}

TEST(Names, AreReplacedOnlyIfTheyAreStillTheExpectedOnes) {
  const TemporaryFolder folder;
  Names names(folder / "names.json", 5);
  Names other(folder / "names.json", 5);
  EXPECT_TRUE(names.replace(1, {"mine", ""}, {}).made);
  const NameChange refused = other.replace(1, {"yours", ""}, {});
  EXPECT_FALSE(refused.made);
  EXPECT_EQ(refused.label.name, "mine");
  EXPECT_EQ(names.get(1).name, "mine");
  EXPECT_TRUE(other.replace(1, {"mine", ""}, {}).made);  // what it is called already
  EXPECT_TRUE(other.replace(1, {"yours", ""}, {"mine", ""}).made);
  EXPECT_EQ(names.get(1).name, "yours");
}

TEST(Names, AreNotWrittenOverAFileThatCannotBeRead) {
  const TemporaryFolder folder;
  const std::string path = folder / "names.json";
  Names names(path, 5);
  names.set(1, {"a", ""});
  write_bytes(path, "{\"half of a");
  EXPECT_EQ(names.get(1).name, "a");
  EXPECT_THAT(message_of([&] { names.set(2, {"b", ""}); }), HasSubstr("[" + path + "] expected JSON of the format"));
  EXPECT_EQ(read_bytes(path), "{\"half of a");
}

TEST(Names, GivenAtOnceAreAllKept) {
  const TemporaryFolder folder;
  const std::string path = folder / "names.json";
  Names names(path, 40);
  std::vector<std::thread> threads;
  for (int64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&names, t] {
      for (int64_t f = 10 * t; f < 10 * t + 10; ++f) names.set(f, {"feature " + std::to_string(f), ""});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Names(path, 40).all().size(), 40);
}

TEST(Text, Base64IsThatOfTheStandard) {
  const auto encoded = [](std::string_view text) { return base64(std::as_bytes(std::span(text))); };
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encoded("\xFF\xFE\xFD"), "//79");
}

TEST(Text, TheDepthOfJsonIsThatOutsideOfText) {
  EXPECT_EQ(json_depth(""), 0);
  EXPECT_EQ(json_depth(R"({"a":[1,[2]],"b":{}})"), 3);
  EXPECT_EQ(json_depth(R"(["[[[\"[[", "\\"])"), 1);
  EXPECT_EQ(json_depth("]]]["), 1);
}

TEST(Text, CharactersAreCodePoints) {
  EXPECT_EQ(characters("a\xC3\xA4\xF0\x9F\x90\xB6"), 3);
  EXPECT_EQ(mended_utf8("ok \xF0\x9F"), "ok \xEF\xBF\xBD");
  EXPECT_EQ(mended_utf8(std::string_view("\0x", 2)), std::string("\0x", 2));
}

TEST(Names, KeepProposalsApartFromNames) {
  const TemporaryFolder folder;
  const std::string path = folder / "names.json";
  Names names(path, 20);
  names.set(3, {"mine", "a note"});
  const std::map<int64_t, ProposedName> proposals = {{3, {"wheel", 2.5, 0.5, "captions"}},
                                                     {7, {kHostile, 1, 0.25, ""}}};
  names.propose(proposals);
  EXPECT_EQ(names.get(7), FeatureLabel{});  // proposed is not named
  Names other(path, 20);
  EXPECT_EQ(other.proposed(), proposals);
  EXPECT_EQ(other.get(3), (FeatureLabel{"mine", "a note"}));
  EXPECT_TRUE(other.replace(7, {"wheels", ""}, {}).made);  // accepted, or named by hand
  EXPECT_EQ(names.proposed(), proposals);
  EXPECT_EQ(names.get(7).name, "wheels");
  const auto json = nlohmann::json::parse(names_document(names));
  EXPECT_EQ(json["features"]["3"]["proposed"]["score"], 2.5);
  EXPECT_EQ(json["features"]["7"]["name"], "wheels");
  names.propose({});
  EXPECT_TRUE(other.proposed().empty());
  EXPECT_EQ(other.get(7).name, "wheels");
}

TEST(Names, RefuseProposalsThatAreNone) {
  const TemporaryFolder folder;
  const std::string path = folder / "names.json";
  const auto refusal = [&](const std::string& proposed) {
    write_bytes(path, R"({"format":"orthant.names.1","features":{"1":{"name":"","proposed":)" + proposed + "}}}");
    return message_of([&] { Names(path, 20); });
  };
  EXPECT_EQ(refusal(R"({"name":"x","score":1})"), "nothing was thrown");
  EXPECT_THAT(refusal("[]"), HasSubstr("[feature 1] expected a proposal with a name, got something else"));
  EXPECT_THAT(refusal(R"({"name":7})"), HasSubstr("expected a proposal with a name"));
  EXPECT_THAT(refusal(R"({"name":")" + std::string(201, 'x') + R"("})"), HasSubstr("at most 200 characters"));
  Names names("", 20);
  EXPECT_THAT(message_of([&] { names.propose({{20, {"x"}}}); }), HasSubstr("expected a feature from 0 to 19, got 20"));
  EXPECT_THAT(message_of([&] { names.propose({{1, {"x", INFINITY}}}); }), HasSubstr("expected finite scores"));
}

TEST(Names, OfColumnsCountUntilAPersonGivesOthers) {
  const TemporaryFolder folder;
  const std::string path = folder / "names.json";
  Names names(path, 3, {"dog", "", std::string(300, 'x')});
  EXPECT_EQ(names.get(0).name, "dog");
  EXPECT_EQ(names.get(1), FeatureLabel{});
  EXPECT_EQ(names.get(2).name.size(), 200U);
  EXPECT_EQ(names.all().size(), 2U);
  EXPECT_FALSE(names.replace(0, {"cat", ""}, {"", ""}).made);  // who asks did not know the column's name
  EXPECT_TRUE(names.replace(0, {"cat", ""}, {"dog", ""}).made);
  EXPECT_EQ(Names(path, 3, {"dog", "", ""}).get(0).name, "cat");
  EXPECT_EQ(names.set(0, {}).name, "dog");  // taken away: what it came with
  EXPECT_EQ(names.set(0, {"dog", "a note"}), (FeatureLabel{"dog", "a note"}));
  EXPECT_EQ(Names(path, 3).get(0), (FeatureLabel{"", "a note"}));  // the file has only what a person said
  EXPECT_THAT(message_of([&] { Names("", 3, {"one"}); }), HasSubstr("expected names of 3 columns, got 1"));
}

}  // namespace
}  // namespace orthant::catalogue
