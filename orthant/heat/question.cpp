#include "orthant/heat/question.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "orthant/core/error.h"

namespace orthant::heat {
namespace {

static_assert(std::endian::native == std::endian::little, "what is sent is what is in memory");

constexpr uint32_t kMostNumbers = 1 << 20;

template <class T>
void put(std::string& bytes, T number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

template <class T>
T take(std::string_view& bytes) {
  check_io(bytes.size() >= sizeof(T), "[where] expected a whole question, got one that is cut off");
  T number;
  std::memcpy(&number, bytes.data(), sizeof(number));
  bytes.remove_prefix(sizeof(number));
  return number;
}

}  // namespace

std::string to_bytes(const Question& question) {
  std::string bytes;
  put(bytes, static_cast<uint32_t>(question.features.size()));
  for (const int64_t feature : question.features) put(bytes, static_cast<uint32_t>(feature));
  put(bytes, static_cast<uint32_t>(question.other.size()));
  for (const float value : question.other) put(bytes, value);
  return bytes + question.picture;
}

Question from_bytes(std::string_view bytes) {
  Question question;
  const auto features = take<uint32_t>(bytes);
  check_io(features <= kMostQuestions, "[where] expected at most ", kMostQuestions, " features, got ", features);
  for (uint32_t i = 0; i < features; ++i) question.features.push_back(take<uint32_t>(bytes));
  const auto numbers = take<uint32_t>(bytes);
  check_io(numbers <= kMostNumbers && bytes.size() / sizeof(float) >= numbers, "[where] expected ", numbers,
           " numbers of another item, got ", bytes.size(), " bytes");
  for (uint32_t i = 0; i < numbers; ++i) question.other.push_back(take<float>(bytes));
  check_io(std::ranges::all_of(question.other, [](float x) { return std::isfinite(x); }),
           "[where] expected finite features of another item, got others");
  check_io(features > 0 || numbers > 0, "[where] expected a feature or another item, got neither");
  question.picture = bytes;
  return question;
}

}  // namespace orthant::heat
