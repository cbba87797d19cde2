#include "orthant/core/settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "orthant/core/error.h"
#include "orthant/core/nearest.h"

namespace orthant {
namespace {

template <class Number>
bool parse_whole(const std::string& text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::string kind_and_value(const Setting& setting) {
  static constexpr const char* kKinds[] = {"boolean ", "whole number ", "number ", "text "};
  return kKinds[setting.index()] + to_string(setting);
}

void check_range(const Field& field, double number, const std::string& source) {
  const Limits& limits = field.limits;
  const bool above = limits.exclusive_min ? number > limits.min : number >= limits.min;
  if (std::isfinite(number) && above && number <= limits.max) return;
  std::string range = "a finite number";
  if (limits.min > -1e308) range = join(limits.exclusive_min ? "a number above " : "at least ", limits.min);
  if (limits.max < 1e308) range += join(limits.min > -1e308 ? " and at most " : " of at most ", limits.max);
  check(false, "[", source, "] expected ", field.name, " to be ", range, ", got ", number);
}

}  // namespace

Setting parse_setting(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  int64_t whole = 0;
  if (parse_whole(text, whole)) return whole;
  double number = 0;
  if (parse_whole(text, number)) return number;
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

std::pair<std::string, Setting> parse_assignment(const std::string& text) {
  const size_t equals = text.find('=');
  check(equals != std::string::npos && equals > 0, "[--set] expected key=value, got '", text, "'");
  return {text.substr(0, equals), parse_setting(text.substr(equals + 1))};
}

std::string to_string(const Setting& setting) {
  return std::visit(
      [](const auto& value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, bool>) {
          return std::string(value ? "true" : "false");
        } else {
          return join(value);
        }
      },
      setting);
}

void assign_setting(const Field& field, bool& value, const Setting& setting, const std::string& source) {
  const auto* flag = std::get_if<bool>(&setting);
  check(flag != nullptr, "[", source, "] expected ", field.name, " to be true or false, got ", kind_and_value(setting));
  value = *flag;
}

void assign_setting(const Field& field, int64_t& value, const Setting& setting, const std::string& source) {
  const auto* whole = std::get_if<int64_t>(&setting);
  check(whole != nullptr, "[", source, "] expected ", field.name, " to be a whole number, got ",
        kind_and_value(setting));
  check_range(field, static_cast<double>(*whole), source);
  value = *whole;
}

void assign_setting(const Field& field, double& value, const Setting& setting, const std::string& source) {
  const auto* number = std::get_if<double>(&setting);
  const auto* whole = std::get_if<int64_t>(&setting);
  check(number != nullptr || whole != nullptr, "[", source, "] expected ", field.name, " to be a number, got ",
        kind_and_value(setting));
  const double candidate = number ? *number : static_cast<double>(*whole);
  check_range(field, candidate, source);
  value = candidate;
}

void assign_setting(const Field& field, std::string& value, const Setting& setting, const std::string& source) {
  const auto* text = std::get_if<std::string>(&setting);
  check(text != nullptr, "[", source, "] expected ", field.name, " to be text, got ", kind_and_value(setting));
  const auto& choices = field.limits.choices;
  if (!choices.empty() && std::ranges::find(choices, *text) == choices.end()) {
    std::string list;
    for (const std::string& choice : choices) list += (list.empty() ? "" : ", ") + choice;
    check(false, "[", source, "] expected ", field.name, " to be one of ", list, ", got '", *text, "'");
  }
  value = *text;
}

void check_known(const Settings& settings, const std::vector<std::string>& known, const std::string& source) {
  for (const auto& [key, setting] : settings) {
    if (std::ranges::find(known, key) != known.end()) continue;
    const std::string* meant = nearest(key, known);
    fail("[", source, "] expected a known setting, got ", key, meant ? "; did you mean " + *meant + "?" : "");
  }
}

}  // namespace orthant
