#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace orthant::test {

// An answer as a reader of HTTP sees it that shares no code with the writer.
struct ReadAnswer {
  int status = 0;
  std::string words;
  std::vector<std::pair<std::string, std::string>> fields;  // as they came
  std::string rest;                                         // everything behind the head

  // The value of a field that must be there at most once; "-" if it is not there.
  std::string field(const std::string& name) const {
    std::string found = "-";
    for (const auto& [key, value] : fields) {
      if (key != name) continue;
      EXPECT_EQ(found, "-") << name << " came twice";
      found = value;
    }
    return found;
  }
};

inline ReadAnswer read_answer(const std::string& bytes) {
  ReadAnswer answer;
  size_t at = 0;
  const auto line = [&] {
    std::string text;
    while (at < bytes.size() && bytes[at] != '\r') text += bytes[at++];
    EXPECT_EQ(bytes.substr(at, 2), "\r\n");
    at += 2;
    return text;
  };
  const std::string first = line();
  EXPECT_EQ(first.substr(0, 9), "HTTP/1.1 ");
  answer.status = std::stoi(first.substr(9, 3));
  EXPECT_EQ(first.substr(12, 1), " ");
  answer.words = first.substr(13);
  for (std::string text = line(); !text.empty(); text = line()) {
    const size_t colon = text.find(": ");
    EXPECT_NE(colon, std::string::npos) << text;
    answer.fields.emplace_back(text.substr(0, colon), text.substr(colon + 2));
  }
  answer.rest = bytes.substr(at);
  return answer;
}

}  // namespace orthant::test
