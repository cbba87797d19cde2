#include "orthant/report/script_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace orthant::report {
namespace {

TEST(ScriptJson, MeansTheSameWithoutAnythingThatEndsAScript) {
  const nlohmann::json document = {{"</script><!--", "<script>alert(1)</script>"},
                                   {"separators", "a\u2028b\u2029c\u2027d"},
                                   {"quotes", "\"'\\<\\\" \U0001F600"}};
  const std::string safe = script_json(document.dump());
  EXPECT_EQ(safe.find('<'), std::string::npos);
  EXPECT_EQ(safe.find("\u2028"), std::string::npos);
  EXPECT_EQ(safe.find("\u2029"), std::string::npos);
  EXPECT_NE(safe.find("\u2027"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(safe), document);
}

TEST(ScriptJson, LeavesTheRestAsItIs) {
  EXPECT_EQ(script_json(R"({"a":[1,2.5,null]})"), R"({"a":[1,2.5,null]})");
  EXPECT_EQ(script_json("\"\xe2\x80\""), "\"\xe2\x80\"");
}

}  // namespace
}  // namespace orthant::report
