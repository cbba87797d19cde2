#include "orthant/pack/journal.h"

#include <string_view>

#include "orthant/pack/bytes.h"

namespace orthant::pack {
namespace {

constexpr std::string_view kMagic = "orthpj1\n";
constexpr size_t kFixed = 4 * 8 + 4;  // bytes of an entry without its reason

}  // namespace

std::string journal_front(uint64_t what) {
  std::string text(kMagic);
  put(text, what);
  return text;
}

std::string journal_text(const Entry& entry) {
  std::string text;
  for (const int64_t number : {entry.size, entry.seconds, entry.nanoseconds, entry.bytes}) put(text, number);
  put(text, entry.sum);
  text += entry.reason;
  std::string framed;
  put_text(framed, text);
  put(framed, checksum(std::as_bytes(std::span(text))));
  return framed;
}

Journal parse_journal(std::span<const std::byte> bytes, uint64_t what) {
  const std::string front = journal_front(what);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  Journal journal;
  journal.fits = text.starts_with(front);
  size_t at = journal.fits ? front.size() : text.size();
  while (text.size() - at >= 8 + kFixed) {
    const size_t length = number_at<uint32_t>(bytes, at);
    if (length < kFixed || length > text.size() - at - 8) break;
    const auto body = bytes.subspan(at + 4, length);
    if (checksum(body) != number_at<uint32_t>(bytes, at + 4 + length)) break;
    Taker from(body, "journal");
    Entry entry;
    for (int64_t* number : {&entry.size, &entry.seconds, &entry.nanoseconds, &entry.bytes}) {
      *number = from.take<int64_t>();
    }
    entry.sum = from.take<uint32_t>();
    entry.reason = text.substr(at + 4 + kFixed, length - kFixed);
    if (entry.bytes < 0) break;
    at += 8 + length;
    journal.entries.push_back(std::move(entry));
    journal.ends.push_back(static_cast<int64_t>(at));
  }
  return journal;
}

}  // namespace orthant::pack
