#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace orthant {

// Settings are listed once. An options struct comes with
//
//   template <class Options, class Visitor>   // Options: the struct, const or not
//   void for_each_field(Options& options, Visitor&& visit) {
//     visit(Field{"temperature", "Softmax temperature", {.min = 0, .exclusive_min = true}}, options.temperature);
//     ...
//   }
//
// found by argument-dependent lookup, and flags, help, TOML, JSON and tables all come from that listing. A field is
// a bool, int64_t, double or std::string.
struct Limits {
  double min = -1e308;
  double max = 1e308;
  bool exclusive_min = false;
  std::vector<std::string> choices = {};  // for strings: the allowed ones; empty: any
};

struct Field {
  std::string name;  // snake_case; the flag is --name-with-dashes, the TOML key the name itself
  std::string help;  // one line, no full stop
  Limits limits = {};
};

template <class T>
concept FieldValue =
    std::same_as<T, bool> || std::same_as<T, int64_t> || std::same_as<T, double> || std::same_as<T, std::string>;

}  // namespace orthant
