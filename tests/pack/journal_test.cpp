#include "orthant/pack/journal.h"

#include <gtest/gtest.h>

#include <span>

namespace orthant::pack {
namespace {

Journal parse(const std::string& text, uint64_t what) { return parse_journal(std::as_bytes(std::span(text)), what); }

const Entry kFirst{10, 20, 30, 40, 50, ""};
const Entry kSecond{1, 2, 3, 0, 0, "cut off\nafter a line"};

TEST(Journal, GivesBackWhatWasWritten) {
  const std::string text = journal_front(7) + journal_text(kFirst) + journal_text(kSecond);
  const Journal journal = parse(text, 7);
  EXPECT_TRUE(journal.fits);
  EXPECT_EQ(journal.entries, (std::vector<Entry>{kFirst, kSecond}));
  EXPECT_EQ(journal.ends.back(), static_cast<int64_t>(text.size()));
}

TEST(Journal, IsReadAsFarAsItIsWholeWhereverItIsCutOff) {
  const std::string front = journal_front(7);
  const std::string first = journal_text(kFirst);
  const std::string text = front + first + journal_text(kSecond);
  for (size_t length = 0; length <= text.size(); ++length) {
    const Journal journal = parse(text.substr(0, length), 7);
    EXPECT_EQ(journal.fits, length >= front.size()) << length;
    const size_t whole = length == text.size() ? 2 : length >= front.size() + first.size() ? 1 : 0;
    EXPECT_EQ(journal.entries.size(), whole) << length;
  }
}

TEST(Journal, EndsBeforeAnEntryWithAWrongBit) {
  const std::string front = journal_front(7);
  const std::string text = front + journal_text(kFirst) + journal_text(kSecond);
  for (size_t at = 0; at < text.size(); ++at) {
    std::string damaged = text;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    const Journal journal = parse(damaged, 7);
    const bool in_first = at < front.size() + journal_text(kFirst).size();
    EXPECT_EQ(journal.entries.size(), in_first ? 0U : 1U) << at;
  }
}

TEST(Journal, OfSomethingElseDoesNotFit) { EXPECT_FALSE(parse(journal_front(7) + journal_text(kFirst), 8).fits); }

}  // namespace
}  // namespace orthant::pack
