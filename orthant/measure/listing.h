#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orthant::measure {

// How a value is to be read and printed.
enum class Unit {
  ratio,   // 0 to 1, shown in per cent
  whole,   // a count
  number,  // a mean of counts, or a number without a unit
  nats,    // an entropy or information, natural logarithm
};

// Which of two models with different values is the better one, for readable features.
enum class Better { higher, lower, neither };

// One number of a measure.
struct ListedKey {
  std::string key;   // dotted, as the JSON document nests it: "correlation.mean"; "a.*": a key for each factor
  std::string name;  // what EvaluationOptions::only and Skipped call it: "correlation"; empty: not evaluate()'s
  Unit unit = Unit::number;
  Better better = Better::neither;
  std::string words;  // what the number says, in one line without unit and direction
};

// What a version means is written in docs/measures.md and never changes: another computation is another version.
struct ListedMeasure {
  std::string id;  // "class_consistency"
  int64_t version = 1;
  std::vector<ListedKey> keys;

  std::string identifier() const;                       // "class_consistency/1"
  const ListedKey* find(std::string_view key) const;    // null for a key that it does not have
  const ListedKey& expect(std::string_view key) const;  // std::invalid_argument for one
};

// Every measure of `orthant measure`, once. Reports, tables, the page and docs/measures.md take from here what a
// measure is called and what its numbers are, or are checked against it.
const std::vector<ListedMeasure>& listing();

// The measure of this id; std::invalid_argument if there is none.
const ListedMeasure& listed(std::string_view id);

// "ratio", "whole", "number", "nats"; "higher", "lower", "neither".
std::string_view name_of(Unit unit);
std::string_view name_of(Better better);

}  // namespace orthant::measure
