#include "orthant/pack/info.h"

#include "orthant/core/error.h"
#include "orthant/pack/bytes.h"

namespace orthant::pack {
namespace {

void put_texts(std::string& to, const std::vector<std::string>& texts) {
  put(to, static_cast<uint32_t>(texts.size()));
  for (const std::string& text : texts) put_text(to, text);
}

std::vector<std::string> take_texts(Taker& from) {
  std::vector<std::string> texts(from.take_count(4));
  for (std::string& text : texts) text = from.take_text();
  return texts;
}

void put_factor(std::string& to, const FactorInfo& factor) {
  put_text(to, factor.name);
  put(to, factor.period);
  put(to, static_cast<uint32_t>(factor.values.size()));
  for (const float value : factor.values) put(to, value);
  put_texts(to, factor.names);
}

FactorInfo take_factor(Taker& from, const std::string& name) {
  FactorInfo factor;
  factor.name = from.take_text();
  factor.period = from.take<float>();
  factor.values.resize(from.take_count(sizeof(float)));
  for (float& value : factor.values) value = from.take<float>();
  factor.names = take_texts(from);
  check_io(factor.names.empty() || factor.names.size() == factor.values.size(), "[", name, "] expected ",
           factor.values.size(), " names of the values of ", factor.name, ", got ", factor.names.size());
  return factor;
}

}  // namespace

std::string info_text(const Info& info) {
  std::string text;
  put(text, static_cast<uint8_t>(info.split_made_here));
  put_texts(text, info.class_names);
  put(text, static_cast<uint32_t>(info.factors.size()));
  for (const FactorInfo& factor : info.factors) put_factor(text, factor);
  put(text, static_cast<uint32_t>(info.left_out.size()));
  for (const LeftOut& entry : info.left_out) {
    put(text, static_cast<uint8_t>(entry.where));
    put_text(text, entry.line);
  }
  put(text, static_cast<uint32_t>(info.other_kinds.size()));
  for (const NamedCount& kind : info.other_kinds) {
    put_text(text, kind.name);
    put(text, kind.count);
  }
  return text;
}

Info parse_info(std::span<const std::byte> bytes, const std::string& name) {
  Taker from(bytes, name);
  Info info;
  info.split_made_here = from.take<uint8_t>() != 0;
  info.class_names = take_texts(from);
  for (size_t left = from.take_count(16); left > 0; --left) info.factors.push_back(take_factor(from, name));
  for (size_t left = from.take_count(5); left > 0; --left) {
    const auto where = from.take<uint8_t>();
    check_io(where <= static_cast<uint8_t>(Where::kAllOnly), "[", name, "] expected a split from 0 to 3, got ", where);
    info.left_out.push_back({static_cast<Where>(where), from.take_text()});
  }
  for (size_t left = from.take_count(12); left > 0; --left) {
    std::string kind = from.take_text();
    info.other_kinds.push_back({std::move(kind), from.take<int64_t>()});
  }
  check_io(from.rest().empty(), "[", name, "] expected the end of what is said of the pictures, got ",
           from.rest().size(), " more bytes");
  return info;
}

std::vector<std::string> left_out_of(const Info& info, const std::string& split) {
  std::vector<std::string> lines;
  for (const LeftOut& entry : info.left_out) {
    const bool concerned = split == "all" || entry.where == Where::kEvery ||
                           (split == "train" && entry.where == Where::kTrain) ||
                           (split == "test" && entry.where == Where::kTest);
    if (concerned) lines.push_back(entry.line);
  }
  return lines;
}

}  // namespace orthant::pack
